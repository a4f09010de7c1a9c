from __future__ import annotations

from collections.abc import Sequence

import pytest

from crdkit.meta.errors import FieldError, invalid
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_33
from crdkit.schema.checks import Place, Step
from crdkit.schema.structural import Structural
from tests.schema.checks.told import field, spec, told

RULES = "S.properties[spec].properties[v].x-kubernetes-validations[0]"


def ruled(rule: JsonObject, **node: Json) -> JsonObject:
    return field({"type": "object", "x-kubernetes-validations": [rule], **node})


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ({}, ".rule: Required value: rule is not specified"),
        ({"rule": " \n", "message": " "}, ".rule: Required value: rule is not specified"),
        ({"rule": "true", "message": " "}, '.message: Invalid value: " ": must be non-empty if specified'),
        ({"rule": "true", "message": "a\rb"}, '.message: Invalid value: "a\\rb": must not contain line breaks'),
        ({"rule": "a\n||b"}, ".message: Required value: message must be specified if rule contains line breaks"),
        (
            {"rule": "true", "messageExpression": " "},
            ".messageExpression: Required value: messageExpression must be non-empty if specified",
        ),
        (
            {"rule": "true", "reason": "No<pe"},
            (
                '.reason: Unsupported value: "No\\u003cpe": supported values: '
                '"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"'
            ),
        ),
        ({"rule": "true", "fieldPath": "a"}, '.fieldPath: Invalid value: "a": must be a valid path'),
    ],
)
def test_the_texts_of_a_rule(rule: JsonObject, error: str) -> None:
    assert told(ruled(rule)) == [RULES + error]


@pytest.mark.parametrize("rule", [{"rule": "\ntrue\n", "message": "\nm\n"}, {"rule": "a\n||b", "message": "m"}])
def test_line_breaks_around_do_no_harm(rule: JsonObject) -> None:
    assert told(ruled(rule)) == []


def test_a_field_path_leads_somewhere() -> None:
    assert (
        told(
            ruled(
                {"rule": "true", "fieldPath": "['a.b'].c"}, properties={"a.b": {"type": "object", "properties": {"c": {"type": "string"}}}}
            )
        )
        == []
    )
    assert told(ruled({"rule": "true", "fieldPath": " \n"})) == [
        f'{RULES}.fieldPath: Invalid value: " \\n": must be a valid path',
        f'{RULES}.fieldPath: Invalid value: " \\n": must be non-empty if specified',
        f'{RULES}.fieldPath: Invalid value: " \\n": must not contain line breaks',
    ]


def test_old_servers_name_the_field() -> None:
    rule = {"rule": "true", "message": "a\nb", "fieldPath": ".x"}
    assert told(ruled(rule), kube=V1_33) == [
        f'{RULES}.fieldPath: Invalid value: ".x": fieldPath must be a valid path',
        f'{RULES}.message: Invalid value: "a\\nb": message must not contain line breaks',
    ]


class Recorder:
    """Tells which rules it was given to compile, and which defaults to run rules on."""

    def __init__(self) -> None:
        self.places: list[Place] | None = None
        self.defaults: list[str] = []

    def compile(self, places: Sequence[Place]) -> list[FieldError]:
        self.places = list(places)
        return [invalid(place.at, None, "compiled") for place in places]

    def run_on_default(self, node: Structural, default: Json, at: FieldPath, *, is_root: bool) -> list[FieldError]:
        del node, default, is_root
        self.defaults.append(str(at))
        return []


RULE: JsonObject = {"x-kubernetes-validations": [{"rule": "true"}]}


def test_rules_are_compiled_from_below() -> None:
    recorder = Recorder()
    items = {"type": "object", **RULE}
    schema = spec({"type": "object", **RULE, "properties": {"l": {"type": "array", "items": items}}})
    assert told(schema, rules=recorder) == [
        "S.properties[spec].properties[l].items: Invalid value: null: compiled",
        "S.properties[spec]: Invalid value: null: compiled",
    ]
    assert recorder.places
    inner, outer = recorder.places
    assert (inner.step, str(inner.uncorrelatable), inner.above and inner.above.above) == (
        Step.ITEMS,
        "S.properties[spec].properties[l]",
        outer,
    )
    assert (outer.step, outer.uncorrelatable, outer.above and outer.above.step) == (Step.PROPERTY, None, Step.ROOT)


def test_an_error_below_a_node_hides_its_rules_and_one_beside_it_does_not() -> None:
    bad = {"type": "string", "uniqueItems": True}
    schema = spec({"type": "object", **RULE, "properties": {"bad": bad, "good": {"type": "string", **RULE}}})
    assert told(schema, rules=Recorder()) == [
        (
            "S.properties[spec].properties[bad].uniqueItems: Forbidden:"
            " uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        ),
        "S.properties[spec].properties[good]: Invalid value: null: compiled",
    ]


@pytest.mark.parametrize("flaw", [{"type": "array"}, {"type": "integer", "default": "x"}, {"type": "string", "id": "x"}])
def test_a_schema_with_flaws_in_structure_or_defaults_has_no_rule_compiled(flaw: JsonObject) -> None:
    recorder = Recorder()
    told({"type": "object", "properties": {"a": {"type": "string", **RULE}, "b": flaw}}, rules=recorder)
    assert recorder.places is None


def test_rules_run_on_defaults_that_pass() -> None:
    recorder = Recorder()
    assert told(field({"type": "integer", "default": 1, **RULE}), rules=recorder) == [
        "S.properties[spec].properties[v]: Invalid value: null: compiled",
    ]
    assert recorder.defaults == ["S.properties[spec].properties[v].default"]
