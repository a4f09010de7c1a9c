"""Webhook configurations and admission policies."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.builtin.admission.policies import MUTATING_BINDING, MUTATING_POLICY, VALIDATING_BINDING, VALIDATING_POLICY
from crdkit.builtin.admission.webhooks import MUTATING, VALIDATING
from crdkit.builtin.behaviour import Behaviour
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from tests.builtin.judging import change_faults, faults, read

RULE = {"operations": ["*"], "apiGroups": ["g"], "apiVersions": ["v1"], "resources": ["parcels"]}
WEBHOOK = {
    "name": "check.example.com",
    "clientConfig": {"url": "https://h.example.org/x"},
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
}
HOOKS = "ValidatingWebhookConfiguration"
POLICY = {"matchConstraints": {"resourceRules": [RULE]}, "validations": [{"expression": "true"}]}


def webhook_faults(kube: KubeVersion = V1_36, **fields: Any) -> list[str]:
    return faults(VALIDATING, HOOKS, {"webhooks": [{**WEBHOOK, **fields}]}, kube)


def policy_faults(kube: KubeVersion = V1_36, **fields: Any) -> list[str]:
    return faults(VALIDATING_POLICY, "ValidatingAdmissionPolicy", {"spec": {**POLICY, **fields}}, kube)


def test_what_is_left_open_is_filled_in() -> None:
    obj = {"webhooks": [{**WEBHOOK, "clientConfig": {"service": {"namespace": "n", "name": "s"}}, "rules": [RULE]}]}
    (webhook,) = read(MUTATING, "MutatingWebhookConfiguration", obj)["webhooks"]
    assert webhook == {
        **WEBHOOK,
        "clientConfig": {"service": {"namespace": "n", "name": "s", "port": 443}},
        "rules": [{**RULE, "scope": "*"}],
        "failurePolicy": "Fail",
        "matchPolicy": "Equivalent",
        "namespaceSelector": {},
        "objectSelector": {},
        "timeoutSeconds": 10,
        "reinvocationPolicy": "Never",
    }


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({}, []),
        ({"name": ""}, ["webhooks[0].name: Required value"]),
        (
            {"name": "two.parts"},
            ['webhooks[0].name: Invalid value: "two.parts": should be a domain with at least three segments separated by dots'],
        ),
        ({"sideEffects": "Some"}, ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"']),
        ({"sideEffects": None}, ["webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun"]),
        ({"failurePolicy": "Maybe"}, ['webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"']),
        ({"timeoutSeconds": 31}, ["webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds"]),
        ({"clientConfig": {}}, ["webhooks[0].clientConfig: Required value: exactly one of url or service is required"]),
        ({"admissionReviewVersions": []}, ["webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1"]),
        (
            {"admissionReviewVersions": ["v2"]},
            ['webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1'],
        ),
        ({"rules": [{**RULE, "operations": []}]}, ["webhooks[0].rules[0].operations: Required value"]),
        (
            {"rules": [{**RULE, "resources": ["pods/*", "pods/status"]}]},
            ["webhooks[0].rules[0].resources[1]: Invalid value: \"pods/status\": if 'pods/*' is present, must not specify pods/status"],
        ),
        (
            {"matchConditions": [{"name": "a", "expression": "true"}, {"name": "a", "expression": ""}]},
            [
                "webhooks[0].matchConditions[1].expression: Required value",
                'webhooks[0].matchConditions[1].name: Duplicate value: "a"',
            ],
        ),
    ],
)
def test_webhooks(fields: dict[str, Any], texts: list[str]) -> None:
    assert webhook_faults(**fields) == texts


@pytest.mark.parametrize(("kube", "shown"), [(V1_36, '["*","CREATE"]'), (V1_33, '[]admissionregistration.OperationType{"*", "CREATE"}')])
def test_wildcards_stand_alone(kube: KubeVersion, shown: str) -> None:
    told = webhook_faults(kube, rules=[{**RULE, "operations": ["*", "CREATE"]}])
    assert told == [f"webhooks[0].rules[0].operations: Invalid value: {shown}: if '*' is present, must not specify other operations"]


def test_what_was_let_in_once_may_stay() -> None:
    old = {"webhooks": [{**WEBHOOK, "sideEffects": "Some"}]}
    assert change_faults(VALIDATING, HOOKS, old, old) == []
    assert change_faults(VALIDATING, HOOKS, {"webhooks": [WEBHOOK]}, old) != []


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({}, []),
        ({"matchConstraints": None}, ["spec.matchConstraints: Required value"]),
        ({"matchConstraints": {}}, ["spec.matchConstraints.resourceRules: Required value"]),
        (
            {"validations": []},
            [
                "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
                "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item",
            ],
        ),
        (
            {"paramKind": {"apiVersion": "a/b/c"}},
            [
                'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
                "spec.paramKind.kind: Required value",
            ],
        ),
        (
            {"variables": [{"name": "1a", "expression": "1"}]},
            ['spec.variables[0].name: Invalid value: "1a": must be a valid CEL identifier'],
        ),
        (
            {"auditAnnotations": [{"key": "k", "valueExpression": ""}]},
            ["spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified"],
        ),
    ],
)
def test_policies(fields: dict[str, Any], texts: list[str]) -> None:
    assert policy_faults(**fields) == texts


@pytest.mark.parametrize(("kube", "who"), [(V1_36, ""), (V1_33, "message ")])
def test_messages_say_something_in_one_line(kube: KubeVersion, who: str) -> None:
    validations = [{"expression": "true", "message": " "}, {"expression": "true", "message": "a\nb"}]
    assert policy_faults(kube, validations=validations) == [
        f'spec.validations[0].message: Invalid value: " ": {who}must be non-empty if specified',
        f'spec.validations[1].message: Invalid value: "a\\nb": {who}must not contain line breaks',
    ]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ({"policyName": "p", "validationActions": ["Deny"]}, []),
        (
            {"policyName": "", "validationActions": []},
            [
                "spec.policyName: Required value",
                "spec.validationActions: Required value: at least one validation action is required",
            ],
        ),
        (
            {"policyName": "p", "validationActions": ["Deny"], "paramRef": {"name": "x", "selector": {}}},
            [
                "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
                "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
                "spec.paramRef.parameterNotFoundAction: Required value",
            ],
        ),
    ],
)
def test_bindings(spec: dict[str, Any], texts: list[str]) -> None:
    assert faults(VALIDATING_BINDING, "ValidatingAdmissionPolicyBinding", {"spec": spec}) == texts


def mutating_faults(*mutations: Any, rule: dict[str, Any] = RULE) -> list[str]:
    spec = {"matchConstraints": {"resourceRules": [rule]}, "reinvocationPolicy": "Never", "mutations": list(mutations)}
    return faults(MUTATING_POLICY, "MutatingAdmissionPolicy", {"spec": spec})


@pytest.mark.parametrize(
    ("mutation", "texts"),
    [
        ({"patchType": "JSONPatch"}, ["jsonPatch: Required value: must be specified when patchType is JSONPatch"]),
        ({"patchType": ""}, ["patchType: Required value"]),
        ({"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": " "}}, ["applyConfiguration.expression: Required value"]),
        (
            {"patchType": "ApplyConfiguration", "jsonPatch": {"expression": "[]"}},
            [
                "applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration",
                'jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration',
            ],
        ),
    ],
)
def test_mutations_have_what_their_type_names(mutation: dict[str, Any], texts: list[str]) -> None:
    assert mutating_faults(mutation) == [f"spec.mutations[0].{text}" for text in texts]


def test_deletions_are_not_changed() -> None:
    choice = 'Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"'
    rule = {**RULE, "operations": ["CREATE", "DELETE"]}
    mutation = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}
    assert mutating_faults(mutation, rule=rule) == [f"spec.matchConstraints.resourceRules.operations: {choice}"]
    spec = {"policyName": "p", "matchResources": {"resourceRules": [rule]}}
    assert faults(MUTATING_BINDING, "MutatingAdmissionPolicyBinding", {"spec": spec}) == [
        f"spec.matchResources.resourceRules.operations: {choice}"
    ]


def test_a_policy_without_variables_does_not_know_them() -> None:
    (text,) = policy_faults(validations=[{"expression": "variables.a"}])
    assert "undeclared reference to 'variables' (in container '')" in text


def test_an_annotation_is_told_as_it_was_given() -> None:
    (text,) = policy_faults(auditAnnotations=[{"key": "k", "valueExpression": " 1 "}])
    assert text == 'spec.auditAnnotations[0].valueExpression: Invalid value: " 1 ": must evaluate to one of [string null_type] but got int'


def test_conditions_are_checked_again_when_there_are_no_parameters_any_more() -> None:
    conditions = [{"name": "a", "expression": "params.a == 1"}]
    kind, spec = "ValidatingAdmissionPolicy", {"matchConstraints": {"resourceRules": [RULE]}, "validations": [{"expression": "true"}]}
    old = {"spec": {**spec, "matchConditions": conditions, "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}}
    assert faults(VALIDATING_POLICY, kind, old) == []
    (text,) = change_faults(VALIDATING_POLICY, kind, old, {"spec": {**spec, "matchConditions": conditions}})
    assert "undeclared reference to 'params'" in text


@pytest.mark.parametrize("behaviour", [VALIDATING, MUTATING, VALIDATING_POLICY, MUTATING_POLICY, VALIDATING_BINDING, MUTATING_BINDING])
def test_reserved_names_are_warned_of(behaviour: Behaviour) -> None:
    reserved, free = {"metadata": {"name": "a.static.k8s.io"}}, {"metadata": {"name": "static.k8s.io"}}
    why = "are reserved for static manifest-based configurations and cannot be managed via the API"
    assert behaviour.warnings(reserved, reserved, V1_36) == [f'metadata.name: names ending with ".static.k8s.io" {why}']
    assert behaviour.warnings(free, None, V1_36) == behaviour.warnings(reserved, None, V1_33) == []
