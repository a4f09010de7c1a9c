"""Creating custom objects: what is refused, in which order, and what the server sets itself."""

from __future__ import annotations

import pytest

from crdkit.meta.types import JsonObject

from .conftest import DEFINITIONS, GROUP, Api, definition, kiln


async def test_a_created_object_has_what_the_server_sets(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body=kiln(metadata={"uid": "mine", "generation": 7}, spec={"heat": 900}, status={"phase": "Done"}))
    metadata = answer.body.pop("metadata")
    assert answer.code == 201
    assert answer.body == {"apiVersion": f"{GROUP}/v1", "kind": "Kiln", "spec": {"heat": 900}}
    assert metadata.pop("uid") != "mine"
    assert metadata.keys() == {"name", "namespace", "creationTimestamp", "generation", "resourceVersion", "managedFields"}
    assert metadata["generation"] == 1


async def test_unknown_fields_are_told_and_dropped(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body=kiln(spec={"heat": 1, "odd": 2}, junk=1))
    assert answer.warnings == ['unknown field "junk"', 'unknown field "spec.odd"']
    assert answer.body["spec"] == {"heat": 1}


async def test_strict_validation_refuses_unknown_and_duplicate_fields(api: Api) -> None:
    await api.define()
    body = f'{{"apiVersion":"{GROUP}/v1","kind":"Kiln","metadata":{{"name":"a"}},"spec":{{"heat":1,"heat":2,"odd":3}}}}'.encode()
    answer = await api.ask("create", body=body, query="fieldValidation=Strict")
    assert answer.code == 400
    assert answer.message == (
        'Kiln in version "v1" cannot be handled as a Kiln: strict decoding error: duplicate field "spec.heat", unknown field "spec.odd"'
    )


async def test_a_missing_namespace_is_told_before_what_is_wrong_with_the_object(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body=kiln(spec={"heat": 9000}), namespace="nowhere")
    assert (answer.code, answer.message) == (404, 'namespaces "nowhere" not found')


async def test_what_is_wrong_is_told_before_the_name_is_found_taken(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln())
    answer = await api.ask("create", body=kiln(spec={"heat": 9000}))
    assert answer.code == 422
    assert answer.causes == ["spec.heat: Invalid value: 9000: spec.heat in body should be less than or equal to 2000"]
    assert (await api.ask("create", body=kiln())).message == 'kilns.example.com "a" already exists'


async def test_a_name_is_generated(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body={"apiVersion": f"{GROUP}/v1", "kind": "Kiln", "metadata": {"generateName": "k-"}})
    name = answer.body["metadata"]["name"]
    assert name.startswith("k-")
    assert len(name) == len("k-") + 5


@pytest.mark.parametrize(("of", "body"), [((GROUP, "v1", "kilns"), kiln()), (("", "v1", "configmaps"), {"metadata": {"name": "a"}})])
async def test_a_dry_run_keeps_a_resource_version(api: Api, of: tuple[str, str, str], body: JsonObject) -> None:
    await api.define()
    body = {**body, "metadata": {**body["metadata"], "resourceVersion": "5"}}
    answers = [await api.ask("create", body=body, of=of, namespace="default", query=query) for query in ("dryRun=All", "")]
    assert (answers[0].code, answers[0].body["metadata"]["resourceVersion"]) == (201, "5")
    assert answers[1].message == "resourceVersion should not be set on objects to be created"


async def test_a_dry_run_stores_nothing(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body=kiln(), query="dryRun=All")
    assert answer.code == 201
    assert "resourceVersion" not in answer.body["metadata"]
    assert (await api.ask("get", "a")).code == 404


async def test_defaults_of_the_status_show_in_the_answer(api: Api) -> None:
    schema = {
        "type": "object",
        "properties": {"status": {"type": "object", "default": {"phase": "Cold"}, "properties": {"phase": {"type": "string"}}}},
    }
    await api.define(schema=schema)
    answer = await api.ask("create", body=kiln(status={"phase": "Hot"}))
    assert answer.body["status"] == {"phase": "Cold"}
    assert (await api.ask("get", "a")).body["status"] == {"phase": "Cold"}


async def test_no_object_is_created_while_its_definition_goes(api: Api) -> None:
    await api.define()
    await api.ask("create", body=kiln(metadata={"finalizers": ["example.com/hold"]}))
    await api.ask("delete", f"kilns.{GROUP}", of=DEFINITIONS)
    answer = await api.ask("create", body=kiln("b"))
    assert answer.code == 403
    assert answer.message == 'kilns.example.com "b" is forbidden: create not allowed while custom resource definition is terminating'


async def test_an_object_of_another_kind_is_told_by_its_own(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body={**kiln("x"), "kind": "Oven"})
    assert (answer.code, answer.message) == (422, 'Oven.example.com "x" is invalid: kind: Invalid value: "Oven": must be Kiln')


async def test_a_body_that_is_no_object_is_shown(api: Api) -> None:
    await api.define()
    answer = await api.ask("create", body=b'{"metadata":')
    assert answer.message == (
        "the object provided is unrecognized (must be of type Kiln): "
        'couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"metadata":)'
    )


async def test_a_definition_that_is_invalid_is_refused(api: Api) -> None:
    broken = definition()
    broken["spec"]["scope"] = ""
    answer = await api.ask("create", body=broken, of=DEFINITIONS)
    assert (answer.code, answer.causes) == (422, ["spec.scope: Required value"])


@pytest.mark.parametrize("kind", [None, "application/apply-patch+yaml"])
async def test_a_negative_zero_is_kept_as_it_is_read_again(api: Api, kind: str | None) -> None:
    await api.define(schema={"type": "object", "properties": {"spec": {"type": "object", "properties": {"heat": {"type": "number"}}}}})
    for name in "abcdefgh":
        body = kiln(name, spec={"heat": -0.0})
        made = await (api.ask("patch", name, body, type=kind, query="fieldManager=ann") if kind else api.ask("create", body=body))
        assert made.code == 201
        entry = api.registry.cache.get(f"/registry/{GROUP}/kilns/default/{name}")
        assert entry is not None
        assert b'"heat":0' in entry.value
