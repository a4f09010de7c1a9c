from __future__ import annotations

import pytest

from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_33
from tests.schema.checks.told import field, told

V = "S.properties[spec].properties[v]"
PATTERN: list[JsonObject] = [{"type": "integer"}, {"type": "string"}]


@pytest.mark.parametrize(
    ("keyword", "value", "wanted"),
    [
        ("type", "string", "empty"),
        ("title", "t", "empty"),
        ("description", "d", "empty"),
        ("default", 0, "undefined"),
        ("nullable", True, "false"),
        ("additionalProperties", {"minimum": 1}, "undefined"),
        ("additionalProperties", True, "undefined"),
        ("x-kubernetes-preserve-unknown-fields", True, "false"),
        ("x-kubernetes-int-or-string", True, "false"),
        ("x-kubernetes-validations", [{"rule": "true"}], "empty"),
    ],
)
@pytest.mark.parametrize("junctor", ["allOf", "anyOf", "oneOf", "not"])
def test_a_branch_shapes_nothing(junctor: str, keyword: str, value: Json, wanted: str) -> None:
    branch: JsonObject = {keyword: value}
    at = f"{V}.not" if junctor == "not" else f"{V}.{junctor}[0]"
    schema = field({"type": "object", junctor: branch if junctor == "not" else [branch]})
    assert told(schema) == [f"{at}.{keyword}: Forbidden: must be {wanted} to be structural"]


@pytest.mark.parametrize("branch", [{"additionalProperties": False}, {"nullable": False}, {"title": ""}, {"example": 1}, {"minimum": 1}])
def test_a_branch_may_validate_and_have_empty_keywords(branch: JsonObject) -> None:
    assert told(field({"type": "object", "anyOf": [branch]})) == []


def test_metadata_is_not_spoken_of_in_a_branch() -> None:
    schema = field({"type": "object", "not": {"properties": {"metadata": {"required": ["a"]}}}})
    assert told(schema) == [f"{V}.not.properties[metadata]: Forbidden: must not be specified in a nested context"]


@pytest.mark.parametrize("node", [{"anyOf": PATTERN}, {"allOf": [{"anyOf": PATTERN, "minimum": 1}, {"maximum": 2}]}])
def test_int_or_string_may_be_spelled_out(node: JsonObject) -> None:
    assert told(field({"x-kubernetes-int-or-string": True, **node})) == []


def test_a_branch_of_int_or_string_may_spell_out_that_it_has_no_additional_properties() -> None:
    assert told(field({"x-kubernetes-int-or-string": True, "anyOf": [PATTERN[0] | {"additionalProperties": False}, PATTERN[1]]})) == []


@pytest.mark.parametrize("empty", [{"required": []}, {"properties": {}}])
def test_what_is_empty_is_more_than_int_or_string(empty: JsonObject) -> None:
    assert told(field({"x-kubernetes-int-or-string": True, "anyOf": [PATTERN[0] | empty, PATTERN[1]]})) == [
        f"{V}.anyOf[{index}].type: Forbidden: must be empty to be structural" for index in (0, 1)
    ]


def test_the_spelling_of_int_or_string_is_exact() -> None:
    assert told(field({"x-kubernetes-int-or-string": True, "anyOf": PATTERN[::-1]})) == [
        f"{V}.anyOf[0].type: Forbidden: must be empty to be structural",
        f"{V}.anyOf[1].type: Forbidden: must be empty to be structural",
    ]
    later = {"x-kubernetes-int-or-string": True, "allOf": [{"minimum": 1}, {"anyOf": PATTERN}]}
    assert told(field(later)) == [
        f"{V}.allOf[1].anyOf[0].type: Forbidden: must be empty to be structural",
        f"{V}.allOf[1].anyOf[1].type: Forbidden: must be empty to be structural",
    ]


def test_old_servers_overlook_an_example_in_the_spelling() -> None:
    schema = field({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer", "example": 1}, {"type": "string"}]})
    assert told(schema, kube=V1_33) == []
    assert told(schema) == [
        f"{V}.anyOf[0].type: Forbidden: must be empty to be structural",
        f"{V}.anyOf[1].type: Forbidden: must be empty to be structural",
    ]


def test_a_pattern_is_one_of_go_anywhere() -> None:
    schema = field({"type": "integer", "pattern": "(?!a)", "not": {"pattern": "a**"}})
    assert told(schema) == [
        (
            f'{V}.not.pattern: Invalid value: "a**": must be a valid regular expression, but isn\'t: '
            "error parsing regexp: invalid nested repetition operator: `**`"
        ),
        (
            f'{V}.pattern: Invalid value: "(?!a)": must be a valid regular expression, but isn\'t: '
            "error parsing regexp: invalid or unsupported Perl syntax: `(?!`"
        ),
    ]
