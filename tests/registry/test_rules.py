"""Rules of schemas, as part of writes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from crdkit.registry import checking
from tests.registry.conftest import DEFINITIONS, MERGE, Api, definition, kiln

Json = Any
PAIRS = "self.all(a, self.all(b, a + b >= 0))"


def schema(*rules: Json, **heats: Json) -> Json:
    spec = {
        "type": "object",
        "x-kubernetes-validations": list(rules),
        "properties": {
            "heat": {"type": "integer"},
            "glaze": {"type": "string"},
            "heats": {"type": "array", "items": {"type": "integer"}, **heats},
        },
    }
    status = {"type": "object", "properties": {"phase": {"type": "string", "x-kubernetes-validations": [{"rule": "self != 'lost'"}]}}}
    return {"type": "object", "properties": {"spec": spec, "status": status}}


COOL = {"rule": "!has(self.heat) || self.heat < 2000", "message": "too hot"}
RISING = {"rule": "self.heat >= oldSelf.heat", "message": "never cooler"}


async def test_a_definition_with_a_rule_that_does_not_compile_is_refused(api: Api) -> None:
    answer = await api.ask("create", body=definition(schema=schema({"rule": "self.nope"})), of=DEFINITIONS)
    (cause,) = answer.causes
    assert answer.code == 422
    assert cause.startswith("spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: ")
    assert "undefined field 'nope'" in cause


async def test_rules_hold_for_new_and_changed_objects(api: Api) -> None:
    await api.define(schema=schema(COOL, RISING))
    assert (await api.ask("create", body=kiln(spec={"heat": 3000}))).causes == ["spec: Invalid value: too hot"]
    assert (await api.ask("create", body=kiln(spec={"heat": 100}))).code == 201
    answer = await api.ask("patch", "a", {"spec": {"heat": 90}}, type=MERGE)
    assert (answer.code, answer.causes) == (422, ["spec: Invalid value: never cooler"])
    assert (await api.ask("patch", "a", {"spec": {"heat": 110}}, type=MERGE)).code == 200


async def test_rules_hold_for_a_status(api: Api) -> None:
    await api.define(schema=schema(COOL))
    await api.ask("create", body=kiln(spec={}))
    answer = await api.ask("patch", "a", {"status": {"phase": "lost"}}, type=MERGE, subresource="status")
    assert answer.causes == ["status.phase: Invalid value: \"lost\": failed rule: self != 'lost'"]


async def test_what_an_update_may_keep_is_told_as_a_warning(api: Api) -> None:
    await api.define(schema=schema())
    await api.ask("create", body=kiln(spec={"heats": [1, 2]}, status={}))
    changed = definition(schema=schema(**{"x-kubernetes-validations": [{"rule": "self.size() < 2"}]}))
    stored = (await api.ask("get", "kilns.example.com", of=DEFINITIONS)).body
    changed["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"]
    assert (await api.ask("update", "kilns.example.com", changed, of=DEFINITIONS)).code == 200
    answer = await api.ask("patch", "a", {"spec": {"glaze": "red"}}, type=MERGE)
    assert (answer.code, answer.warnings) == (200, ["spec.heats: Invalid value: failed rule: self.size() < 2"])


async def test_objects_of_wrong_types_are_not_held_to_rules(api: Api) -> None:
    await api.define(schema=schema(COOL))
    answer = await api.ask("create", body=kiln(spec={"heat": "warm"}))
    assert answer.causes[-1] == (
        "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid;"
        " correct the existing errors to complete validation"
    )


async def test_rules_that_take_long_do_not_hold_up_others(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    await api.define(schema=schema(**{"maxItems": 500, "x-kubernetes-validations": [{"rule": PAIRS}]}))
    await api.ask("create", body=kiln("first", spec={"heats": [1]}))
    offloaded = []
    offload = checking.offload

    async def noted(*arguments: Any) -> Any:
        offloaded.append(arguments[0].__name__)
        return await offload(*arguments)

    monkeypatch.setattr(checking, "offload", noted)
    assert (await api.ask("create", body=kiln("small", spec={"heats": [1] * 10}))).code == 201
    assert offloaded == []
    large = asyncio.create_task(api.ask("create", body=kiln("large", spec={"heats": [1] * 300})))
    assert (await large).code == 201
    assert offloaded == ["with_rules"]
