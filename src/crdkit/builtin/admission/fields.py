"""The Go types of ``admissionregistration.k8s.io/v1``."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.common_fields import HEAD, META
from crdkit.meta.gostruct import StructTable

_RULE: Final = {
    "operations": "[]OperationType?",
    "apiGroups": "[]string?",
    "apiVersions": "[]string?",
    "resources": "[]string?",
    "scope": "*ScopeType?",
}
_WEBHOOK: Final = {
    "name": "string",
    "clientConfig": "WebhookClientConfig",
    "rules": "[]RuleWithOperations?",
    "failurePolicy": "*FailurePolicyType?",
    "matchPolicy": "*MatchPolicyType?",
    "namespaceSelector": "*LabelSelector?",
    "objectSelector": "*LabelSelector?",
    "sideEffects": "*SideEffectClass",
    "timeoutSeconds": "*int32?",
    "admissionReviewVersions": "[]string",
}
_MATCH_CONDITIONS: Final = {"matchConditions": "[]MatchCondition?"}

FIELDS: Final = StructTable(
    package="v1",
    structs={
        "ValidatingWebhookConfiguration": {**HEAD, "webhooks": "[]ValidatingWebhook?"},
        "ValidatingWebhook": {**_WEBHOOK, **_MATCH_CONDITIONS},
        "MutatingWebhookConfiguration": {**HEAD, "webhooks": "[]MutatingWebhook?"},
        "MutatingWebhook": {**_WEBHOOK, "reinvocationPolicy": "*ReinvocationPolicyType?", **_MATCH_CONDITIONS},
        "WebhookClientConfig": {"url": "*string?", "service": "*ServiceReference?", "caBundle": "[]byte?"},
        "ServiceReference": {"namespace": "string", "name": "string", "path": "*string?", "port": "*int32?"},
        "RuleWithOperations": _RULE,
        "NamedRuleWithOperations": {"resourceNames": "[]string?", **_RULE},
        "MatchCondition": {"name": "string", "expression": "string"},
        "MatchResources": {
            "namespaceSelector": "*LabelSelector?",
            "objectSelector": "*LabelSelector?",
            "resourceRules": "[]NamedRuleWithOperations?",
            "excludeResourceRules": "[]NamedRuleWithOperations?",
            "matchPolicy": "*MatchPolicyType?",
        },
        "ParamKind": {"apiVersion": "string?", "kind": "string?"},
        "ParamRef": {
            "name": "string?",
            "namespace": "string?",
            "selector": "*LabelSelector?",
            "parameterNotFoundAction": "*ParameterNotFoundActionType?",
        },
        "Variable": {"name": "string", "expression": "string"},
        "ValidatingAdmissionPolicy": {
            **HEAD,
            "spec": "ValidatingAdmissionPolicySpec?",
            "status": "ValidatingAdmissionPolicyStatus?",
        },
        "ValidatingAdmissionPolicySpec": {
            "paramKind": "*ParamKind?",
            "matchConstraints": "*MatchResources?",
            "validations": "[]Validation?",
            "failurePolicy": "*FailurePolicyType?",
            "auditAnnotations": "[]AuditAnnotation?",
            **_MATCH_CONDITIONS,
            "variables": "[]Variable?",
        },
        "Validation": {
            "expression": "string",
            "message": "string?",
            "reason": "*metav1.StatusReason?",
            "messageExpression": "string?",
        },
        "AuditAnnotation": {"key": "string", "valueExpression": "string"},
        "ValidatingAdmissionPolicyStatus": {
            "observedGeneration": "int64?",
            "typeChecking": "*TypeChecking?",
            "conditions": "[]Condition?",
        },
        "TypeChecking": {"expressionWarnings": "[]ExpressionWarning?"},
        "ExpressionWarning": {"fieldRef": "string", "warning": "string"},
        "ValidatingAdmissionPolicyBinding": {**HEAD, "spec": "ValidatingAdmissionPolicyBindingSpec?"},
        "ValidatingAdmissionPolicyBindingSpec": {
            "policyName": "string?",
            "paramRef": "*ParamRef?",
            "matchResources": "*MatchResources?",
            "validationActions": "[]ValidationAction?",
        },
        "MutatingAdmissionPolicy": {**HEAD, "spec": "MutatingAdmissionPolicySpec?"},
        "MutatingAdmissionPolicySpec": {
            "paramKind": "*ParamKind?",
            "matchConstraints": "*MatchResources?",
            "variables": "[]Variable?",
            "mutations": "[]Mutation?",
            "failurePolicy": "*FailurePolicyType?",
            **_MATCH_CONDITIONS,
            "reinvocationPolicy": "ReinvocationPolicyType?",
        },
        "Mutation": {
            "patchType": "PatchType",
            "applyConfiguration": "*ApplyConfiguration?",
            "jsonPatch": "*JSONPatch?",
        },
        "ApplyConfiguration": {"expression": "string?"},
        "JSONPatch": {"expression": "string?"},
        "MutatingAdmissionPolicyBinding": {**HEAD, "spec": "MutatingAdmissionPolicyBindingSpec?"},
        "MutatingAdmissionPolicyBindingSpec": {
            "policyName": "string?",
            "paramRef": "*ParamRef?",
            "matchResources": "*MatchResources?",
        },
    },
    aliases={
        "OperationType": "string",
        "ScopeType": "string",
        "FailurePolicyType": "string",
        "MatchPolicyType": "string",
        "SideEffectClass": "string",
        "ReinvocationPolicyType": "string",
        "ParameterNotFoundActionType": "string",
        "metav1.StatusReason": "string",
        "ValidationAction": "string",
        "PatchType": "string",
    },
    includes=(META,),
)
