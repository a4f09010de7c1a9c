"""The messages of admissionregistration.k8s.io/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.builtin.protobuf.webhooks import WEBHOOK_CLIENTS
from crdkit.meta.goprotobuf import MessageTable

_WEBHOOK: Final = {
    "name": "1 string",
    "clientConfig": "2 WebhookClientConfig",
    "rules": "3 []RuleWithOperations",
    "failurePolicy": "4 *string",
    "namespaceSelector": "5 *LabelSelector",
    "sideEffects": "6 *string",
    "timeoutSeconds": "7 *int32",
    "admissionReviewVersions": "8 []string",
    "matchPolicy": "9 *string",
}
_BINDING: Final = {"policyName": "1 string", "paramRef": "2 *ParamRef", "matchResources": "3 *MatchResources"}

V1: Final = MessageTable(
    {
        "MutatingWebhookConfiguration": {"metadata": "1 ObjectMeta", "webhooks": "2 []MutatingWebhook"},
        "MutatingWebhookConfigurationList": {"metadata": "1 ListMeta", "items": "2 []MutatingWebhookConfiguration"},
        "MutatingWebhook": {
            **_WEBHOOK,
            "reinvocationPolicy": "10 *string",
            "objectSelector": "11 *LabelSelector",
            "matchConditions": "12 []MatchCondition",
        },
        "ValidatingWebhookConfiguration": {"metadata": "1 ObjectMeta", "webhooks": "2 []ValidatingWebhook"},
        "ValidatingWebhookConfigurationList": {"metadata": "1 ListMeta", "items": "2 []ValidatingWebhookConfiguration"},
        "ValidatingWebhook": {**_WEBHOOK, "objectSelector": "10 *LabelSelector", "matchConditions": "11 []MatchCondition"},
        "Rule": {"apiGroups": "1 []string", "apiVersions": "2 []string", "resources": "3 []string", "scope": "4 *string"},
        "RuleWithOperations": {"operations": "1 []string", "rule": "2 inline Rule"},
        "NamedRuleWithOperations": {"resourceNames": "1 []string", "ruleWithOperations": "2 inline RuleWithOperations"},
        "MatchCondition": {"name": "1 string", "expression": "2 string"},
        "MatchResources": {
            "namespaceSelector": "1 *LabelSelector",
            "objectSelector": "2 *LabelSelector",
            "resourceRules": "3 []NamedRuleWithOperations",
            "excludeResourceRules": "4 []NamedRuleWithOperations",
            "matchPolicy": "7 *string",
        },
        "ValidatingAdmissionPolicy": {
            "metadata": "1 ObjectMeta",
            "spec": "2 ValidatingAdmissionPolicySpec",
            "status": "3 ValidatingAdmissionPolicyStatus",
        },
        "ValidatingAdmissionPolicyList": {"metadata": "1 ListMeta", "items": "2 []ValidatingAdmissionPolicy"},
        "ValidatingAdmissionPolicySpec": {
            "paramKind": "1 *ParamKind",
            "matchConstraints": "2 *MatchResources",
            "validations": "3 []Validation",
            "failurePolicy": "4 *string",
            "auditAnnotations": "5 []AuditAnnotation",
            "matchConditions": "6 []MatchCondition",
            "variables": "7 []Variable",
        },
        "ValidatingAdmissionPolicyStatus": {
            "observedGeneration": "1 int64",
            "typeChecking": "2 *TypeChecking",
            "conditions": "3 []Condition",
        },
        "ValidatingAdmissionPolicyBinding": {"metadata": "1 ObjectMeta", "spec": "2 ValidatingAdmissionPolicyBindingSpec"},
        "ValidatingAdmissionPolicyBindingList": {"metadata": "1 ListMeta", "items": "2 []ValidatingAdmissionPolicyBinding"},
        "ValidatingAdmissionPolicyBindingSpec": {**_BINDING, "validationActions": "4 []string"},
        "MutatingAdmissionPolicy": {"metadata": "1 ObjectMeta", "spec": "2 MutatingAdmissionPolicySpec"},
        "MutatingAdmissionPolicyList": {"metadata": "1 ListMeta", "items": "2 []MutatingAdmissionPolicy"},
        "MutatingAdmissionPolicySpec": {
            "paramKind": "1 *ParamKind",
            "matchConstraints": "2 *MatchResources",
            "variables": "3 []Variable",
            "mutations": "4 []Mutation",
            "failurePolicy": "5 *string",
            "matchConditions": "6 []MatchCondition",
            "reinvocationPolicy": "7 string",
        },
        "MutatingAdmissionPolicyBinding": {"metadata": "1 ObjectMeta", "spec": "2 MutatingAdmissionPolicyBindingSpec"},
        "MutatingAdmissionPolicyBindingList": {"metadata": "1 ListMeta", "items": "2 []MutatingAdmissionPolicyBinding"},
        "MutatingAdmissionPolicyBindingSpec": _BINDING,
        "Mutation": {"patchType": "2 string", "applyConfiguration": "3 *ApplyConfiguration", "jsonPatch": "4 *JSONPatch"},
        "ApplyConfiguration": {"expression": "1 string"},
        "JSONPatch": {"expression": "1 string"},
        "ParamKind": {"apiVersion": "1 string", "kind": "2 string"},
        "ParamRef": {
            "name": "1 string",
            "namespace": "2 string",
            "selector": "3 *LabelSelector",
            "parameterNotFoundAction": "4 *string",
        },
        "Validation": {"expression": "1 string", "message": "2 string", "reason": "3 *string", "messageExpression": "4 string"},
        "AuditAnnotation": {"key": "1 string", "valueExpression": "2 string"},
        "Variable": {"name": "1 string", "expression": "2 string"},
        "TypeChecking": {"expressionWarnings": "1 []ExpressionWarning"},
        "ExpressionWarning": {"fieldRef": "2 string", "warning": "3 string"},
    },
    includes=(META, WEBHOOK_CLIENTS),
)
