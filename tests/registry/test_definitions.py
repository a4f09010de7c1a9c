"""Definitions as objects of the registry: established before they are answered, conflicting, changed through their status."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from crdkit.builtin.protobuf import envelope
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33, V1_36
from crdkit.registry import definitionresource
from crdkit.registry.definitionresource import read_definition, read_stored
from crdkit.registry.registry import Registry
from crdkit.schema.equality import same
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.types import Event, EventKind

from .conftest import DEFINITIONS, GROUP, JSON_PATCH, MERGE, Api, definition, kiln

APPLY = "application/apply-patch+yaml"
STRATEGIC = "application/strategic-merge-patch+json"
NAME = f"kilns.{GROUP}"
STRATEGIC = "application/strategic-merge-patch+json"


async def test_a_definition_is_served_when_it_is_answered(api: Api) -> None:
    answer = await api.define()
    assert answer.body["status"] == {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v1"]}
    assert (await api.ask("list")).code == 200


async def test_what_is_settled_is_stored_and_remembered_as_if_all_of_it_were_written(api: Api, registry: Registry) -> None:
    schema = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "required": [], "properties": {"heat": {"type": "number", "maximum": 9.0, "default": 1.0}}}
        },
    }
    await api.define(schema=schema, conversion={"strategy": "None", "webhook": None})
    resource = registry.find(*DEFINITIONS)
    entry = registry.cache.get(f"{resource.prefix}{NAME}")
    remembered, anew = read_stored(entry.value, V1_36), read_definition(json.decode(entry.value), V1_36)
    assert remembered["spec"] is registry.definitions.get(NAME).spec
    assert json.encode(remembered) == json.encode(anew)
    assert same(remembered, anew)
    assert resource.stored_head + (await resource.dump(anew)).text() == entry.value
    assert [condition["type"] for condition in anew["status"]["conditions"]] == ["NamesAccepted", "Established"]


async def test_each_step_of_a_new_definition_is_a_change_of_its_own(api: Api, registry: Registry) -> None:
    prefix = registry.find(*DEFINITIONS).prefix
    with registry.cache.watch(prefix) as subscription:
        answer = await api.define()
        events = [(event.revision, json.decode(event.value)) for event in await subscription.next()]
    first = int(answer.body["metadata"]["resourceVersion"])
    assert [revision for revision, _ in events] == [first, first + 1, first + 2]
    states = [stored["status"]["conditions"] for _, stored in events]
    assert [states[0], *([condition["reason"] for condition in state] for state in states[1:])] == [
        None,
        ["NoConflicts", "Installing"],
        ["NoConflicts", "InitialNamesAccepted"],
    ]
    assert [stored["status"]["acceptedNames"]["kind"] for _, stored in events] == ["", "Kiln", "Kiln"]
    owners = [[entry["manager"] for entry in stored["metadata"]["managedFields"]] for _, stored in events]
    assert owners[1:] == [["kube-apiserver", *owners[0]]] * 2
    assert {stored["metadata"]["generation"] for _, stored in events} == {1}


async def test_of_definitions_made_at_once_one_gets_a_name(api: Api) -> None:
    rivals = [f"{kind}ovens" for kind in "abc"]
    bodies = [definition(names={"plural": name, "kind": "Oven"}) for name in rivals]
    for name, body in zip(rivals, bodies, strict=True):
        body["metadata"]["name"] = f"{name}.{GROUP}"
    await asyncio.gather(*(api.ask("create", body=body, of=DEFINITIONS) for body in bodies))
    stored = [(await api.ask("get", f"{name}.{GROUP}", of=DEFINITIONS)).body["status"] for name in rivals]
    assert sorted(status["acceptedNames"]["kind"] for status in stored) == ["", "", "Oven"]
    assert sorted(status["conditions"][0]["status"] for status in stored) == ["False", "False", "True"]


async def test_names_that_are_freed_go_to_who_waits_for_them(api: Api) -> None:
    await api.define()
    rival = definition()
    rival["metadata"]["name"] = f"ovens.{GROUP}"
    rival["spec"]["names"] = {"plural": "ovens", "kind": "Kiln", "listKind": "OvenList"}
    await api.ask("create", body=rival, of=DEFINITIONS)
    waiting = (await api.ask("get", f"ovens.{GROUP}", of=DEFINITIONS)).body["status"]
    assert [condition["status"] for condition in waiting["conditions"]] == ["False", "False"]
    await api.ask("delete", NAME, of=DEFINITIONS)
    await api.until(200, "list", of=(GROUP, "v1", "ovens"), namespace="default")


async def test_one_that_never_was_established_goes_by_the_same_steps(api: Api, registry: Registry) -> None:
    await api.define()
    rival = definition()
    rival["metadata"]["name"] = f"ovens.{GROUP}"
    rival["spec"]["names"] = {"plural": "ovens", "kind": "Kiln"}
    await api.ask("create", body=rival, of=DEFINITIONS)
    with registry.cache.watch(registry.find(*DEFINITIONS).prefix) as subscription:
        await api.ask("delete", f"ovens.{GROUP}", of=DEFINITIONS)
        events: list[Event] = []
        while not events or events[-1].kind is not EventKind.DELETE:
            events += await subscription.next(within=5)
    told = [json.decode(event.value)["status"]["conditions"][-1]["reason"] for event in events[:-1]]
    assert told == ["InstanceDeletionPending", "InstanceDeletionInProgress"]


async def test_one_established_by_hand_without_a_name_cannot_be_served(api: Api) -> None:
    await api.define()
    rival = definition()
    rival["metadata"]["name"] = f"ovens.{GROUP}"
    rival["spec"]["names"] = {"plural": "ovens", "kind": "Kiln", "listKind": "OvenList"}
    await api.ask("create", body=rival, of=DEFINITIONS)
    by_hand = {
        "status": {"conditions": [{"type": "Established", "status": "True", "reason": "Mine", "message": "", "lastTransitionTime": None}]}
    }
    await api.ask("patch", f"ovens.{GROUP}", by_hand, type=MERGE, subresource="status", of=DEFINITIONS)
    answer = await api.ask("list", of=(GROUP, "v1", "ovens"), namespace="default")
    assert (answer.code, answer.body["message"]) == (500, "Internal error occurred: error resolving resource")


async def test_definitions_are_listed_without_their_kind(api: Api) -> None:
    await api.define()
    listed = (await api.ask("list", of=DEFINITIONS)).body
    assert listed["kind"] == "CustomResourceDefinitionList"
    assert "kind" not in listed["items"][0]


async def test_the_status_may_be_written_but_not_the_spec_beside_it(api: Api) -> None:
    await api.define()
    change = {"spec": {"scope": "Cluster"}, "status": {"storedVersions": ["v0", "v1"]}}
    answer = await api.ask("patch", NAME, change, type=MERGE, subresource="status", of=DEFINITIONS)
    assert (answer.body["spec"]["scope"], answer.body["status"]["storedVersions"]) == ("Namespaced", ["v0", "v1"])


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ({"items": {"items": {"type": 5}}}, "json: cannot unmarshal number into Go struct field JSONSchemaProps.items.type of type string"),
        ({"items": [5]}, "json: cannot unmarshal number into Go value of type v1.JSONSchemaProps"),
        ({"additionalProperties": 5}, "boolean or JSON schema expected"),
        ({"maxLength": 1.5}, "cannot convert float64 to int64"),
    ],
)
async def test_an_applied_definition_that_is_none(api: Api, field: JsonObject, told: str) -> None:
    body = definition(schema={"type": "object", "properties": {"spec": field}})
    answer = await api.ask("patch", NAME, body, type=APPLY, query="fieldManager=me", of=DEFINITIONS)
    kind = "apiextensions.k8s.io/v1, Kind=CustomResourceDefinition"
    where = f"failed to convert new object (/{NAME}; {kind}) to proper version: unable to convert unstructured object to {kind}"
    assert (answer.code, answer.message) == (500, f"{where}: {told}")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"versions": {"a": 1}}, "cannot restore slice from map"),
        ({"names": "x"}, "cannot restore struct from: string"),
        ({"names": {"shortNames": 5}}, "cannot restore slice from int64"),
        ({"scope": 5}, "cannot convert int64 to v1.ResourceScope"),
        ({"scope": 1.5}, "unrecognized type: string"),
        ({"scope": ["x"]}, "unrecognized type: string"),
        (
            {"conversion": {"strategy": "Webhook", "webhook": {"clientConfig": {"caBundle": "!"}}}},
            "error decoding from json: illegal base64 data at input byte 0",
        ),
        ({"b": 1, "names": {"a": 2}}, 'strict decoding error: unknown field "spec.b", unknown field "spec.names.a"'),
    ],
)
async def test_a_strategic_patch_is_told_of_as_a_map(api: Api, change: JsonObject, told: str) -> None:
    await api.define()
    answer = await api.ask("patch", NAME, {"spec": change}, type=STRATEGIC, query="fieldValidation=Strict", of=DEFINITIONS)
    assert (answer.code, answer.message.rpartition('": ')[2]) == (422, told)


async def test_a_strategic_patch_is_warned_of_without_the_keys_of_maps(api: Api) -> None:
    await api.define()
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string", "odd": 1}}}}}
    change = {"spec": {"versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]}}
    answer = await api.ask("patch", NAME, change, type=STRATEGIC, of=DEFINITIONS)
    assert answer.warnings == ['unknown field "spec.versions[0].schema.openAPIV3Schema.properties.properties.odd"']


async def test_an_applied_object_that_is_not_there_must_name_a_number_as_its_version(api: Api) -> None:
    await api.define()
    for version, code, told in (("abc", 500, 'strconv.ParseUint: parsing "abc": invalid syntax'), ("5", 201, "")):
        body = kiln("new", metadata={"resourceVersion": version})
        answer = await api.ask("patch", "new", body, type=APPLY, query="fieldManager=me")
        assert (answer.code, answer.body.get("message", "")) == (code, told)


@pytest.mark.parametrize(
    ("kube", "code", "told"), [(V1_36, 200, ""), (V1_33, 500, ".status.observedGeneration: field not declared in schema")]
)
async def test_the_generation_observed_can_be_applied_since_it_is_known(api: Api, code: int, told: str) -> None:
    await api.define()
    body = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "status": {"observedGeneration": 1}}
    answer = await api.ask("patch", NAME, body, type=APPLY, query="fieldManager=me", of=DEFINITIONS)
    about = "failed to create typed patch object (/; apiextensions.k8s.io/v1, Kind=CustomResourceDefinition): "
    assert (answer.code, answer.body.get("message", "")) == (code, told and about + told)


async def test_a_webhook_without_parts_is_forgotten(api: Api) -> None:
    answer = await api.define(conversion={"strategy": "None", "webhook": {"conversionReviewVersions": []}})
    assert answer.body["spec"]["conversion"] == {"strategy": "None"}


async def test_rules_are_taken_without_remark_and_run(api: Api) -> None:
    schema = {"type": "object", "x-kubernetes-validations": [{"rule": "self.metadata.name != 'bad'", "message": "not so"}]}
    answer = await api.define(schema=schema)
    assert answer.warnings == []
    refused = await api.ask("create", body=kiln("bad"))
    assert refused.body["details"]["causes"] == [{"reason": "FieldValueInvalid", "message": "Invalid value: not so", "field": "<nil>"}]


async def test_a_stale_server_cannot_write(api: Api, registry: Registry) -> None:
    """A write is handled anew when the definition changed between validation and commit."""
    await api.define()
    resource = registry.definitions.resource(GROUP, "v1", "kilns")
    assert resource is not None
    original, changed = resource.dump, []

    async def dump(obj: dict[str, object]) -> object:
        if not changed:
            changed.append(True)
            tight = definition()["spec"]["versions"]
            tight[0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["heat"]["maximum"] = 10
            await api.ask("patch", NAME, {"spec": {"versions": tight}}, type=MERGE, of=DEFINITIONS)
        return await original(obj)

    resource.dump, resource.dumps_at_once = dump, False  # type: ignore[method-assign, assignment]
    answer = await api.ask("create", body=kiln(spec={"heat": 900}))
    assert (answer.code, changed) == (422, [True])


async def test_what_was_left_undone_is_taken_up_at_the_start() -> None:
    driver = MemoryDriver()
    cache = Cache(driver)
    await cache.start()
    first = Registry(cache, V1_36)
    first.definitions.start()
    api = Api(first)
    first._chores.settle = _nothing  # type: ignore[method-assign]
    await api.ask("create", body=definition(), of=DEFINITIONS)
    assert (await api.ask("list")).code == 404
    await first.stop()
    second = Registry(cache, V1_36)
    await second.start()
    assert (await Api(second).ask("list")).code == 200
    await second.stop()
    await cache.close()


async def _nothing() -> None:
    return


def test_workers_keep_what_they_read_beside_each_other() -> None:
    interval = sys.getswitchinterval()
    kept = definitionresource._StoredDefinitions()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as workers:
            list(workers.map(lambda number: kept.keep(b"%d" % number, V1_36, {}), range(4000)))
    finally:
        sys.setswitchinterval(interval)
    assert len(kept._read) == definitionresource._KEPT


async def test_a_message_of_a_newer_client_is_read_without_what_is_unknown() -> None:
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, V1_33, controllers=False)
    await registry.start()
    newer = {**definition(), "status": {"observedGeneration": 0, "conditions": []}}
    message = {"type": "application/vnd.kubernetes.protobuf", "query": "fieldValidation=Strict", "of": DEFINITIONS}
    created = await Api(registry).ask("create", body=envelope.encode(newer), **message)
    assert (created.code, created.warnings, "observedGeneration" in created.body["status"]) == (201, [], False)
    told = await Api(registry).ask("create", body=newer, query="fieldValidation=Strict", of=DEFINITIONS)
    assert (told.code, 'unknown field "status.observedGeneration"' in told.message) == (400, True)
    await registry.stop()
    await cache.close()


async def test_a_refused_patch_shows_the_definition_in_the_order_of_its_fields(api: Api) -> None:
    await api.define()
    answer = await api.ask("patch", NAME, {"spec": {"scope": 5}}, type=MERGE, of=DEFINITIONS)
    assert answer.code == 422
    shown = answer.message.replace("\\", "")
    assert (
        '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"kilns.example.com","uid":"' in shown
    )
    operations = [{"op": "replace", "path": "/spec/scope", "value": 5}]
    assert (await api.ask("patch", NAME, operations, type=JSON_PATCH, of=DEFINITIONS)).message == answer.message


@pytest.mark.parametrize(("patch", "how"), [({"kind": None}, MERGE), ({"kind": "Foo"}, STRATEGIC), ({"apiVersion": "x/y"}, STRATEGIC)])
async def test_a_definition_stays_one_and_keeps_its_owners(api: Api, patch: object, how: str) -> None:
    await api.define()
    before = (await api.ask("get", NAME, of=DEFINITIONS)).body
    answer = await api.ask("patch", NAME, patch, type=how, of=DEFINITIONS)
    assert (answer.code, answer.body["kind"], answer.body["apiVersion"]) == (200, "CustomResourceDefinition", "apiextensions.k8s.io/v1")
    assert answer.body["metadata"]["managedFields"] == before["metadata"]["managedFields"]
