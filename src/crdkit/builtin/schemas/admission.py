"""The types of ``admissionregistration.k8s.io/v1``: webhooks and policies that look at requests."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, integer, kind, list_of, many, one, ref, string, struct
from crdkit.meta.types import JsonObject

V1: Final = "io.k8s.api.admissionregistration.v1."
TEXTS: Final = string()


def _texts(description: str) -> JsonObject:
    return many(TEXTS, description, list_type="atomic")


def _by_name(name: str, description: str) -> JsonObject:
    return many(ref(V1 + name), description, list_type="map", keys=("name",), merge_key="name")


_NAMESPACE_SELECTOR: Final = one(
    META + "LabelSelector", "namespaceSelector limits this to namespaces with such labels; all by default.", optional=True
)
_OBJECT_SELECTOR: Final = one(
    META + "LabelSelector", "objectSelector limits this to objects that have, or had, such labels; all by default.", optional=True
)
_MATCH_POLICY: Final = string(
    "matchPolicy is Exact, or Equivalent (the default): then requests for the same objects in other versions count too, and are converted."
)
_FAILURE_POLICY: Final = string("failurePolicy is what an error means: Fail (the default) refuses the request, Ignore lets it pass.")
_MATCH_CONDITIONS: Final = _by_name(
    "MatchCondition", "matchConditions are expressions, all of which must be true for a request to count; 64 at most."
)
_VARIABLES: Final = many(
    ref(V1 + "Variable"),
    "variables are expressions with names, to be used as variables.NAME in those that follow.",
    list_type="map",
    keys=("name",),
    merge_key="name",
)
_PARAM_KIND: Final = one(V1 + "ParamKind", "paramKind is the kind of the objects that hold parameters, if there are some.", optional=True)
_PARAM_REF: Final = one(V1 + "ParamRef", "paramRef is where the parameters are.", optional=True)
_MATCH_RESOURCES: Final = one(V1 + "MatchResources", "matchResources narrows the policy's constraints down.", optional=True)


def _webhook(own: dict[str, JsonObject], noun: str) -> JsonObject:
    """What webhooks of both kinds have, and what is one kind's own."""
    common = {
        "admissionReviewVersions": _texts(
            "admissionReviewVersions are the versions of AdmissionReview it understands, the preferred first."
        ),
        "clientConfig": one(V1 + "WebhookClientConfig", "clientConfig says where it is."),
        "failurePolicy": _FAILURE_POLICY,
        "matchConditions": _MATCH_CONDITIONS,
        "matchPolicy": _MATCH_POLICY,
        "name": string("name is a domain name of at least three parts.", default=""),
        "namespaceSelector": _NAMESPACE_SELECTOR,
        "objectSelector": _OBJECT_SELECTOR,
        "rules": many(ref(V1 + "RuleWithOperations"), "rules are the requests it is asked about.", list_type="atomic"),
        "sideEffects": string("sideEffects is None, or NoneOnDryRun: it leaves no traces, or none of dry runs."),
        "timeoutSeconds": integer("timeoutSeconds is how long it may take, 1 to 30, by default 10; after that, failurePolicy counts."),
    }
    return struct(
        f"{noun} is a webhook and what it is asked about.",
        {**common, **own},
        required=("name", "clientConfig", "sideEffects", "admissionReviewVersions"),
    )


def _rule(description: str, own: dict[str, JsonObject], *, atomic: bool = False) -> JsonObject:
    common = {
        "apiGroups": _texts('apiGroups are the groups; "*" is all.'),
        "apiVersions": _texts('apiVersions are the versions; "*" is all.'),
        "operations": _texts("operations are CREATE, UPDATE, DELETE and CONNECT; * is all."),
        "resources": _texts('resources are resources and subresources: `a`, `a/status`, `a/*`, `*/scale`, "*" (no subresources), "*/*".'),
        "scope": string('scope is Cluster, Namespaced or "*" (the default).'),
    }
    return struct(description, {**own, **common}, atomic=atomic)


