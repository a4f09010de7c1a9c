"""Updates and patches: what they may change, what is put back, and how lost races end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from crdkit.meta.version import V1_33

from .conftest import GROUP, JSON_PATCH, MERGE, Answer, Api, kiln


async def test_an_update_needs_the_version_it_is_based_on(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    assert (await api.ask("update", "a", kiln())).message == (
        'kilns.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update'
    )
    assert (await api.ask("update", "a", kiln(metadata={"resourceVersion": "1"}))).message == (
        'Operation cannot be fulfilled on kilns.example.com "a": '
        "the object has been modified; please apply your changes to the latest version and try again"
    )


async def test_the_generation_counts_changes_outside_the_metadata(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(spec={"heat": 1}))
    labelled = await api.ask("patch", "a", {"metadata": {"labels": {"x": "y"}}}, type=MERGE)
    hotter = await api.ask("patch", "a", {"spec": {"heat": 2}}, type=MERGE)
    assert (labelled.body["metadata"]["generation"], hotter.body["metadata"]["generation"]) == (1, 2)


async def test_the_status_has_its_own_endpoint(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(spec={"heat": 1}))
    await api.ask("patch", "a", {"spec": {"heat": 5}, "status": {"phase": "Done"}}, type=MERGE, subresource="status")
    answer = await api.ask("patch", "a", {"status": {"phase": "Lost"}}, type=MERGE)
    assert (answer.body["spec"], answer.body["status"], answer.body["metadata"]["generation"]) == ({"heat": 1}, {"phase": "Done"}, 1)


async def test_a_status_sent_with_another_kind_is_pruned_when_it_is_read(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    patch = {"kind": "Oven", "status": {"phase": "Done", "unknown": 1}}
    answer = await api.ask("patch", "a", patch, type=MERGE, subresource="status")
    assert (answer.code, answer.body["kind"], answer.body["status"]) == (200, "Kiln", {"phase": "Done"})
    assert (await api.ask("get", "a")).body == answer.body


async def test_metadata_of_another_kind_is_of_its_types_too(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    for name, value in (("labels", "x"), ("finalizers", [1]), ("ownerReferences", ["x"]), ("annotations", ["x"])):
        answer = await api.ask("patch", "a", {"kind": "Oven", "metadata": {name: value}}, type=MERGE)
        assert (answer.code, "json: cannot unmarshal" in answer.message) == (422, True)


async def test_a_change_of_nothing_is_not_stored(api: Api) -> None:
    await api.define()
    created = await api.ask("create", body=kiln(spec={"heat": 1}))
    patched = await api.ask("patch", "a", {"spec": {"heat": 1, "unknown": 1}}, type=MERGE)
    assert patched.body["metadata"]["resourceVersion"] == created.body["metadata"]["resourceVersion"]


async def test_one_and_one_point_zero_are_two_things(api: Api) -> None:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"v": {"type": "number"}}}}}
    await api.define(schema=schema)
    await api.ask("create", body=kiln(spec={"v": 1}))
    answer = await api.ask("patch", "a", b'{"spec":{"v":1.0}}', type=MERGE)
    assert (answer.body["metadata"]["generation"], answer.body["spec"]) == (2, {"v": 1})


async def test_patches_that_race_are_all_applied(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answers = await asyncio.gather(
        *(api.ask("patch", "a", {"metadata": {"labels": {f"l{number}": "x"}}}, type=MERGE) for number in range(20))
    )
    assert {answer.code for answer in answers} == {200}
    assert len((await api.ask("get", "a")).body["metadata"]["labels"]) == 20


async def test_of_updates_that_race_one_is_stored(api: Api) -> None:
    await api.define()
    version = (await api.ask("create", body=kiln())).body["metadata"]["resourceVersion"]
    bodies = [kiln(metadata={"resourceVersion": version}, spec={"heat": heat}) for heat in range(1, 6)]
    codes = [answer.code for answer in await asyncio.gather(*(api.ask("update", "a", body) for body in bodies))]
    assert sorted(codes) == [200, 409, 409, 409, 409]


async def test_a_json_patch_that_does_not_fit_is_refused(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(spec={"heat": 1}))
    answer = await api.ask("patch", "a", [{"op": "test", "path": "/spec/heat", "value": 2}], type=JSON_PATCH)
    assert (answer.code, answer.message) == (422, "the server rejected our request due to an error in our request")
    answer = await api.ask("patch", "a", {"op": "test"}, type=JSON_PATCH)
    assert answer.message == "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"


async def test_a_strict_patch_shows_the_object_it_would_make(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(spec={"heat": 1}))
    answer = await api.ask("patch", "a", {"spec": {"odd": 1}}, type=MERGE, query="fieldValidation=Strict")
    assert answer.code == 422
    [cause] = answer.causes
    assert cause.startswith('patch: Invalid value: "{\\"apiVersion\\":\\"example.com/v1\\"')
    assert cause.endswith('strict decoding error: unknown field "spec.odd"')


async def test_immutable_metadata_is_told_twice_as_two_look_at_it(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answer = await api.ask("patch", "a", {"metadata": {"uid": "other"}}, type=MERGE)
    assert answer.causes == ['metadata.uid: Invalid value: "other": field is immutable'] * 2


async def test_a_patch_of_a_kind_that_is_not_served_names_those_that_are(api: Api) -> None:
    await api.define()
    answer = await api.ask("patch", "a", {}, type="application/strategic-merge-patch+json")
    assert (answer.code, answer.message) == (
        415,
        (
            "the body of the request was in an unknown format - accepted media types include: "
            "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
        ),
    )


async def test_an_unchanged_invalid_object_may_be_patched(api: Api) -> None:
    loose = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"heat": {"type": "integer"}}}}}
    await api.define(schema=loose)
    await api.ask("create", body=kiln(spec={"heat": 9000}))
    tight = {"spec": {"versions": [_version(maximum=2000)]}}
    assert (await api.ask("patch", "kilns.example.com", tight, type=MERGE, of=_definitions())).code == 200
    assert (await api.ask("patch", "a", {"metadata": {"labels": {"x": "y"}}}, type=MERGE)).code == 200


def _definitions() -> tuple[str, str, str]:
    return ("apiextensions.k8s.io", "v1", "customresourcedefinitions")


def _version(**heat: int) -> dict[str, object]:
    properties = {"spec": {"type": "object", "properties": {"heat": {"type": "integer", **heat}}}}
    return {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}}}


@pytest.mark.parametrize("kube", [V1_33])
@pytest.mark.parametrize("of", [(GROUP, "v1", "kilns"), ("", "v1", "configmaps"), ("coordination.k8s.io", "v1", "leases")])
async def test_what_is_missing_is_not_the_object_meant_by_a_uid(api: Api, of: tuple[str, str, str]) -> None:
    answer = await _update_of_what_is_missing(api, of)
    assert answer.code == 409
    assert answer.message.endswith(
        f", Key: /registry{f'/{of[0]}' if of[0] == GROUP else ''}/{of[2]}/default/zz, ResourceVersion: 0, "
        "AdditionalErrorMsg: Precondition failed: UID in precondition: old, UID in object meta: "
    )


@pytest.mark.parametrize(
    ("of", "code"), [((GROUP, "v1", "kilns"), 404), (("", "v1", "configmaps"), 404), (("coordination.k8s.io", "v1", "leases"), 409)]
)
async def test_what_is_missing_is_not_found_whatever_its_uid_unless_an_update_would_create_it(
    api: Api, of: tuple[str, str, str], code: int
) -> None:
    assert (await _update_of_what_is_missing(api, of)).code == code


async def _update_of_what_is_missing(api: Api, of: tuple[str, str, str]) -> Answer:
    await api.define()
    body = kiln("zz", metadata={"uid": "old"}) if of[0] == GROUP else {"metadata": {"name": "zz", "uid": "old"}}
    return await api.ask("update", "zz", body, of=of, namespace="default")


async def test_the_bodys_name_is_held_against_the_path_before_the_path_is_judged(api: Api) -> None:
    await api.define()
    answer = await api.ask("update", "..", kiln("a"))
    assert answer.message == "the name of the object (a) does not match the name on the URL (..)"
    assert (await api.ask("update", "..", kiln(".."))).message == "Name parameter invalid: \"..\": may not be '..'"
    for verb, body in (("get", None), ("delete", None), ("patch", {})):
        answer = await api.ask(verb, "a%", body, type=MERGE if verb == "patch" else "application/json")
        assert (answer.code, answer.message) == (400, "Name parameter invalid: \"a%\": may not contain '%'")


@pytest.mark.parametrize(("query", "code"), [("export", 400), ("export=x", 400), ("export=0", 200), ("Export=1", 200)])
async def test_nothing_is_exported_any_more(api: Api, query: str, code: int) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answer = await api.ask("get", "a", query=query)
    assert answer.code == code
    if code == 400:
        assert answer.message == "the export parameter, deprecated since v1.14, is no longer supported"


async def test_what_makes_another_kind_of_a_status_has_no_owners(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(spec={"heat": 1}))
    kept = (await api.ask("patch", "a", {"status": {"phase": "hot"}}, type=MERGE, subresource="status")).body
    assert kept["metadata"]["managedFields"]
    lost = (await api.ask("patch", "a", {"kind": "Oven"}, type=MERGE, subresource="status")).body
    assert lost["kind"] == "Kiln"
    assert "managedFields" not in lost["metadata"]


async def test_a_null_apiversion_is_no_text(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body={**kiln(), "apiVersion": None})
    assert (answer.code, answer.message) == (
        400,
        'Kiln in version "" cannot be handled as a Kiln: .apiVersion accessor error: <nil> is of the type <nil>, expected string',
    )


async def test_what_a_body_does_not_tell_is_taken_to_be_what_is_asked_for(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body=b'{"spec": {"heat": 1e999}}')
    told = 'Kiln in version "v1" cannot be handled as a Kiln: json: cannot unmarshal number 1e999 into Go value of type float64'
    assert (answer.code, answer.message) == (400, told)


async def test_a_list_merged_in_place_of_an_object_keeps_the_nulls_in_it(api: Api) -> None:
    properties = {"spec": {"type": "object", "properties": {"free": {"x-kubernetes-preserve-unknown-fields": True}}}}
    await api.define(schema={"type": "object", "properties": properties})
    await api.ask("create", body=kiln(spec={"free": {"a": 1}}))
    patch = {"spec": {"free": [{"b": None, "c": [{"d": None}]}]}}
    changed = await api.ask("patch", "a", patch, type=MERGE, query="dryRun=All")
    assert changed.body["spec"] == patch["spec"]
    await api.ask("patch", "a", {"spec": {"free": 1}}, type=MERGE)
    changed = await api.ask("patch", "a", patch, type=MERGE)
    assert changed.body["spec"] == {"free": [{"c": [{}]}]}


async def test_whole_numbers_in_yaml_are_integers(api: Api) -> None:
    await api.define()
    body = b"apiVersion: example.com/v1\nkind: Kiln\nmetadata: {name: a}\nspec: {heat: 1.0}\n"
    assert (await api.ask("create", body=body, type="application/yaml")).code == 201
    applied = body.replace(b"1.0", b"1e3")
    answer = await api.ask("patch", "a", applied, type="application/apply-patch+yaml", query="fieldManager=ann&force=true")
    assert (answer.body["spec"], answer.body["metadata"]["generation"]) == ({"heat": 1000}, 2)
    again = await api.ask("patch", "a", {"spec": {"heat": 1000}}, type=MERGE)
    assert again.body["metadata"]["generation"] == 2


async def test_a_status_of_null_is_as_good_as_none_where_there_was_none(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    how: Any = {"type": "application/apply-patch+yaml", "query": "fieldManager=ann", "subresource": "status"}
    answer = await api.ask("patch", "a", kiln(status=None), **how)
    assert (answer.code, "status" in answer.body) == (200, False)
    await api.ask("patch", "a", kiln(status={"phase": "Done"}), **how)
    answer = await api.ask("patch", "a", kiln(status={"phase": None}), **how)
    assert answer.causes == ['status.phase: Invalid value: "null": phase in body must be of type string: "null"']


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "error decoding patch: unexpected end of JSON input"),
        ("fieldValidation=Strict", "error decoding patch: unexpected end of JSON input"),
        ("fieldValidation=Ignore", "Invalid JSON Patch"),
    ],
)
async def test_a_merge_patch_that_is_no_json(api: Api, query: str, message: str) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answer = await api.ask("patch", "a", b'{"spec":', type=MERGE, query=query)
    assert (answer.code, answer.message) == (400, message)
