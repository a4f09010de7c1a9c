"""A change of a sound object, judged by what differs, comes out as if all of the object were looked at."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from crdkit.meta.changes import changes_of
from crdkit.meta.version import V1_36
from crdkit.ownership import typebuilding
from crdkit.ownership.merging import merge_object
from crdkit.schema.compiled import _MANY_CHANGES, CompiledSchema
from tests.schema.strategies import JSON, NAMES, ROOTS, extras, values
from tests.schema.test_against_reference import has_sound_defaults, text

HEAD = {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": "a"}}
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


def ready(schema: dict[str, Any]) -> CompiledSchema:
    """A schema that has seen so many changes that it judges them by what differs."""
    compiled = CompiledSchema(schema, kube=V1_36)
    compiled._changes = _MANY_CHANGES
    return compiled


def sound(compiled: CompiledSchema, obj: dict[str, Any]) -> dict[str, Any] | None:
    """An object completed, with as many of the fields given as leave it valid."""
    kept = dict(HEAD)
    for name, value in obj.items():
        if _completed(compiled, {**kept, name: value}) is not None:
            kept[name] = value
    return _completed(compiled, kept)


def _completed(compiled: CompiledSchema, obj: dict[str, Any]) -> dict[str, Any] | None:
    obj = copy.deepcopy(obj)
    compiled.complete(obj)
    return obj if compiled.validate(obj) == [] else None


@st.composite
def changes(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A schema, an object, and fields to be merged into it."""
    schema = draw(ROOTS)
    shapes = {name: values(child) for name, child in schema["properties"].items()}
    obj = draw(st.fixed_dictionaries({}, optional=shapes))
    patch = draw(st.one_of(st.fixed_dictionaries({}, optional=shapes), st.dictionaries(NAMES, JSON, max_size=2), extras(JSON)))
    return schema, obj, patch


def merged(target: Any, patch: dict[str, Any]) -> dict[str, Any]:
    """The target with the patch merged into it; what is not touched is shared."""
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value == "x":
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value) if isinstance(value, dict) else copy.deepcopy(value)
    return result


@FEW
@given(changes())
def test_what_differs_is_enough(change: tuple[dict[str, Any], dict[str, Any], dict[str, Any]]) -> None:
    schema, obj, patch = change
    assume(has_sound_defaults(schema))
    compiled = ready(schema)
    old = sound(compiled, obj)
    assume(old is not None)
    assert old is not None
    before = copy.deepcopy(old)
    new = merged(old, patch)
    expected = copy.deepcopy(new)
    unknown = compiled.complete(expected)
    untouched = copy.deepcopy(new)
    if compiled.complete_beside(new, changes_of(new, old)):
        assert unknown == []
        assert text(new) == text(expected)
        if compiled.is_valid(new, changes_of(new, old)):
            assert compiled.validate(expected) == []
    else:
        assert text(new) == text(untouched)
    assert text(old) == text(before)


@FEW
@given(changes())
def test_nulls_that_are_applied_stay(change: tuple[dict[str, Any], dict[str, Any], dict[str, Any]]) -> None:
    schema, obj, patch = change
    assume(has_sound_defaults(schema))
    compiled = ready(schema)
    old = sound(compiled, obj)
    assume(old is not None)
    assert old is not None
    new = merged(old, patch)
    expected = copy.deepcopy(new)
    compiled.fill(expected)
    if compiled.fill_beside(new, changes_of(new, old)):
        assert text(new) == text(expected)


SHORT = {"type": "string", "maxLength": 1}
PORT = {
    "port": {"type": "integer"},
    "proto": {"type": "string", "default": "TCP"},
    "name": SHORT,
    "more": {"type": "object", "properties": {"a": SHORT, "b": {"type": "integer", "default": 1, "maximum": 2}}},
}
PORTS = {
    "type": "array",
    "maxItems": 3,
    "items": {"type": "object", "properties": PORT, "required": ["port"]},
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "proto"],
}
MORE = st.fixed_dictionaries({}, optional={"a": st.sampled_from(("", "x", "xx")), "b": st.integers(1, 3)})
ITEMS = st.lists(
    st.fixed_dictionaries(
        {"port": st.integers(1, 3)},
        optional={"proto": st.sampled_from(("TCP", "UDP")), "name": st.sampled_from(("a", "b", "bb")), "more": MORE},
    ),
    max_size=4,
    unique_by=lambda item: (item["port"], item.get("proto", "TCP")),
)


@FEW
@given(ITEMS, ITEMS)
def test_items_that_keep_their_places_are_judged_one_by_one(live: list[Any], applied: list[Any]) -> None:
    compiled = ready({"type": "object", "properties": {"ports": PORTS}})
    old = sound(compiled, {"ports": live})
    assert old is not None
    type_ = typebuilding.of_structural(compiled.structural, V1_36)
    new, differs = merge_object(type_, old, {**HEAD, "ports": copy.deepcopy(applied)})
    assert bool(differs) is (text(new) != text(old))
    expected = copy.deepcopy(new)
    compiled.fill(expected)
    assert compiled.fill_beside(new, differs)
    assert text(new) == text(expected)
    assert compiled.is_valid(new, differs) is (compiled.validate(expected) == [])


def test_a_change_of_a_field_is_judged_by_that_field() -> None:
    count = {"type": "integer", "maximum": 9}
    spec = {"type": "object", "properties": {"count": count, "other": {"type": "string", "maxLength": 2}}, "required": ["count"]}
    compiled = ready({"type": "object", "properties": {"spec": spec}})
    old = {**HEAD, "spec": {"count": 1, "other": "ab"}}

    def is_valid(spec: dict[str, Any]) -> bool:
        new = {**old, "spec": spec}
        return compiled.is_valid(new, changes_of(new, old))

    assert is_valid({**old["spec"], "count": 2})
    assert not is_valid({**old["spec"], "count": 10})
    assert not is_valid({"other": "ab"})
    unknown = {**old, "spec": {**old["spec"], "unknown": 1}}
    assert not compiled.complete_beside(unknown, changes_of(unknown, old))


def test_few_changes_are_not_worth_compiling_for() -> None:
    compiled = CompiledSchema({"type": "object", "properties": {"spec": {"type": "object"}}}, kube=V1_36)
    assert [compiled.complete_beside(HEAD, {}) for _ in range(_MANY_CHANGES + 1)] == [False] * _MANY_CHANGES + [True]


def test_what_has_no_metadata_any_more_takes_a_look_at_all_of_it() -> None:
    compiled = ready({"type": "object", "properties": {"spec": {"type": "object"}}})
    for spoilt in ({"apiVersion": "example.com/v1", "kind": "Kite"}, {**HEAD, "metadata": None}, {**HEAD, "metadata": []}):
        assert not compiled.complete_beside(spoilt, changes_of(spoilt, HEAD))
        assert not compiled.fill_beside(spoilt, changes_of(spoilt, HEAD))


def test_a_null_in_the_metadata_is_not_taken_for_a_field_that_was_not_there() -> None:
    compiled = ready({"type": "object", "properties": {"spec": {"type": "object"}}})
    for name in ("finalizers", "labels", "unknown"):
        spoilt = {**HEAD, "metadata": {"name": "a", name: None}}
        assert not compiled.complete_beside(spoilt, changes_of(spoilt, HEAD))
        assert not compiled.fill_beside(spoilt, changes_of(spoilt, HEAD))
