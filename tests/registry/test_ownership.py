"""Who owns what, as objects tell of it after each verb."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36
from tests.registry.conftest import DEFINITIONS, GROUP, JSON_PATCH, MERGE, Answer, Api, definition, kiln

APPLY = "application/apply-patch+yaml"
CONFIG_MAPS = ("", "v1", "configmaps")


def entry(manager: str, fields: Any, *, operation: str = "Update", version: str = f"{GROUP}/v1", subresource: str = "") -> Any:
    found = {"manager": manager, "operation": operation, "apiVersion": version, "fieldsType": "FieldsV1", "fieldsV1": fields}
    return {**found, "subresource": subresource} if subresource else found


def owners(answer: Answer) -> Any:
    """The managedFields of an answer, but for the times."""
    assert answer.code in (200, 201), answer.body
    return [{name: value for name, value in one.items() if name != "time"} for one in answer.body["metadata"].get("managedFields", [])]


async def apply(api: Api, who: str, body: Any, **more: Any) -> Answer:
    query = f"fieldManager={who}&{more.pop('query', '')}".rstrip("&")
    return await api.ask("patch", body["metadata"]["name"], body, type=APPLY, query=query, **more)


@pytest.fixture(autouse=True)
async def _defined(api: Api) -> None:
    await api.define()


async def test_a_creator_owns_all_and_lists_tell_it_too(api: Api) -> None:
    body = kiln(spec={"heat": 1}, metadata={"labels": {"a": "b"}})
    wanted = [entry("ann", {"f:metadata": {"f:labels": {".": {}, "f:a": {}}}, "f:spec": {".": {}, "f:heat": {}}})]
    assert owners(await api.ask("create", body=body, query="fieldManager=ann")) == wanted
    assert owners(await api.ask("get", "a")) == wanted
    listed = (await api.ask("list")).body["items"]
    assert [one["fieldsV1"] for one in listed[0]["metadata"]["managedFields"]] == [wanted[0]["fieldsV1"]]


@pytest.mark.parametrize("given", [[], [{}], [{"manager": "bob", "operation": "Take"}]])
async def test_owners_that_a_creator_gives_count_for_nothing(api: Api, given: Any) -> None:
    body = kiln(spec={"heat": 1}, metadata={"managedFields": given})
    assert owners(await api.ask("create", body=body, query="fieldManager=ann")) == [entry("ann", {"f:spec": {".": {}, "f:heat": {}}})]


async def test_a_dry_run_tells_what_would_be_owned(api: Api) -> None:
    answer = await api.ask("create", body=kiln(spec={"heat": 1}), query="fieldManager=ann&dryRun=All")
    assert owners(answer) == [entry("ann", {"f:spec": {".": {}, "f:heat": {}}})]


@pytest.mark.parametrize(
    ("patch", "kind"),
    [({"spec": {"heat": 2}}, MERGE), ([{"op": "replace", "path": "/spec/heat", "value": 2}], JSON_PATCH)],
    ids=["merge", "JSON"],
)
async def test_who_patches_a_field_takes_it(api: Api, patch: Any, kind: str) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}), query="fieldManager=ann")
    answer = await api.ask("patch", "a", patch, type=kind, query="fieldManager=bob")
    assert owners(answer) == [entry("ann", {"f:spec": {}}), entry("bob", {"f:spec": {"f:heat": {}}})]


async def test_an_update_that_changes_nothing_is_not_stored(api: Api) -> None:
    created = await api.ask("create", body=kiln(spec={"heat": 1}), query="fieldManager=ann")
    answer = await api.ask("patch", "a", {"spec": {"heat": 1}}, type=MERGE, query="fieldManager=bob")
    assert answer.body == created.body


@pytest.mark.parametrize(("kube", "labels_are_told_of"), [(V1_33, True), (V1_36, False)])
async def test_a_status_that_does_not_change_is_stored_only_if_owners_change(api: Api, labels_are_told_of: bool) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}, metadata={"labels": {"a": "b"}}))
    first = await api.ask("patch", "a", {"status": {"phase": "x"}}, type=MERGE, subresource="status")
    same = {**first.body, "spec": {"heat": 2}}
    for answer in (
        await api.ask("update", "a", same, subresource="status"),
        await api.ask("patch", "a", {"spec": {"heat": 2}}, type=MERGE, subresource="status"),
        await api.ask("patch", "a", [{"op": "remove", "path": "/spec/heat"}], type=JSON_PATCH, subresource="status"),
    ):
        assert answer.body == first.body
    without_labels = await api.ask("patch", "a", {"metadata": {"labels": None}}, type=MERGE, subresource="status")
    assert (without_labels.body != first.body) is labels_are_told_of


async def test_status_has_owners_of_its_own(api: Api) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}), query="fieldManager=ann")
    answer = await api.ask("patch", "a", {"status": {"phase": "x"}}, type=MERGE, query="fieldManager=ctl", subresource="status")
    assert owners(answer) == [
        entry("ann", {"f:spec": {".": {}, "f:heat": {}}}),
        entry("ctl", {"f:status": {".": {}, "f:phase": {}}}, subresource="status"),
    ]


async def test_applying_creates_what_is_not_there(api: Api) -> None:
    answer = await apply(api, "ann", kiln(spec={"heat": 1}))
    assert answer.code == 201
    assert owners(answer) == [entry("ann", {"f:spec": {"f:heat": {}}}, operation="Apply")]


async def test_what_is_applied_without_metadata_names_nothing(api: Api) -> None:
    answer = await api.ask("patch", "a", {**kiln(), "metadata": None}, type=APPLY, query="fieldManager=ann")
    message = "the name of the object (a based on URL) was undeterminable: name must be provided"
    assert (answer.code, answer.body["message"]) == (400, message)


async def test_applying_to_the_status_of_nothing_is_not_found(api: Api) -> None:
    answer = await apply(api, "ann", kiln(status={"phase": "x"}), subresource="status")
    assert answer.code == 404


async def test_what_is_applied_no_more_is_removed(api: Api) -> None:
    await apply(api, "ann", kiln(spec={"heat": 1, "glaze": "x"}))
    answer = await apply(api, "ann", kiln(spec={"heat": 1}))
    assert (answer.code, answer.body["spec"]) == (200, {"heat": 1})
    assert owners(answer) == [entry("ann", {"f:spec": {"f:heat": {}}}, operation="Apply")]


@pytest.mark.parametrize(
    "metadata",
    [
        {"creationTimestamp": "x"},
        {"creationTimestamp": 7},
        {"deletionTimestamp": "x"},
        {"generation": 1.5},
        {"deletionGracePeriodSeconds": 1.5},
    ],
)
async def test_metadata_that_the_server_itself_tells_may_be_applied_in_any_form(api: Api, metadata: Any) -> None:
    made = await apply(api, "ann", kiln(spec={"heat": 1}, metadata=metadata))
    assert made.code == 201
    changed = await apply(api, "ann", kiln(spec={"heat": 2}, metadata=metadata))
    assert (changed.code, changed.body["metadata"]["generation"]) == (200, 2)
    assert changed.body["metadata"]["creationTimestamp"] == made.body["metadata"]["creationTimestamp"]
    assert not {"deletionTimestamp", "deletionGracePeriodSeconds"} & changed.body["metadata"].keys()


async def test_applying_the_same_again_is_not_stored(api: Api) -> None:
    first = await apply(api, "ann", kiln(spec={"heat": 1}))
    assert (await apply(api, "ann", kiln(spec={"heat": 1}))).body == first.body


async def test_a_conflict_tells_whose_field_it_is_and_force_takes_it(api: Api) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}), query="fieldManager=upd")
    refused = await apply(api, "ann", kiln(spec={"heat": 2}))
    assert (refused.code, refused.message) == (
        409,
        f'Apply failed with 1 conflict: conflict with "upd" using {GROUP}/v1: .spec.heat',
    )
    assert refused.body["details"] == {
        "causes": [{"reason": "FieldManagerConflict", "message": f'conflict with "upd" using {GROUP}/v1', "field": ".spec.heat"}]
    }
    forced = await apply(api, "ann", kiln(spec={"heat": 2}), query="force=true")
    assert owners(forced) == [entry("ann", {"f:spec": {"f:heat": {}}}, operation="Apply"), entry("upd", {"f:spec": {}})]


async def test_what_is_wrong_with_an_applied_body(api: Api) -> None:
    body = json.dumps(kiln(spec={"odd": 1}))
    for text, code, message in (
        (body, 500, f"failed to create typed patch object (/a; {GROUP}/v1, Kind=Kiln): .spec.odd: field not declared in schema"),
        ("{}", 400, "invalid object type: /, Kind="),
        (
            "[1]",
            400,
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
        ),
    ):
        answer = await api.ask("patch", "a", text.encode(), type=APPLY, query="fieldManager=ann")
        assert (answer.code, answer.message) == (code, message)


async def test_a_key_given_twice_is_told_or_refused(api: Api) -> None:
    text = json.dumps(kiln())[:-1].encode() + b', "spec": {"heat": 1, "heat": 2}}'
    told = await api.ask("patch", "a", text, type=APPLY, query="fieldManager=ann")
    assert (told.code, told.warnings) == (201, ['line 1: key "heat" already set in map'])
    refused = await api.ask("patch", "a", text, type=APPLY, query="fieldManager=ann&fieldValidation=Strict")
    assert (refused.code, refused.message) == (
        400,
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "heat" already set in map',
    )


async def test_owners_may_be_forgotten(api: Api) -> None:
    await api.ask("create", body=kiln(spec={"heat": 1}), query="fieldManager=ann")
    answer = await api.ask("patch", "a", {"metadata": {"managedFields": [{}]}}, type=MERGE)
    assert owners(answer) == []
    assert owners(await apply(api, "bob", kiln(spec={"heat": 1}))) == [
        entry("bob", {"f:spec": {"f:heat": {}}}, operation="Apply"),
        entry("before-first-apply", {"f:spec": {".": {}, "f:heat": {}}}),
    ]


async def test_the_server_settles_the_names_of_definitions(api: Api) -> None:
    found = owners(await api.ask("get", f"kilns.{GROUP}", of=DEFINITIONS))
    assert [(one["manager"], one["operation"], one.get("subresource")) for one in found] == [
        ("kube-apiserver", "Update", "status"),
        ("unknown", "Update", None),
    ]
    assert found[0]["fieldsV1"].keys() == {"f:status"}
    assert found[1]["fieldsV1"].keys() == {"f:spec"}


async def test_built_in_kinds_are_applied_too(api: Api) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"x": "1"}}
    first = await apply(api, "ann", body, of=CONFIG_MAPS, namespace="default")
    assert first.code == 201
    assert owners(first) == [entry("ann", {"f:data": {"f:x": {}}}, operation="Apply", version="v1")]
    assert (await apply(api, "ann", body, of=CONFIG_MAPS, namespace="default")).body == first.body
    forgotten = await api.ask("patch", "a", {"metadata": {"managedFields": []}}, type=MERGE, of=CONFIG_MAPS, namespace="default")
    assert owners(forgotten) == []


async def test_namespaces_that_are_there_from_the_start_are_the_servers(api: Api) -> None:
    fields = {"f:metadata": {"f:labels": {".": {}, "f:kubernetes.io/metadata.name": {}}}}
    found = owners(await api.ask("get", "default", of=("", "v1", "namespaces")))
    assert found == [entry("kube-apiserver", fields, version="v1")]


async def test_a_definition_refused_for_its_empty_names_does_not_change_what_others_own(api: Api) -> None:
    names = {"singular": "oven", "kind": "Oven", "listKind": "OvenList"}
    bad, good = definition(names={**names, "plural": ""}), definition(names={**names, "plural": "ovens"})
    good["metadata"]["name"] = f"ovens.{GROUP}"
    assert (await api.ask("create", body=bad, of=DEFINITIONS)).code == 422
    (made,) = owners(await api.ask("create", body=good, of=DEFINITIONS, query="dryRun=All"))
    assert made["fieldsV1"]["f:spec"]["f:names"].keys() == {"f:kind", "f:listKind", "f:plural", "f:singular"}


@pytest.mark.parametrize("more", [{}, {"labels": {"a": "b"}}])
async def test_an_owner_reference_given_twice_is_changed_though_it_is_kept_once(api: Api, more: Any) -> None:
    reference = {"apiVersion": "v1", "kind": "A", "name": "a", "uid": "u"}
    await api.ask("create", body=kiln(metadata={"ownerReferences": [reference]}), query="fieldManager=ann")
    patch = {"metadata": {"ownerReferences": [reference, reference], **more}}
    answer = await api.ask("patch", "a", patch, type=MERGE, query="fieldManager=bob")
    assert answer.body["metadata"]["ownerReferences"] == [reference]
    assert len(answer.warnings) == 1
    labels = {"f:labels": {".": {}, "f:a": {}}} if more else {}
    assert owners(answer) == [
        entry("ann", {"f:metadata": {"f:ownerReferences": {}}}),
        entry("bob", {"f:metadata": {**labels, "f:ownerReferences": {'k:{"uid":"u"}': {}}}}),
    ]
