"""One walk over a new object leaves it, and tells of it, what the walks do that it stands for."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crdkit.meta import json
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.schema import compiled, source, survey
from crdkit.schema.compiled import CompiledSchema
from crdkit.schema.survey import Survey
from tests.schema.strategies import BRANCHES, JSON, LEAVES, NAMES, SCALARS, TEXTS, extras, objects, values, with_default, with_junctors
from tests.schema.test_against_reference import has_sound_defaults, text

KEYS = st.sampled_from(
    (
        {"type": "string", "default": "x"},
        {"type": "string", "maxLength": 2},
        {"type": "integer"},
        {"type": "boolean", "default": True},
        {"type": "number"},
    )
)
FREE: dict[str, Any] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
ANYTHING: dict[str, Any] = {"x-kubernetes-preserve-unknown-fields": True}
EITHER: dict[str, Any] = {"x-kubernetes-int-or-string": True}
ATOMIC: dict[str, Any] = {"x-kubernetes-map-type": "atomic"}


@st.composite
def map_lists(draw: st.DrawFn, below: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    keys = draw(st.dictionaries(NAMES, KEYS, min_size=1, max_size=2))
    properties = {**draw(st.dictionaries(NAMES, with_default(below), max_size=2)), **keys}
    items = {"type": "object", "properties": properties, "required": [name for name in keys if draw(st.booleans())]}
    return {"type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}


def containers(below: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    named = st.dictionaries(NAMES, with_default(below), max_size=4)
    plain = named.map(lambda properties: {"type": "object", "properties": properties})
    atomic = named.map(lambda properties: {"type": "object", "properties": properties, **ATOMIC})
    limited = st.builds(lambda schema, branch: {**schema, "maxProperties": 2, "anyOf": [branch]}, plain, BRANCHES)
    maps = below.map(lambda child: {"type": "object", "additionalProperties": child})
    sets = (
        st.sampled_from((TEXTS, st.just({"type": "integer"}), LEAVES))
        .flatmap(lambda items: items)
        .map(lambda items: {"type": "array", "items": items, "x-kubernetes-list-type": "set"})
    )
    lists = below.map(lambda items: {"type": "array", "items": items, "maxItems": 2})
    return st.one_of(plain, plain, map_lists(below), maps, atomic, limited, sets, lists, objects(below))


SCHEMAS = st.recursive(
    st.one_of(with_junctors(LEAVES), LEAVES, st.sampled_from((FREE, ANYTHING, EITHER, {**FREE, **ATOMIC}))), containers, max_leaves=10
)
ROOTS = st.builds(
    lambda properties, required: {"type": "object", "properties": properties, "required": required},
    st.dictionaries(NAMES, with_default(SCHEMAS), min_size=1, max_size=4),
    st.lists(NAMES, max_size=1),
)
SINGLE = st.one_of(st.just(KeyError), SCALARS, JSON)


@st.composite
def surveyed(draw: st.DrawFn, count: int = 1) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A schema, and objects of which each has much of the one before."""
    schema = draw(ROOTS)
    shaped = st.fixed_dictionaries({}, optional={name: values(child) for name, child in schema["properties"].items()})
    drawn = [{**draw(extras(JSON)), **draw(shaped)}]
    for _ in range(1, count):
        drawn.append(_changed(draw, drawn[-1]) if drawn[-1] and draw(st.booleans()) else {**drawn[-1], **draw(shaped)})
    return schema, drawn


def _changed(draw: st.DrawFn, value: Any) -> Any:
    """A value in which something is another, or somewhere else."""
    if isinstance(value, dict) and value:
        name = draw(st.sampled_from(sorted(value)))
        moved = draw(st.integers(0, 3))
        if moved == 0:
            return {key: item for key, item in value.items() if key != name}
        if moved == 1:
            return {**{key: item for key, item in value.items() if key != name}, draw(NAMES): value[name]}
        return {**value, name: _changed(draw, value[name])}
    if isinstance(value, list) and value:
        index = draw(st.integers(0, len(value) - 1))
        if draw(st.integers(0, 3)) == 0:
            return value[:index] + value[index + 1 :]
        return [*value[:index], _changed(draw, value[index]), *value[index + 1 :]]
    return draw(SCALARS)


def surveying(schema: dict[str, Any], kube: KubeVersion = V1_36) -> CompiledSchema:
    """A schema that surveys the first object."""
    made = CompiledSchema(copy.deepcopy(schema), kube=kube)
    made._surveys = source.WALKED
    return made


