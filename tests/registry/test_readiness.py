"""New definitions are made ready for a first object, but not for ever."""

from __future__ import annotations

import asyncio

from crdkit.registry import readiness
from crdkit.registry.customresource import CustomResource
from crdkit.registry.registry import Registry

from .conftest import DEFINITIONS, GROUP, Api, definition, kiln, until

RULE = {"rule": "self.heat < 2000", "message": "too hot"}
SPEC = {"type": "object", "properties": {"heat": {"type": "integer", "default": 20}}, "x-kubernetes-validations": [RULE]}
SCHEMA = {"type": "object", "properties": {"spec": SPEC}}


def served(registry: Registry, plural: str = "kilns") -> CustomResource:
    found = registry.definitions.resource(GROUP, "v1", plural)
    assert found is not None
    return found


def is_ready(resource: CustomResource) -> bool:
    return "compiled" in resource.served.__dict__ and "owners" in resource.main.__dict__


async def test_a_new_definition_is_made_ready_once_it_is_answered(api: Api, registry: Registry) -> None:
    await api.define(schema=SCHEMA)
    assert not is_ready(served(registry))
    await until(lambda: is_ready(served(registry)))
    assert served(registry).compiled.has_cold_rules is False
    assert (await api.ask("create", body=kiln(spec={}))).body["spec"] == {"heat": 20}
    assert (await api.ask("create", body=kiln("b", spec={"heat": 2000}))).causes == ["spec: Invalid value: too hot"]


async def test_an_object_that_comes_before_makes_what_it_needs(api: Api) -> None:
    await api.define(schema=SCHEMA)
    assert (await api.ask("create", body=kiln(spec={}))).body["spec"] == {"heat": 20}


async def test_a_large_definition_is_left_to_its_first_object(api: Api, registry: Registry) -> None:
    await api.define(schema={**SCHEMA, "description": "d" * readiness.LARGEST})
    await asyncio.sleep(2 * readiness.PAUSE)
    assert not is_ready(served(registry))


async def test_of_definitions_without_objects_the_last_few_stay_ready(api: Api, registry: Registry) -> None:
    await api.define(schema=SCHEMA)
    await api.ask("create", body=kiln(spec={}))
    plurals = [f"oven{number}s" for number in range(readiness.KEPT + 1)]
    for plural in plurals:
        body = definition(schema=SCHEMA, names={"plural": plural, "kind": plural.title()})
        body["metadata"]["name"] = f"{plural}.{GROUP}"
        await api.ask("create", body=body, of=DEFINITIONS)
        await until(lambda plural=plural: is_ready(served(registry, plural)))
    await until(lambda: not is_ready(served(registry, plurals[0])))
    assert all(is_ready(served(registry, plural)) for plural in ("kilns", *plurals[1:]))
    answer = await api.ask("create", body={**kiln(), "kind": plurals[0].title(), "spec": {}}, of=(GROUP, "v1", plurals[0]))
    assert answer.body["spec"] == {"heat": 20}
