from __future__ import annotations

import pytest

from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33
from tests.schema.checks.told import field, told

V = "S.properties[spec].properties[v]"


def set_of(items: JsonObject) -> JsonObject:
    return field({"type": "array", "x-kubernetes-list-type": "set", "items": items})


def map_of(items: JsonObject, *keys: str) -> JsonObject:
    return field({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys), "items": items})


def test_the_types_of_lists_and_maps() -> None:
    node = {"type": "object", "x-kubernetes-list-type": "bag", "x-kubernetes-map-type": "loose"}
    assert told(field(node)) == [
        f'{V}.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified',
        f'{V}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"',
        f'{V}.x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"',
    ]


@pytest.mark.parametrize(("items", "several"), [(True, "null"), ([], "[]")])
def test_a_map_needs_a_single_schema(items: bool | list[JsonObject], several: str) -> None:
    node = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": items}
    detail = "must only have a single schema if x-kubernetes-list-type is map"
    assert told(field(node)) == [
        f'{V}.items: Invalid value: {{"Schema":null,"JSONSchemas":{several}}}: {detail}',
        f"{V}.items: Required value: must be specified",
    ]


def test_no_type_at_all() -> None:
    node = {"x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-list-type": "atomic", "x-kubernetes-map-type": "atomic"}
    assert told(field(node)) == [
        f"{V}.type: Required value: must be array if x-kubernetes-list-type is specified",
        f"{V}.type: Required value: must be object if x-kubernetes-map-type is specified",
    ]


@pytest.mark.parametrize(
    "items",
    [
        {"type": "string"},
        {"x-kubernetes-int-or-string": True},
        {"type": "object", "x-kubernetes-map-type": "atomic"},
        {"type": "array", "items": {"type": "string"}},
    ],
)
def test_what_a_set_may_have(items: JsonObject) -> None:
    assert told(set_of(items)) == []


def test_items_of_a_set_are_atomic() -> None:
    schema = set_of({"type": "object"})
    at = f"{V}.items.x-kubernetes-map-type"
    assert told(schema) == [f"{at}: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set"]
    assert told(schema, kube=V1_33) == [f'{at}: Invalid value: "null": must be atomic as item of a list with x-kubernetes-list-type=set']
    assert told(set_of({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"})) == [
        f'{V}.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set'
    ]


def test_items_of_sets_and_maps_are_not_null() -> None:
    assert told(set_of({"type": "string", "nullable": True})) == [
        f"{V}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set"
    ]


def test_keys_need_a_map() -> None:
    node: JsonObject = {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-map-keys": ["k"]}
    detail = "must be map if x-kubernetes-list-map-keys is non-empty"
    assert told(field(node)) == [f"{V}.x-kubernetes-list-type: Required value: {detail}"]
    assert told(field({**node, "x-kubernetes-list-type": "set"})) == [f'{V}.x-kubernetes-list-type: Invalid value: "set": {detail}']


def test_a_map_needs_keys_and_objects() -> None:
    assert told(map_of({"type": "string"})) == [
        f'{V}.items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
        f"{V}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
    ]


def test_a_map_without_items() -> None:
    node = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    assert told(field(node)) == [
        f"{V}.items: Required value: must be specified",
        f"{V}.items: Required value: must have a schema if x-kubernetes-list-type is map",
    ]


def test_keys_are_scalar_fields_that_always_have_a_value() -> None:
    items = {
        "type": "object",
        "required": ["o"],
        "properties": {"k": {"type": "string", "nullable": True}, "o": {"type": "object"}, "d": {"type": "integer", "default": 1}},
    }
    keys = f'{V}.x-kubernetes-list-map-keys: Invalid value: ["k","o","d","d","gone"]'
    assert told(map_of(items, "k", "o", "d", "d", "gone")) == [
        (
            f"{V}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys,"
            " so it must have a default or be a required property"
        ),
        f"{V}.items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
        f'{V}.items.properties[o].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
        f"{keys}: entries must all be names of item properties",
        f"{keys}: must not contain duplicate entries",
    ]


def test_old_servers_tell_keys_in_go_syntax() -> None:
    items = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert told(map_of(items, "k"), kube=V1_33) == [
        f'{V}.x-kubernetes-list-map-keys: Invalid value: []string{{"k"}}: entries must all be names of item properties'
    ]
