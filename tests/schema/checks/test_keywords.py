from __future__ import annotations

import pytest

from crdkit.meta.types import Json, JsonObject
from tests.schema.checks.told import field, told

V = "S.properties[spec].properties[v]"


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("id", "x"),
        ("$ref", ""),
        ("$ref", "#/x"),
        ("definitions", {"d": {"type": "string"}}),
        ("dependencies", {}),
        ("patternProperties", {"^a": {"type": "bad"}}),
        ("additionalItems", False),
    ],
)
def test_keywords_without_support(keyword: str, value: Json) -> None:
    assert told(field({"type": "object", keyword: value})) == [f"{V}.{keyword}: Forbidden: {keyword} is not supported"]


@pytest.mark.parametrize(("keyword", "value"), [("id", ""), ("definitions", {}), ("patternProperties", {})])
def test_some_of_them_pass_when_empty(keyword: str, value: Json) -> None:
    assert told(field({"type": "object", keyword: value})) == []


def test_what_stands_below_them_is_checked_too() -> None:
    node = {"type": "object", "definitions": {"d": {"type": "text"}}, "dependencies": {"a": ["b"], "c": {"uniqueItems": True}}}
    assert told(field(node)) == [
        f"{V}.definitions: Forbidden: definitions is not supported",
        (
            f'{V}.definitions[d].type: Unsupported value: "text": '
            'supported values: "array", "boolean", "integer", "number", "object", "string"'
        ),
        f"{V}.dependencies: Forbidden: dependencies is not supported",
        f"{V}.dependencies[c].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
    ]


def test_a_list_of_items() -> None:
    assert told(field({"type": "array", "items": [{"type": "null"}]})) == [
        f"{V}.items: Forbidden: items must be a schema object and not an array",
        f"{V}.items[0].type: Forbidden: type cannot be set to null, use nullable as an alternative",
        f'{V}.items[0].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ]


@pytest.mark.parametrize("values", [False, {"type": "string"}])
def test_a_map_has_no_properties(values: Json) -> None:
    node = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": values}
    assert told(field(node)) == [f"{V}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive"]
    assert told(field({**node, "additionalProperties": True})) == []
    assert told(field({**node, "properties": {}})) == []


def test_unknown_fields_are_preserved_or_nothing_is_said() -> None:
    assert told(field({"type": "object", "x-kubernetes-preserve-unknown-fields": False})) == [
        f"{V}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"
    ]


def test_what_no_structural_schema_may_have_hides_what_is_not_structural() -> None:
    hidden: JsonObject = {"type": "array"}
    schema = {"type": "object", "properties": {"a": hidden, "b": {"id": "x", "type": "string"}}}
    assert told(schema) == ["S.properties[b].id: Forbidden: id is not supported"]


def test_the_schema_keyword_is_told_only_when_nothing_else_is() -> None:
    assert told(field({"type": "string", "$schema": "x"})) == ["S: Invalid value: \"\": OpenAPIV3Schema 'schema' is not supported"]
    assert told({"type": "object", "nullable": True, "$schema": "x"}) == ["S.nullable: Forbidden: nullable cannot be true at the root"]
    assert told(field({"type": "string", "$schema": "x", "id": "y"})) == [f"{V}.id: Forbidden: id is not supported"]
