from __future__ import annotations

import pytest

from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33
from tests.schema.checks.told import field, told

ONLY_NAMES = (
    "S.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified"
)


def with_metadata(metadata: JsonObject) -> JsonObject:
    return {"type": "object", "properties": {"metadata": metadata}}


@pytest.mark.parametrize("keyword", ["required", "x-kubernetes-list-map-keys", "x-kubernetes-validations"])
def test_an_empty_list_is_set_too(keyword: str) -> None:
    assert told(with_metadata({"type": "object", keyword: []})) == [ONLY_NAMES]


@pytest.mark.parametrize(
    "metadata",
    [
        {"type": "object"},
        {"type": "object", "properties": {"name": {"type": "string", "pattern": "^a"}}},
        {"type": "object", "properties": {}},
        {"type": "object", "properties": {"name": {"type": "string"}, "generateName": {"type": "string", "maxLength": 9}}},
    ],
)
def test_names_may_be_restricted(metadata: JsonObject) -> None:
    assert told(with_metadata(metadata)) == []


@pytest.mark.parametrize(
    "addition",
    [{"properties": {"labels": {"type": "object"}}}, {"description": "d"}, {"required": ["name"]}, {"x-kubernetes-map-type": "atomic"}],
)
def test_nothing_else_of_metadata_may_be_restricted(addition: JsonObject) -> None:
    assert told(with_metadata({"type": "object", **addition})) == [ONLY_NAMES]


def test_old_servers_overlook_documentation() -> None:
    schema = with_metadata({"type": "object", "example": {"name": "a"}, "externalDocs": {"url": "u"}})
    assert told(schema) == [ONLY_NAMES]
    assert told(schema, kube=V1_33) == []


def test_types_of_the_fields_of_every_object() -> None:
    schema = {"type": "object", "properties": {"kind": {"type": "integer"}, "metadata": {}}}
    assert told(schema) == [
        'S.properties[kind].type: Invalid value: "integer": must be string',
        'S.properties[metadata].type: Invalid value: "": must be object',
        "S.properties[metadata].type: Required value: must not be empty for specified object fields",
    ]


def test_a_plain_field_may_have_fields_of_these_names() -> None:
    assert told(field({"type": "object", "properties": {"kind": {"type": "integer"}, "metadata": {"type": "string"}}})) == []


def test_no_defaults_in_metadata_at_the_root() -> None:
    schema = {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "default": "A"},
            "metadata": {"type": "object", "properties": {"name": {"type": "string", "default": "a"}}},
        },
    }
    assert told(schema) == [
        "S.properties[kind].default: Forbidden: must not be set in top-level kind",
        "S.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata",
    ]


def test_no_defaults_in_maps_within_metadata_and_no_embedded_resources() -> None:
    node = {
        "type": "object",
        "x-kubernetes-embedded-resource": True,
        "properties": {
            "metadata": {
                "type": "object",
                "properties": {
                    "labels": {"type": "object", "additionalProperties": {"type": "string", "default": "x"}},
                    "o": {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
                },
            },
        },
    }
    at = "S.properties[spec].properties[v].properties[metadata].properties"
    assert told(field(node)) == [
        f"{at}[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata",
        f"{at}[o].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta",
    ]
