"""What becomes of a schema when it is published."""

from __future__ import annotations

import pytest

from crdkit.builtin.schemas.notation import META, PREFIX
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.server.openapi import schemas, v2
from tests.server.kites import kite, version

INTEGER_OR_STRING = [{"type": "integer"}, {"type": "string"}]
KEEPS = {"x-kubernetes-preserve-unknown-fields": True}


def published(field: JsonObject, kube: KubeVersion = V1_36) -> Json:
    made = kite(version(schema={"type": "object", "properties": {"f": field}}), kube=kube)
    return schemas.kind_v3(made.versions[0])["properties"]["f"]


def published_v2(field: JsonObject, **more: Json) -> JsonObject:
    made = kite(version(schema={"type": "object", "properties": {"f": field}, **more}))
    return v2.definition(schemas.kind_v2(made.versions[0]))


@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "enum": ["red"], "default": "red", "example": "red", "externalDocs": {"url": "https://example.com"}},
        {"type": "object", "additionalProperties": True},
        {"type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": "atomic"},
        {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "minItems": 0},
        {"type": "string", "nullable": True, "anyOf": [{"pattern": "a"}], "not": {"enum": ["z"]}},
        {"type": "number", "exclusiveMinimum": True, "x-kubernetes-validations": [{"rule": "self > 0.0"}]},
        {"x-kubernetes-int-or-string": True, "anyOf": INTEGER_OR_STRING},
        {"x-kubernetes-int-or-string": True, "allOf": [{"anyOf": INTEGER_OR_STRING}]},
        KEEPS,
    ],
)
def test_v3_shows_a_field_as_it_is(field: JsonObject) -> None:
    assert published(field) == field


@pytest.mark.parametrize(
    "odd", [{"default": None}, {"uniqueItems": False}, {"description": ""}, {"required": []}, {"properties": {}}, {"example": {}}]
)
def test_what_says_nothing_is_not_shown(odd: JsonObject) -> None:
    assert published({"type": "string", **odd}) == {"type": "string"}


def test_1_33_shows_no_examples() -> None:
    assert published({"type": "string", "example": "a", "externalDocs": {"url": "u"}}, V1_33) == {"type": "string"}


def test_documentation_that_is_told_to_exist_is_shown() -> None:
    assert published({"type": "string", "externalDocs": {}}) == {"type": "string", "externalDocs": {}}


def test_int_or_string_is_said_in_plain_openapi_too() -> None:
    assert published({"x-kubernetes-int-or-string": True})["anyOf"] == INTEGER_OR_STRING
    other = published({"x-kubernetes-int-or-string": True, "anyOf": [{"minimum": 1}]})
    assert other["allOf"] == [{"anyOf": INTEGER_OR_STRING}]
    assert other["anyOf"] == [{"minimum": 1}]


def test_a_kind_that_calls_itself_embedded_is_described_as_such() -> None:
    made = kite(version(schema={"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "object"}}}))
    for shown in (schemas.kind_v3(made.versions[0]), schemas.kind_v2(made.versions[0])):
        assert shown["properties"]["kind"]["description"].startswith("kind is a string value representing the type of this object.")
        assert shown["required"] == ["kind", "apiVersion"]


def test_embedded_resources_have_what_objects_have() -> None:
    field = {"type": "object", "x-kubernetes-embedded-resource": True, "required": ["spec"], "properties": {"spec": {"type": "object"}}}
    shown = published(field)
    assert list(shown["properties"]) == ["spec", "apiVersion", "kind", "metadata"]
    assert shown["required"] == ["spec", "kind", "apiVersion"]


def test_what_a_schema_says_of_metadata_is_lost() -> None:
    own = {"type": "object", "properties": {"metadata": {"type": "object", "description": "mine"}, "kind": {"type": "string"}}}
    properties = schemas.kind_v3(kite(version(schema=own)).versions[0])["properties"]
    assert properties["metadata"]["allOf"] == [{"$ref": f"{PREFIX}{META}ObjectMeta"}]
    assert properties["kind"]["description"].startswith("Kind is a string value")


def test_selectable_fields_are_told() -> None:
    made = kite(version(selectableFields=[{"jsonPath": ".spec.color"}])).versions[0]
    assert schemas.kind_v3(made)["x-kubernetes-selectable-fields"] == [{"fieldPath": "spec.color"}]
    assert schemas.list_type(made)["x-kubernetes-selectable-fields"] == [{"fieldPath": "spec.color"}]


@pytest.mark.parametrize(
    ("field", "left"),
    [
        ({"type": "string", "default": "a", "allOf": [{"minLength": 1}], "not": {"enum": ["z"]}}, {"type": "string"}),
        ({"type": "object", "nullable": True, "properties": {"a": {"type": "string"}}}, {}),
        ({"type": "object", **KEEPS, "properties": {"a": {"type": "string"}}}, KEEPS),
        ({"type": "array", **KEEPS, "items": {"type": "string"}}, KEEPS),
        ({"x-kubernetes-int-or-string": True}, {"x-kubernetes-int-or-string": True}),
        ({"type": "object", "x-kubernetes-embedded-resource": True, **KEEPS}, {"x-kubernetes-embedded-resource": True, **KEEPS}),
    ],
)
def test_v2_loses_what_it_cannot_say(field: JsonObject, left: JsonObject) -> None:
    assert published_v2(field)["properties"]["f"] == left


def test_v2_does_not_require_what_may_be_null() -> None:
    assert "required" not in published_v2({"type": "string", "nullable": True}, required=["f"])


def test_v2_names_no_fields_of_an_open_kind() -> None:
    assert published_v2({"type": "string"}, **KEEPS) == {
        "type": "object",
        "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Kite"}],
    }


def test_v2_refers_to_metadata_by_its_own_path() -> None:
    metadata = published_v2({"type": "string"})["properties"]["metadata"]
    assert metadata["$ref"] == f"#/definitions/{META}ObjectMeta"
