"""What an update may leave as it was."""

from __future__ import annotations

import pytest

from crdkit.meta.version import V1_36
from crdkit.schema.compiled import CompiledSchema
from tests.schema.checking import update_errors

ITEM = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer", "maximum": 5}}}
MAP_LIST = {"type": "array", "items": ITEM, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
TOO_BIG = "Invalid value: 9: {0} in body should be less than or equal to 5"


def test_a_field_that_has_not_changed_is_not_judged() -> None:
    assert update_errors(ITEM, {"name": "a", "size": 9}, {"name": "b", "size": 9}) == []
    assert update_errors(ITEM, {"size": 8}, {"size": 9}) == ["spec.v.size: " + TOO_BIG.format("spec.v.size")]


def test_items_of_a_map_list_are_found_by_key() -> None:
    old = [{"name": "a", "size": 9}, {"name": "b", "size": 1}]
    assert update_errors(MAP_LIST, old, [{"name": "b", "size": 2}, {"name": "a", "size": 9}]) == []
    moved = [{"name": "c", "size": 9}]
    assert update_errors(MAP_LIST, old, moved) == ["spec.v[0].size: " + TOO_BIG.format("spec.v[0].size")]


def test_other_lists_are_one_value() -> None:
    plain = {"type": "array", "items": ITEM}
    assert update_errors(plain, [{"size": 9}], [{"size": 9}]) == []
    assert update_errors(plain, [{"size": 9}], [{"size": 9}, {}]) == ["spec.v[0].size: " + TOO_BIG.format("spec.v[0].size")]


def test_branches_are_judged_again_where_anything_changed() -> None:
    field = {**ITEM, "allOf": [{"properties": {"size": {"maximum": 7}}}]}
    changed = {"name": "b", "size": 9}
    assert update_errors(field, {"name": "a", "size": 9}, changed) == [
        "spec.v.size: Invalid value: 9: spec.v.size in body should be less than or equal to 7",
        '<nil>: Invalid value: "": "spec.v" must validate all the schemas (allOf). None validated',
    ]


def test_a_list_with_duplicates_may_get_more() -> None:
    field = {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}
    assert update_errors(field, ["a", "a"], ["a", "a", "b", "b"]) == []
    assert update_errors(field, ["a"], ["a", "a"]) == ['spec.v[1]: Duplicate value: "a"']


def test_a_field_that_is_required_now_is_not_asked_for_while_nothing_changes() -> None:
    field = {**ITEM, "required": ["size"]}
    assert update_errors(field, {"name": "a"}, {"name": "a"}) == []
    assert update_errors(field, {"name": "a"}, {"name": "b"}) == ["spec.v.size: Required value"]


@pytest.mark.parametrize("field", ["kind", "apiVersion"])
def test_kind_and_version_are_always_judged(field: str) -> None:
    rules = CompiledSchema({"type": "object", "properties": {field: {"type": "string", "enum": ["x"]}}}, kube=V1_36)
    obj = {field: "y"}
    found = rules.validate(obj, obj)
    assert [error.text(V1_36) for error in found] == []
    found = rules.validate({**obj, "metadata": {}}, obj)
    assert [error.text(V1_36) for error in found] == [f'{field}: Unsupported value: "y": supported values: "x"']
