from __future__ import annotations

import pytest

from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_36
from crdkit.schema.checks.structurality import check_structure
from crdkit.schema.structural import build
from tests.schema.checks.told import field, spec, told

V = "S.properties[spec].properties[v]"


def test_a_plain_schema_passes() -> None:
    assert told(field({"type": "string"})) == []


@pytest.mark.parametrize(
    ("schema", "error"),
    [
        ({}, "S.type: Required value: must not be empty at the root"),
        ({"type": "array", "items": {"type": "string"}}, 'S.type: Invalid value: "array": must be object at the root'),
        (field({}), f"{V}.type: Required value: must not be empty for specified object fields"),
        (
            field({"type": "object", "additionalProperties": {}}),
            f"{V}.additionalProperties.type: Required value: must not be empty for specified object fields",
        ),
        (field({"type": "array", "items": {}}), f"{V}.items.type: Required value: must not be empty for specified array items"),
        (field({"type": "array"}), f"{V}.items: Required value: must be specified"),
        ({"type": "object", "additionalProperties": False}, "S.additionalProperties: Forbidden: must not be used at the root"),
        ({"type": "object", "nullable": True}, "S.nullable: Forbidden: nullable cannot be true at the root"),
        (
            spec({"type": "string", "items": {}}),
            "S.properties[spec].items.type: Required value: must not be empty for specified array items",
        ),
    ],
    ids=["root", "root of another type", "field", "map value", "item", "no items", "map at the root", "nullable root", "stray items"],
)
def test_each_node_has_its_type(schema: JsonObject, error: str) -> None:
    assert told(schema) == [error]


@pytest.mark.parametrize("switch", ["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"])
def test_two_switches_make_up_for_a_type(switch: str) -> None:
    assert told(field({switch: True})) == []
    assert told({"x-kubernetes-preserve-unknown-fields": True}) == []


def test_int_or_string_stands_alone() -> None:
    node = {
        "x-kubernetes-int-or-string": True,
        "x-kubernetes-preserve-unknown-fields": True,
        "x-kubernetes-embedded-resource": True,
        "type": "object",
    }
    assert told(field(node)) == [
        f"{V}.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
        f"{V}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
    ]


def test_an_embedded_resource_is_an_object_with_fields() -> None:
    assert told(field({"x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True})) == [
        f"{V}.type: Required value: must be object if x-kubernetes-embedded-resource is true",
    ]
    assert told(field({"type": "object", "x-kubernetes-embedded-resource": True, "additionalProperties": {"type": "string"}})) == [
        f"{V}.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set",
        (
            f"{V}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true"
            " without x-kubernetes-preserve-unknown-fields"
        ),
    ]


def test_structural_errors_come_sorted_by_their_texts() -> None:
    schema = {"properties": {"b": {}, "a": {"type": "array"}}}
    texts = [error.text() for error in check_structure(build(schema), ROOT / "S", kube=V1_36)]
    assert texts == sorted(texts)
    assert len(texts) == 3
