"""What a survey outlines decides who owns what: objects of equal outlines have equal owners."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import assume, given, settings

from crdkit.meta.version import V1_36
from crdkit.ownership import kinds
from crdkit.schema.compiled import CompiledSchema
from crdkit.schema.survey import Outline
from tests.ownership.stories import definition
from tests.schema.test_against_reference import has_sound_defaults
from tests.schema.test_survey import surveyed, surveying

NOW = "2026-01-01T00:00:00Z"
HEAD: dict[str, Any] = {"apiVersion": "g/v1", "kind": "Thing"}


def taken_in(schema: CompiledSchema, parts: dict[str, Any], name: str) -> tuple[dict[str, Any], Outline] | None:
    """An object with these fields, and its outline; None for one that is not valid."""
    obj = {**HEAD, "metadata": {"name": name, "labels": {name: "x"}}, **copy.deepcopy(parts)}
    _, told = schema.take_in(obj)
    return (obj, told.outline) if told is not None and told.is_valid else None


@settings(max_examples=40, deadline=None)
@given(surveyed(count=5))
def test_the_outline_of_an_object_tells_its_owners(case: tuple[dict[str, Any], list[dict[str, Any]]]) -> None:
    schema, specs = case
    assume(has_sound_defaults(schema))
    version = definition({"v1": schema}, V1_36, status=True).version("v1")
    assert version is not None
    manager = kinds.custom(version)
    survey = surveying(version.compiled.schema)
    for count, spec in enumerate(specs):
        parts = {"spec": spec, "status": {"phase": "new"}} if count % 2 else {"spec": spec}
        if (found := taken_in(survey, parts, f"kite-{count // 3}")) is None:
            continue
        obj, outline = found
        expected = copy.deepcopy(obj)
        kinds.custom(version).create(expected, "ann", NOW)
        obj.pop("status", None)
        manager.create(obj, "ann", NOW, outline)
        assert obj["metadata"] == expected["metadata"]


def test_an_object_that_may_be_anything_is_not_taken_for_another() -> None:
    anything = {"x-kubernetes-preserve-unknown-fields": True}
    schema = {"type": "object", "properties": {"spec": {"type": "object", "additionalProperties": anything}}}
    survey = surveying(schema)
    outlines = []
    for spec in ({"a": {"x": 1}, "b": 1}, {"a": 1, "b": {"x": 1}}, {"a": [], "b": {"x": 1}}):
        found = taken_in(survey, {"spec": spec}, "kite")
        assert found is not None
        outlines.append(found[1])
    assert outlines[0] != outlines[1] == outlines[2]


def test_a_status_that_is_not_of_the_type_leaves_no_owners_whatever_was_created_before() -> None:
    schema = {"type": "object", "properties": {"size": {"type": "integer"}}}
    version = definition({"v1": schema}, V1_36, status=True).version("v1")
    assert version is not None
    manager = kinds.custom(version)
    for phase, owned in (("new", True), ([None], False)):
        obj: dict[str, Any] = {**HEAD, "metadata": {"name": "a"}, "spec": {"size": 1}, "status": {"phase": phase}}
        manager.create(obj, "ann", NOW)
        assert ("managedFields" in obj["metadata"]) is owned