TYPES: Final = {
    V1 + "ApplyConfiguration": struct(
        "ApplyConfiguration is a change in the form of server-side apply.",
        {"expression": string("expression gives the configuration to apply, as an object built in CEL.")},
    ),
    V1 + "AuditAnnotation": struct(
        "AuditAnnotation is what a policy notes in the audit log.",
        {
            "key": string("key is the name of the note within the policy.", default=""),
            "valueExpression": string("valueExpression gives the text, or null for no note.", default=""),
        },
        required=("key", "valueExpression"),
    ),
    V1 + "ExpressionWarning": struct(
        "ExpressionWarning is what the type checker found in an expression.",
        {
            "fieldRef": string("fieldRef is the field that the expression stands in.", default=""),
            "warning": string("warning is what is wrong, for each type that the policy is about.", default=""),
        },
        required=("fieldRef", "warning"),
    ),
    V1 + "JSONPatch": struct(
        "JSONPatch is a change in the form of a JSON patch.", {"expression": string("expression gives a list of patch operations.")}
    ),
    V1 + "MatchCondition": struct(
        "MatchCondition is an expression that must be true for a request to count.",
        {
            "expression": string("expression is CEL over object, oldObject, request, authorizer (and params in policies).", default=""),
            "name": string("name tells the conditions apart.", default=""),
        },
        required=("name", "expression"),
    ),
    V1 + "MatchResources": struct(
        "MatchResources says which requests a policy is about.",
        {
            "excludeResourceRules": many(
                ref(V1 + "NamedRuleWithOperations"),
                "excludeResourceRules are those it is not about, whatever else is said.",
                list_type="atomic",
            ),
            "matchPolicy": _MATCH_POLICY,
            "namespaceSelector": _NAMESPACE_SELECTOR,
            "objectSelector": _OBJECT_SELECTOR,
            "resourceRules": many(ref(V1 + "NamedRuleWithOperations"), "resourceRules are those it is about.", list_type="atomic"),
        },
        atomic=True,
    ),
    V1 + "MutatingAdmissionPolicy": kind(
        "MutatingAdmissionPolicy changes objects on their way in, by expressions.",
        {"spec": one(V1 + "MutatingAdmissionPolicySpec", "spec is the policy.")},
    ),
    V1 + "MutatingAdmissionPolicyBinding": kind(
        "MutatingAdmissionPolicyBinding puts a policy to work, with parameters if it has some.",
        {"spec": one(V1 + "MutatingAdmissionPolicyBindingSpec", "spec is which policy, where and with what.")},
    ),
    V1 + "MutatingAdmissionPolicyBindingList": list_of(
        V1 + "MutatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBindingList is a list of bindings.", "items are the bindings."
    ),
    V1 + "MutatingAdmissionPolicyBindingSpec": struct(
        "MutatingAdmissionPolicyBindingSpec is which policy works, where and with what.",
        {"matchResources": _MATCH_RESOURCES, "paramRef": _PARAM_REF, "policyName": string("policyName is the policy.")},
    ),
    V1 + "MutatingAdmissionPolicyList": list_of(
        V1 + "MutatingAdmissionPolicy", "MutatingAdmissionPolicyList is a list of policies.", "items are the policies."
    ),
    V1 + "MutatingAdmissionPolicySpec": struct(
        "MutatingAdmissionPolicySpec is a policy that changes objects.",
        {
            "failurePolicy": _FAILURE_POLICY,
            "matchConditions": _MATCH_CONDITIONS,
            "matchConstraints": one(V1 + "MatchResources", "matchConstraints are the requests it is about.", optional=True),
            "mutations": many(ref(V1 + "Mutation"), "mutations are the changes, one after the other.", list_type="atomic"),
            "paramKind": _PARAM_KIND,
            "reinvocationPolicy": string("reinvocationPolicy is Never, or IfNeeded: again if others changed the object after it."),
            "variables": many(ref(V1 + "Variable"), "variables are expressions with names, used as variables.NAME.", list_type="atomic"),
        },
    ),
    V1 + "MutatingWebhook": _webhook(
        {
            "reinvocationPolicy": string(
                "reinvocationPolicy is Never (the default), or IfNeeded: again if others changed the object after it."
            )
        },
        "MutatingWebhook",
    ),
    V1 + "MutatingWebhookConfiguration": kind(
        "MutatingWebhookConfiguration registers webhooks that may change objects on their way in.",
        {"webhooks": _by_name("MutatingWebhook", "webhooks are the webhooks.")},
    ),
    V1 + "MutatingWebhookConfigurationList": list_of(
        V1 + "MutatingWebhookConfiguration",
        "MutatingWebhookConfigurationList is a list of configurations.",
        "items are the configurations.",
    ),
    V1 + "Mutation": struct(
        "Mutation is one change.",
        {
            "applyConfiguration": one(V1 + "ApplyConfiguration", "applyConfiguration is the change, if that is its type.", optional=True),
            "jsonPatch": one(V1 + "JSONPatch", "jsonPatch is the change, if that is its type.", optional=True),
            "patchType": string("patchType is ApplyConfiguration or JSONPatch.", default=""),
        },
        required=("patchType",),
    ),
    V1 + "NamedRuleWithOperations": _rule(
        "NamedRuleWithOperations is operations on resources, or on objects of certain names.",
        {"resourceNames": _texts("resourceNames narrow the rule down to objects of these names.")},
        atomic=True,
    ),
    V1 + "ParamKind": struct(
        "ParamKind is the kind of the objects that hold a policy's parameters.",
        {"apiVersion": string("apiVersion is its group and version."), "kind": string("kind is the kind.")},
        atomic=True,
    ),
    V1 + "ParamRef": struct(
        "ParamRef is where a policy finds its parameters.",
        {
            "name": string("name is the object; not beside selector."),
            "namespace": string("namespace is where the object is; by default that of the request, for namespaced kinds."),
            "parameterNotFoundAction": string("parameterNotFoundAction is Allow or Deny: what happens without parameters."),
            "selector": one(META + "LabelSelector", "selector chooses objects, all of which count.", optional=True),
        },
        atomic=True,
    ),
    V1 + "RuleWithOperations": _rule("RuleWithOperations is operations on resources.", {}),
    V1 + "ServiceReference": struct(
        "ServiceReference names a service of the cluster.",
        {
            "name": string("name is the name of the service.", default=""),
            "namespace": string("namespace is the namespace of the service.", default=""),
            "path": string("path is the path of the URL that is called."),
            "port": integer("port is the port of the service, 443 unless said otherwise."),
        },
        required=("namespace", "name"),
    ),
    V1 + "TypeChecking": struct(
        "TypeChecking is what the type checker found in a policy.",
        {"expressionWarnings": many(ref(V1 + "ExpressionWarning"), "expressionWarnings are what it found.", list_type="atomic")},
    ),
    V1 + "ValidatingAdmissionPolicy": kind(
        "ValidatingAdmissionPolicy accepts or refuses requests, by expressions.",
        {
            "spec": one(V1 + "ValidatingAdmissionPolicySpec", "spec is the policy."),
            "status": one(V1 + "ValidatingAdmissionPolicyStatus", "status is what the server says of it."),
        },
    ),
    V1 + "ValidatingAdmissionPolicyBinding": kind(
        "ValidatingAdmissionPolicyBinding puts a policy to work, with parameters if it has some.",
        {"spec": one(V1 + "ValidatingAdmissionPolicyBindingSpec", "spec is which policy, where and with what.")},
    ),
    V1 + "ValidatingAdmissionPolicyBindingList": list_of(
        V1 + "ValidatingAdmissionPolicyBinding", "ValidatingAdmissionPolicyBindingList is a list of bindings.", "items are the bindings."
    ),
    V1 + "ValidatingAdmissionPolicyBindingSpec": struct(
        "ValidatingAdmissionPolicyBindingSpec is which policy works, where and with what.",
        {
            "matchResources": _MATCH_RESOURCES,
            "paramRef": _PARAM_REF,
            "policyName": string("policyName is the policy."),
            "validationActions": many(
                TEXTS,
                "validationActions are what a failure leads to: Deny, Warn, Audit. Deny and Warn exclude each other.",
                list_type="set",
            ),
        },
    ),
    V1 + "ValidatingAdmissionPolicyList": list_of(
        V1 + "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyList is a list of policies.", "items are the policies."
    ),
    V1 + "ValidatingAdmissionPolicySpec": struct(
        "ValidatingAdmissionPolicySpec is a policy that accepts or refuses.",
        {
            "auditAnnotations": many(
                ref(V1 + "AuditAnnotation"), "auditAnnotations are what it notes in the audit log.", list_type="atomic"
            ),
            "failurePolicy": _FAILURE_POLICY,
            "matchConditions": _MATCH_CONDITIONS,
            "matchConstraints": one(V1 + "MatchResources", "matchConstraints are the requests it is about.", optional=True),
            "paramKind": _PARAM_KIND,
            "validations": many(ref(V1 + "Validation"), "validations are the rules.", list_type="atomic"),
            "variables": _VARIABLES,
        },
    ),
    V1 + "ValidatingAdmissionPolicyStatus": struct(
        "ValidatingAdmissionPolicyStatus is what the server says of a policy.",
        {
            "conditions": many(ref(META + "Condition"), "conditions are what is said of its state.", list_type="map", keys=("type",)),
            "observedGeneration": integer("observedGeneration is the metadata.generation that was looked at.", bits=64),
            "typeChecking": one(V1 + "TypeChecking", "typeChecking is what the type checker found.", optional=True),
        },
    ),
    V1 + "ValidatingWebhook": _webhook({}, "ValidatingWebhook"),
    V1 + "ValidatingWebhookConfiguration": kind(
        "ValidatingWebhookConfiguration registers webhooks that accept or refuse requests.",
        {"webhooks": _by_name("ValidatingWebhook", "webhooks are the webhooks.")},
    ),
    V1 + "ValidatingWebhookConfigurationList": list_of(
        V1 + "ValidatingWebhookConfiguration",
        "ValidatingWebhookConfigurationList is a list of configurations.",
        "items are the configurations.",
    ),
    V1 + "Validation": struct(
        "Validation is one rule of a policy.",
        {
            "expression": string(
                "expression must be true. It sees object, oldObject, request, params, namespaceObject, variables and authorizer.",
                default="",
            ),
            "message": string("message is what a refusal says."),
            "messageExpression": string("messageExpression gives the message, and wins over message unless it fails."),
            "reason": string(
                "reason is the reason of the refusal: Unauthorized, Forbidden, Invalid (the default) or RequestEntityTooLarge."
            ),
        },
        required=("expression",),
    ),
    V1 + "Variable": struct(
        "Variable is an expression with a name.",
        {
            "expression": string("expression gives the value. It sees what validations see, and earlier variables.", default=""),
            "name": string("name is a CEL identifier: `foo` is used as variables.foo.", default=""),
        },
        required=("name", "expression"),
        atomic=True,
    ),
    V1 + "WebhookClientConfig": struct(
        "WebhookClientConfig says where a webhook is: at a URL, or behind a service.",
        {
            "caBundle": string(
                "caBundle is the PEM text of the authorities that the webhook's certificate is checked against.", form="byte"
            ),
            "service": one(V1 + "ServiceReference", "service is the service that answers, if url is not given.", optional=True),
            "url": string("url is the address, `https://host:port/path`, if service is not given. It has no user, query or fragment."),
        },
    ),
}