def check(schema: dict[str, Any], obj: dict[str, Any], kube: KubeVersion = V1_36) -> Survey | None:
    """Have an object surveyed; all comes out as without."""
    expected, full = copy.deepcopy(obj), CompiledSchema(schema, kube=kube)
    unknown = full.complete(expected)
    quick = surveying(schema, kube)
    found, told = quick.take_in(obj)
    assert found == unknown
    assert text(obj) == text(expected)
    errors = full.validate(expected)
    assert quick.validate_new(obj, told) == errors
    assert told is None or not told.is_valid or errors == []
    assert told is None or told.floats or json.encode_told(obj, floats=False)[0] == json.encode(obj)
    return told


@settings(max_examples=80, deadline=None)
@given(surveyed(), st.sampled_from((V1_33, V1_36)), st.sampled_from((200, 3)))
def test_a_survey_comes_out_as_all_that_it_stands_for(
    case: tuple[dict[str, Any], list[dict[str, Any]]], kube: KubeVersion, nodes: int
) -> None:
    schema, (obj,) = case
    assume(has_sound_defaults(schema))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crdkit.schema.source._NODES_PER_SOURCE", nodes)
        check(schema, obj, kube)


KITE: dict[str, Any] = {
    "type": "object",
    "required": ["spec"],
    "properties": {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"type": "object"},
        "spec": {
            "type": "object",
            "required": ["size"],
            "properties": {
                "size": {"type": "integer", "maximum": 9},
                "color": {"type": "string", "default": "red"},
                "tail": {"type": "object", "default": {}, "properties": {"length": {"type": "integer", "default": 3}}},
                "knots": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["at"],
                    "items": {
                        "type": "object",
                        "required": ["at"],
                        "properties": {"at": {"type": "integer"}, "color": {"type": "string", "default": "blue"}},
                    },
                },
            },
        },
    },
}
HEAD = {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": "a"}}


def test_an_object_in_order_is_found_so() -> None:
    obj: dict[str, Any] = {**HEAD, "spec": {"size": 1, "knots": [{"at": 1}, {"at": 2, "color": "green"}]}}
    told = check(KITE, obj)
    assert obj["spec"] == {
        "size": 1,
        "color": "red",
        "tail": {"length": 3},
        "knots": [{"at": 1, "color": "blue"}, {"at": 2, "color": "green"}],
    }
    assert told is not None
    assert told.is_valid


def test_unknown_fields_and_faults_do_not_stand_in_the_way() -> None:
    told = check(KITE, {**HEAD, "odd": 1, "spec": {"size": 10, "odd": {"a": None}, "knots": [{"at": 1}, {"at": 2, "odd": 1}]}})
    assert told is not None
    assert not told.is_valid


@pytest.mark.parametrize(
    "spec", [{"size": None}, {"size": 1.0}, {"size": {}}, {"size": 1, "knots": [None]}, {"size": 1, "tail": []}, {"size": 1, "color": None}]
)
def test_what_is_not_plain_takes_all_the_walks(spec: dict[str, Any]) -> None:
    assert check(KITE, {**HEAD, "spec": {**spec, "odd": 1}}) is None


@pytest.mark.parametrize("change", [{"required": ["status"]}, {"maxProperties": 5}, {"x-kubernetes-preserve-unknown-fields": True}])
def test_what_may_yet_be_judged_otherwise_is_not_surveyed(change: dict[str, Any]) -> None:
    assert check({**KITE, **change}, {**HEAD, "spec": {"size": 1}, "status": {}}) is None


def test_rules_for_names_are_left_to_when_there_is_one() -> None:
    named = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}
    schema = {**KITE, "properties": {**KITE["properties"], "metadata": named}}
    assert check(schema, {**HEAD, "spec": {"size": 1}}) is None


def test_where_surveys_come_to_nothing_there_are_none_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_MANY_FAILURES", 2)
    schema = surveying(KITE)
    schema._surveys = source.WALKED
    for _ in range(8):
        schema.take_in({**HEAD, "spec": {"size": None}})
    assert schema.take_in({**HEAD, "spec": {"size": 1}}) == ([], None)


def test_a_deep_object_is_left_to_others() -> None:
    deep: dict[str, Any] = {}
    for _ in range(survey._DEEPEST_FREE):
        deep = {"a": deep}
    assert check({"type": "object", "properties": {"spec": FREE}}, {**HEAD, "spec": deep}) is None
    assert check({"type": "object", "properties": {"spec": FREE}}, {**HEAD, "spec": deep["a"]}) is not None
