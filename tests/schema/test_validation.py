"""Every keyword's faults, in the words of a real server."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36
from crdkit.schema.compiled import CompiledSchema
from tests.schema.checking import errors_of, schema_of

INT = {"type": "integer"}
TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("field", "value", "errors"),
    [
        (TEXT, 5, ['spec.v: Invalid value: "integer": spec.v in body must be of type string: "integer"']),
        (TEXT, None, ['spec.v: Invalid value: "null": spec.v in body must be of type string: "null"']),
        ({**TEXT, "nullable": True}, None, []),
        (
            {"x-kubernetes-int-or-string": True},
            True,
            ['spec.v: Invalid value: "boolean": spec.v in body must be of type integer,string: "boolean"'],
        ),
        ({**TEXT, "maxLength": 3}, "é" * 4, ["spec.v: Too long: may not be more than 3 bytes"]),
        ({**TEXT, "maxLength": 3}, "é" * 3, []),
        ({**TEXT, "maxLength": 1, "pattern": "^x"}, "ab", ["spec.v: Too long: may not be more than 1 byte"]),
        ({**TEXT, "minLength": 3}, "ab", ['spec.v: Invalid value: "ab": spec.v in body should be at least 3 chars long']),
        ({**TEXT, "pattern": "^x"}, "a\x00", ["spec.v: Invalid value: \"a\\x00\": spec.v in body should match '^x'"]),
        ({**TEXT, "enum": ["b", "a"]}, "c", ['spec.v: Unsupported value: "c": supported values: "b", "a"']),
        (
            {"x-kubernetes-preserve-unknown-fields": True, "enum": [["a"], None, 1]},
            "c",
            ['spec.v: Unsupported value: "c": supported values: "[\\"a\\"]", "null", "1"'],
        ),
        ({**INT, "nullable": True, "enum": [None]}, None, ['spec.v: Unsupported value: null: supported values: "null"']),
        ({**INT, "minimum": 3}, 2, ["spec.v: Invalid value: 2: spec.v in body should be greater than or equal to 3"]),
        ({**INT, "minimum": 3, "exclusiveMinimum": True}, 3, ["spec.v: Invalid value: 3: spec.v in body should be greater than 3"]),
        ({**INT, "maximum": 3, "exclusiveMaximum": True}, 3, ["spec.v: Invalid value: 3: spec.v in body should be less than 3"]),
        ({**INT, "multipleOf": 4}, 6, ["spec.v: Invalid value: 6: spec.v in body should be a multiple of 4"]),
        (
            {"type": "number", "maximum": 1234567.5},
            12345678.25,
            ["spec.v: Invalid value: 1.234567825e+07: spec.v in body should be less than or equal to 1.2345675e+06"],
        ),
        (
            {"type": "number", "multipleOf": 0.1},
            4,
            ["spec.v: Invalid value: 0: factor MultipleOf declared for spec.v must be positive: 0"],
        ),
        (
            {"type": "array", "items": INT, "minItems": 2},
            [1],
            ["spec.v: Invalid value: 1: spec.v in body should have at least 2 items"],
        ),
        ({"type": "array", "items": INT, "maxItems": 1}, [1, 2], ["spec.v: Too many: 2: must have at most 1 item"]),
        (
            {"type": "array", "items": INT},
            [1, "x", None],
            [
                'spec.v[1]: Invalid value: "string": spec.v[1] in body must be of type integer: "string"',
                'spec.v[2]: Invalid value: "null": spec.v[2] in body must be of type integer: "null"',
            ],
        ),
        (
            {"type": "object", "additionalProperties": INT, "maxProperties": 1},
            {"a": 1, "b": 2},
            ["spec.v: Too many: 2: must have at most 1 item"],
        ),
        (
            {"type": "object", "additionalProperties": INT, "minProperties": 2},
            {"k.1": "x"},
            [
                "spec.v: Invalid value: 1: spec.v in body should have at least 2 properties",
                'spec.v.k.1: Invalid value: "string": spec.v.k.1 in body must be of type integer: "string"',
            ],
        ),
        ({"type": "object", "properties": {"a": INT}, "required": ["a", "b"]}, {"a": 1}, ["spec.v.b: Required value"]),
        (
            {"type": "object", "additionalProperties": False},
            {"a": 1},
            ['spec.v: Invalid value: "a": spec.v.a in body is a forbidden property'],
        ),
        (
            {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
            ["a", "b", "a", "a"],
            ['spec.v[2]: Duplicate value: "a"'],
        ),
        ({"type": "array", "items": {"type": "number"}, "x-kubernetes-list-type": "set"}, [1, 1.0], []),
        (
            {
                "type": "object",
                "additionalProperties": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"name": TEXT}},
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                },
            },
            {"k.1": [{"name": "a"}, {"name": "a"}, {}, {}]},
            ['spec.v[k.1][1]: Duplicate value: {"name":"a"}', "spec.v[k.1][3]: Duplicate value: {}"],
        ),
    ],
)
def test_faults(field: dict[str, Any], value: object, errors: list[str]) -> None:
    assert errors_of(field, value) == errors


@pytest.mark.parametrize(
    ("field", "value", "errors"),
    [
        (
            {"anyOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"c": {"minimum": 3}}}]},
            {"c": 1},
            [
                '<nil>: Invalid value: "": "spec.v" must validate at least one schema (anyOf)',
                "spec.v.c: Invalid value: 1: spec.v.c in body should be greater than or equal to 3",
                "spec.v.b: Required value",
            ],
        ),
        (
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a": 1, "b": 1},
            ['<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
        ),
        (
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {},
            [
                '<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found none valid',
                "spec.v.a: Required value",
            ],
        ),
        (
            {"allOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a": 1},
            ["spec.v.b: Required value", '<nil>: Invalid value: "": "spec.v" must validate all the schemas (allOf)'],
        ),
        (
            {"allOf": [{"required": ["a"]}]},
            {},
            ["spec.v.a: Required value", '<nil>: Invalid value: "": "spec.v" must validate all the schemas (allOf). None validated'],
        ),
        ({"not": {"required": ["a"]}}, {"a": 1}, ['<nil>: Invalid value: "": "spec.v" must not validate the schema (not)']),
    ],
)
def test_junctors(field: dict[str, Any], value: object, errors: list[str]) -> None:
    known = {name: {"type": "integer"} for name in "abc"}
    assert errors_of({"type": "object", "properties": known, **field}, value) == errors


CHECKED = '<nil>: Invalid value: "": Checked value must be of type integer'


@pytest.mark.parametrize(
    ("field", "value", "new", "old"),
    [
        (
            INT,
            1.5,
            ['spec.v: Invalid value: "number": spec.v in body must be of type integer: "number"', f"{CHECKED} (default format) in spec.v"],
            ['spec.v: Invalid value: "number": spec.v in body must be of type integer: "number"'],
        ),
        ({**INT, "format": "int32"}, 2**31, [f"{CHECKED} with format int32 in spec.v"], []),
        (
            {**INT, "maximum": 1.9},
            1,
            ['<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.v'],
            [],
        ),
        (INT, 1.0000000000001, [f"{CHECKED} (default format) in spec.v"], []),
        (INT, 1e15, [], []),
        ({"type": "number", "multipleOf": 0.01}, 4.02, [], ["spec.v: Invalid value: 4.02: spec.v in body should be a multiple of 0.01"]),
        (
            {**TEXT, "maxLength": 1},
            "ab",
            ["spec.v: Too long: may not be more than 1 byte"],
            ["spec.v: Too long: may not be more than 1 bytes"],
        ),
        ({**TEXT, "format": "k8s-short-name"}, "A", ['spec.v: Invalid value: "A": spec.v in body must be of type k8s-short-name: "A"'], []),
        (
            {"type": "boolean", "format": "date"},
            "x",
            ['spec.v: Invalid value: "string": spec.v in body must be of type boolean: "string"'],
            ['spec.v: Invalid value: "x": spec.v in body must be of type date: "x"'],
        ),
        (
            {"type": "array", "items": {"type": "array", "items": INT}, "x-kubernetes-list-type": "set"},
            [[1], [1]],
            ["spec.v[1]: Duplicate value: [1]"],
            ["spec.v[1]: Duplicate value: []interface {}{1}"],
        ),
    ],
)
def test_versions_differ(field: dict[str, Any], value: object, new: list[str], old: list[str]) -> None:
    assert errors_of(field, value) == new
    assert errors_of(field, value, kube=V1_33) == old


def test_faults_of_the_object_itself_have_no_name() -> None:
    schema = schema_of(INT, minProperties=2, required=["spec", "other"])
    found = CompiledSchema(schema, kube=V1_36).validate({"spec": {}})
    assert [error.text(V1_36) for error in found] == [
        "<nil>: Invalid value: 1:  in body should have at least 2 properties",
        "other: Required value",
    ]


def test_status_goes_by_names_of_its_own() -> None:
    rules = CompiledSchema({"type": "object", "properties": {"status": {"type": "object", "properties": {"load": INT}}}}, kube=V1_36)
    found = rules.validate_status({"spec": "not looked at", "status": {"load": "x"}})
    assert [error.text(V1_36) for error in found] == [
        'status.load: Invalid value: "string": load in body must be of type integer: "string"'
    ]
    found = rules.validate_status({"status": []})
    assert [error.text(V1_36) for error in found] == ['status: Invalid value: "array":  in body must be of type object: "array"']
    assert rules.validate_status({"spec": {}}) == []


@pytest.mark.parametrize(
    ("field", "value", "blocks"),
    [
        (TEXT, 1, True),
        ({**TEXT, "maxLength": 1}, "ab", True),
        ({**TEXT, "enum": ["a"]}, "b", True),
        ({**TEXT, "format": "date"}, "b", True),
        ({**TEXT, "pattern": "a"}, "b", False),
        ({**INT, "minimum": 2}, 1, False),
        ({"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"}, ["a", "a"], False),
    ],
)
def test_some_faults_keep_rules_from_running(field: dict[str, Any], value: object, *, blocks: bool) -> None:
    rules = CompiledSchema(schema_of(field), kube=V1_36)
    assert rules.blocks_rules(rules.validate({"spec": {"v": value}})) is blocks


NASTY = ('"', "'", '"""', "\\", "\n", "{v}", "__import__('os')", "v", "return True", "#")


@pytest.mark.parametrize("text", NASTY)
def test_what_users_write_is_never_code(text: str) -> None:
    field = {
        "type": "object",
        "properties": {text: {"type": "string", "enum": [text, "ok"], "default": text}},
        "required": [text],
        "anyOf": [{"required": [text]}],
    }
    rules = CompiledSchema(schema_of(field), kube=V1_36)
    obj: dict[str, Any] = {"spec": {"v": {}}}
    rules.default(obj)
    assert obj == {"spec": {"v": {text: text}}}
    assert rules.prune(obj) == []
    assert rules.validate(obj) == []
    assert len(rules.validate({"spec": {"v": {text: "other"}}})) == 1
