"""Each rule on the smallest definition that breaks it, and on one that does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crdkit.offline import documents
from crdkit.offline.checking import Input, Settings
from crdkit.offline.findings import Report
from crdkit.offline.lint import RULES, lint
from tests.offline.crontabs import definition, schema, version

ROOT = "spec.versions[0].schema.openAPIV3Schema"
SPEC = f"{ROOT}.properties[spec]"


def linted(*definitions: dict[str, Any], without: tuple[str, ...] = (), errors_only: bool = False) -> Report:
    text = "\n".join(json.dumps(one) for one in definitions)
    inputs = [Input("a.json", found) for found in documents.scan_text(text.encode(), "a.json")]
    return lint(inputs, Settings(), without=without, errors_only=errors_only)


def found(rule: str, *definitions: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding.field, finding.message) for finding in linted(*definitions).findings if finding.rule == rule]


def field(**node: Any) -> dict[str, Any]:
    """A definition with one field."""
    return definition(version(openapi=schema({"type": "object", "properties": {"a": node}})))


def objects(has: str, name: str = "v1", *, storage: bool = True) -> dict[str, Any]:
    """A version whose objects have one field."""
    return version(name, schema({"type": "object", "properties": {has: {"type": "string"}}}), storage=storage)


RULE = {"x-kubernetes-validations": [{"rule": "self != ''", "message": "say something"}]}
TEXTS = {"type": "string", "maxLength": 9}
CASES: dict[str, tuple[dict[str, Any], list[tuple[str, str]], dict[str, Any]]] = {
    "unbounded-rule": (
        field(type="array", items={**TEXTS, **RULE}),
        [(f"{SPEC}.properties[a]", "the list .spec.a has rules but no maxItems")],
        field(type="array", items={**TEXTS, **RULE}, maxItems=3),
    ),
    "rule-without-message": (
        field(**TEXTS, **{"x-kubernetes-validations": [{"rule": "self != ''"}]}),
        [(f"{SPEC}.properties[a].x-kubernetes-validations[0]", """the rule "self != ''" has no message""")],
        field(**TEXTS, **RULE),
    ),
    "preserve-unknown-root": (
        definition(version(openapi=schema(**{"x-kubernetes-preserve-unknown-fields": True}))),
        [(f"{ROOT}.x-kubernetes-preserve-unknown-fields", "unknown fields are kept at the root")],
        field(type="object", **{"x-kubernetes-preserve-unknown-fields": True}),
    ),
    "default-under-nullable": (
        field(type="string", nullable=True, default="x"),
        [(f"{SPEC}.properties[a].default", "null is allowed at .spec.a, and is not replaced by its default")],
        field(type="string", default="x"),
    ),
    "object-without-fields": (
        field(type="object"),
        [(f"{SPEC}.properties[a]", "nothing within .spec.a is stored")],
        field(type="object", additionalProperties={"type": "string"}),
    ),
    "list-without-type": (
        field(type="array", items={"type": "string"}),
        [(f"{SPEC}.properties[a]", "the list .spec.a has no x-kubernetes-list-type")],
        field(type="array", items={"type": "string"}, **{"x-kubernetes-list-type": "atomic"}),
    ),
    "int-or-string-without-pattern": (
        field(**{"x-kubernetes-int-or-string": True}),
        [(f"{SPEC}.properties[a]", ".spec.a takes any text")],
        field(**{"x-kubernetes-int-or-string": True}, pattern="^[0-9]+%$"),
    ),
    "enum-with-empty-text": (
        field(type="string", enum=["", "a"]),
        [(f"{SPEC}.properties[a].enum", '.spec.a may be ""')],
        field(type="string", enum=["a"]),
    ),
    "required-but-undefined": (
        field(type="object", required=["b"], properties={"c": {"type": "string"}}),
        [(f"{SPEC}.properties[a].required", ".spec.a.b is required, but not among the properties")],
        field(type="object", required=["b"], additionalProperties={"type": "string"}),
    ),
    "pattern-unanchored": (
        field(type="string", pattern="[a-z]+"),
        [(f"{SPEC}.properties[a].pattern", "the pattern '[a-z]+' of .spec.a need only match a part of the text")],
        field(type="string", pattern="^[a-z]+$"),
    ),
    "status-without-subresource": (
        definition(version(subresources={})),
        [(f"{ROOT}.properties[status]", "there is a status, but no status subresource")],
        definition(),
    ),
    "column-path": (
        definition(version(additionalPrinterColumns=[{"name": "A", "type": "string", "jsonPath": ".spec.gone"}])),
        [("spec.versions[0].additionalPrinterColumns[0].jsonPath", "the column A: .spec.gone leads to no field of the schema")],
        definition(version(additionalPrinterColumns=[{"name": "A", "type": "date", "jsonPath": ".metadata.creationTimestamp"}])),
    ),
    "column-type": (
        definition(version(additionalPrinterColumns=[{"name": "A", "type": "integer", "jsonPath": ".spec.schedule"}])),
        [("spec.versions[0].additionalPrinterColumns[0].type", "the column A is of type integer, its field of type string")],
        definition(version(additionalPrinterColumns=[{"name": "A", "type": "integer", "jsonPath": ".spec.replicas"}])),
    ),
    "scale-path": (
        definition(version(subresources={"scale": {"specReplicasPath": ".spec.schedule", "statusReplicasPath": ".status.gone"}})),
        [
            ("spec.versions[0].subresources.scale.specReplicasPath", ".spec.schedule leads to a field of type string, not integer"),
            ("spec.versions[0].subresources.scale.statusReplicasPath", ".status.gone leads to no field of the schema"),
        ],
        definition(version(subresources={"scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.ready"}})),
    ),
    "deprecated-without-replacement": (
        definition(version(deprecated=True)),
        [("spec.versions[0].deprecated", "v1 is deprecated, and nothing newer is served")],
        definition(version(deprecated=True, deprecationWarning="go elsewhere")),
    ),
    "no-description": (
        field(type="string", description="What it is."),
        [(ROOT, "4 of 5 nodes of v1 have no description, the root among them")],
        definition(version(openapi={"type": "object", "description": "All of it."})),
    ),
    "unknown-format": (
        field(type="string", format="ip"),
        [(f"{SPEC}.properties[a].format", "the format 'ip' of .spec.a is not checked")],
        field(type="string", format="ipv4"),
    ),
    "conversion-loses-fields": (
        definition(objects("a"), objects("b", "v2", storage=False)),
        [
            ("spec.versions[1].schema", "fields of v2 are not stored, since v1 does not have them: .spec.b"),
            ("spec.versions[1].schema", "who writes v2 drops fields that only v1 has: .spec.a"),
        ],
        definition(objects("a"), objects("a", "v2", storage=False)),
    ),
    "short-name-taken": (
        definition(names={"shortNames": ["po", "ct"]}),
        [("spec.names.shortNames[0]", "the short name po is that of a kind which every cluster has")],
        definition(names={"shortNames": ["ct"]}),
    ),
}


def test_every_rule_has_a_case_a_reason_and_a_way_out() -> None:
    assert sorted(rule.id for rule in RULES) == sorted(CASES)
    assert all(rule.why.endswith(".") and rule.fix.endswith(".") for rule in RULES)


@pytest.mark.parametrize("rule", CASES)
def test_what_breaks_the_rule_is_told_where_it_stands(rule: str) -> None:
    broken, expected, _ = CASES[rule]
    assert found(rule, broken) == expected


@pytest.mark.parametrize("rule", CASES)
def test_what_keeps_the_rule_is_not_told(rule: str) -> None:
    assert found(rule, CASES[rule][2]) == []


def test_a_short_name_of_another_definition_is_told() -> None:
    other = definition(names={"plural": "cutters", "kind": "Cutter", "shortNames": ["ct"]})
    other["metadata"]["name"] = "cutters.example.com"
    first = definition(names={"shortNames": ["ct"]})
    expected = [("spec.names.shortNames[0]", "the short name ct is one of crontabs.example.com too")]
    assert found("short-name-taken", first, other) == expected
    assert found("short-name-taken", first, first) == []


@pytest.mark.parametrize(
    "path",
    [".status.conditions[?(@.type=='Ready')].status", ".spec['schedule']", "$.spec.schedule", ".metadata.labels.a", ".spec.any.thing"],
)
def test_paths_of_columns_that_lead_somewhere(path: str) -> None:
    kept = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    conditions = {"type": "array", "items": {"type": "object", "properties": {"type": {"type": "string"}, "status": {"type": "string"}}}}
    root = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "properties": {"schedule": {"type": "string"}, "any": kept}},
            "status": {"type": "object", "properties": {"conditions": conditions}},
        },
    }
    assert (
        found(
            "column-path", definition(version(openapi=root, additionalPrinterColumns=[{"name": "A", "type": "string", "jsonPath": path}]))
        )
        == []
    )


def test_a_default_below_what_may_be_null_is_told() -> None:
    inner = {"type": "object", "nullable": True, "properties": {"b": {"type": "string", "default": "x"}}}
    told = ".spec.a may be null, and then .spec.a.b does not get its default"
    assert found("default-under-nullable", field(**inner)) == [(f"{SPEC}.properties[a].properties[b].default", told)]


def test_a_refused_definition_is_told_in_the_server_s_words_alone() -> None:
    report = linted(definition(version(openapi={"type": "string"})))
    assert {finding.rule for finding in report.findings} == {""}
    assert report.has_errors


def test_rules_can_be_left_out() -> None:
    broken = field(type="array", items={"type": "string"})
    rules = {finding.rule for finding in linted(broken).findings}
    assert rules == {"list-without-type", "no-description"}
    assert {finding.rule for finding in linted(broken, without=("no-description",)).findings} == {"list-without-type"}
    assert linted(broken, errors_only=True).findings == []


def test_a_format_is_told_by_the_rule_and_not_by_the_server_too() -> None:
    messages = [one.message for one in linted(field(type="string", format="ip"), without=("no-description",)).findings]
    assert messages == ["the format 'ip' of .spec.a is not checked"]


def test_objects_are_skipped() -> None:
    assert linted({"kind": "Pod", "apiVersion": "v1"}).skipped == {"not a definition": 1}
