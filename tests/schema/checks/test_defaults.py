from __future__ import annotations

from typing import Final

import pytest

from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_33
from tests.schema.checks.told import field, spec, told

FIELD: Final = "S.properties[spec].properties[v]"
V: Final = f"{FIELD}.default"
EMBEDDED: Final[JsonObject] = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}


@pytest.mark.parametrize(
    ("node", "errors"),
    [
        ({"type": "string", "default": 1}, [f'{V}: Invalid value: "integer":  in body must be of type string: "integer"']),
        ({"type": "integer", "minimum": 3, "default": 1}, [f"{V}: Invalid value: 1:  in body should be greater than or equal to 3"]),
        ({"type": "integer", "default": 1.0}, []),
        (
            {"type": "integer", "default": 1.5},
            [
                f'{V}: Invalid value: "": Checked value must be of type integer (default format) in ',
                f'{V}: Invalid value: "number":  in body must be of type integer: "number"',
            ],
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "default": {"a": 1}},
            [f'{V}.a: Invalid value: "integer": a in body must be of type string: "integer"'],
        ),
        (
            {"type": "array", "items": {"type": "string"}, "default": ["a", None]},
            [f'{V}.[1]: Invalid value: "null": [1] in body must be of type string: "null"'],
        ),
        (
            {"type": "object", "additionalProperties": {"type": "string"}, "default": {"y": 1}},
            [f'{V}.y: Invalid value: "integer": .y in body must be of type string: "integer"'],
        ),
        ({"x-kubernetes-int-or-string": True, "default": True}, []),
        (
            {"x-kubernetes-int-or-string": True, "format": "int64", "default": 5},
            [f'{V}: Invalid value: "integer":  in body must be of type : "integer"'],
        ),
        ({"type": "string", "default": 1.0}, [f'{V}: Invalid value: "number":  in body must be of type string: "number"']),
        (
            {"type": "array", "items": {"type": "string"}, "maxItems": -1, "default": ["a"]},
            [f"{V}: Too many: 1: has too many items"],
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "default": [1, 2, 1]},
            [
                f'{V}: Invalid value: "":  in body shouldn\'t contain duplicates',
                f"{FIELD}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
            ],
        ),
        ({"type": "string", "maxLength": -1, "default": "a"}, [f"{V}: Too long: value is too long"]),
        ({"type": "object", "additionalProperties": {"type": "integer", "default": "x"}}, []),
    ],
)
def test_a_default_is_a_value_that_passes(node: JsonObject, errors: list[str]) -> None:
    assert told(field(node)) == errors


def test_unknown_fields_and_wrong_values_are_both_told() -> None:
    schema = spec({"type": "object", "properties": {"a": {"type": "integer"}}, "default": {"ghost": 1, "a": "x"}})
    at = "S.properties[spec].default"
    assert told(schema) == [
        f'{at}.a: Invalid value: "string": a in body must be of type integer: "string"',
        f'{at}: Invalid value: {{"a":"x","ghost":1}}: must not have unknown fields',
    ]
    assert told(schema, kube=V1_33)[1] == (
        f'{at}: Invalid value: map[string]interface {{}}{{"a":"x", "ghost":1}}: must not have unknown fields'
    )


@pytest.mark.parametrize("schema", [{"type": "object", "default": {}}, field({**EMBEDDED, "default": {}})])
def test_a_resource_has_a_kind(schema: JsonObject) -> None:
    at = "S.default" if "default" in schema else V
    assert told(schema) == [f"{at}.apiVersion: Required value", f"{at}.kind: Required value"]
    assert told(schema, kube=V1_33) == [
        f"{at}.apiVersion: Required value: must not be empty",
        f"{at}.kind: Required value: must not be empty",
    ]


@pytest.mark.parametrize(
    ("default", "error"),
    [
        ({"apiVersion": 1, "kind": "Pod"}, f"{V}.apiVersion: Invalid value: 1: must be a string"),
        ({"apiVersion": "v1", "kind": ""}, f'{V}.kind: Invalid value: "": must not be empty'),
        (
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b"}},
            f"{V}.metadata.name: Invalid value: \"a/b\": may not contain '/'",
        ),
    ],
)
def test_a_resource_within_a_default(default: Json, error: str) -> None:
    assert told(field({**EMBEDDED, "default": default})) == [error]


def test_metadata_of_a_resource_within_a_default_is_rewritten() -> None:
    default = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": {}, "odd": 1}}
    assert told(field({**EMBEDDED, "default": default})) == []
    assert default["metadata"] == {"name": "a"}


def test_a_default_in_the_metadata_of_a_resource_makes_valid_metadata() -> None:
    labels = {"type": "object", "additionalProperties": {"type": "string"}, "default": {"a b": "c"}}
    schema = field({**EMBEDDED, "properties": {"metadata": {"type": "object", "properties": {"labels": labels}}}})
    assert told(schema) == [
        (
            'S.properties[spec].properties[v].properties[metadata].properties[labels].default: Invalid value: {"a b":"c"}: must result in valid'
            " metadata: metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must"
            " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
            " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
        )
    ]


def test_structural_flaws_hide_wrong_defaults() -> None:
    assert told({"type": "object", "properties": {"a": {"type": "string", "default": 1}, "b": {"type": "array"}}}) == [
        "S.properties[b].items: Required value: must be specified"
    ]
