"""Reviews (authentication.k8s.io/v1, authorization.k8s.io/v1): questions that are answered and forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.builtin.common_fields import HEAD, META
from crdkit.meta import errors, golang
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

_SPEC: Final = ROOT / "spec"

AUTHORIZATION_FIELDS: Final = StructTable(
    package="v1",
    structs={
        "SubjectAccessReview": {**HEAD, "spec": "SubjectAccessReviewSpec", "status": "SubjectAccessReviewStatus?"},
        "LocalSubjectAccessReview": {**HEAD, "spec": "SubjectAccessReviewSpec", "status": "SubjectAccessReviewStatus?"},
        "SelfSubjectAccessReview": {**HEAD, "spec": "SelfSubjectAccessReviewSpec", "status": "SubjectAccessReviewStatus?"},
        "SelfSubjectRulesReview": {**HEAD, "spec": "SelfSubjectRulesReviewSpec", "status": "SubjectRulesReviewStatus?"},
        "SubjectAccessReviewSpec": {
            "resourceAttributes": "*ResourceAttributes?",
            "nonResourceAttributes": "*NonResourceAttributes?",
            "user": "string?",
            "groups": "[]string?",
            "extra": "map[string]ExtraValue?",
            "uid": "string?",
        },
        "SelfSubjectAccessReviewSpec": {
            "resourceAttributes": "*ResourceAttributes?",
            "nonResourceAttributes": "*NonResourceAttributes?",
        },
        "SelfSubjectRulesReviewSpec": {"namespace": "string?"},
        "ResourceAttributes": {
            "namespace": "string?",
            "verb": "string?",
            "group": "string?",
            "version": "string?",
            "resource": "string?",
            "subresource": "string?",
            "name": "string?",
            "fieldSelector": "*FieldSelectorAttributes?",
            "labelSelector": "*LabelSelectorAttributes?",
        },
        "NonResourceAttributes": {"path": "string?", "verb": "string?"},
        "FieldSelectorAttributes": {"rawSelector": "string?", "requirements": "[]FieldSelectorRequirement?"},
        "LabelSelectorAttributes": {"rawSelector": "string?", "requirements": "[]LabelSelectorRequirement?"},
        "FieldSelectorRequirement": {"key": "string", "operator": "FieldSelectorOperator", "values": "[]string?"},
        "SubjectAccessReviewStatus": {
            "allowed": "bool",
            "denied": "bool?",
            "reason": "string?",
            "evaluationError": "string?",
        },
        "SubjectRulesReviewStatus": {
            "resourceRules": "[]ResourceRule",
            "nonResourceRules": "[]NonResourceRule",
            "incomplete": "bool",
            "evaluationError": "string?",
        },
        "ResourceRule": {"verbs": "[]string", "apiGroups": "[]string?", "resources": "[]string?", "resourceNames": "[]string?"},
        "NonResourceRule": {"verbs": "[]string", "nonResourceURLs": "[]string?"},
    },
    aliases={"ExtraValue": "[]string", "FieldSelectorOperator": "string"},
    includes=(META,),
)

AUTHENTICATION_FIELDS: Final = StructTable(
    package="v1",
    structs={
        "TokenReview": {**HEAD, "spec": "TokenReviewSpec", "status": "TokenReviewStatus?"},
        "TokenReviewSpec": {"token": "string?", "audiences": "[]string?"},
        "TokenReviewStatus": {
            "authenticated": "bool?",
            "user": "UserInfo?",
            "audiences": "[]string?",
            "error": "string?",
        },
        "SelfSubjectReview": {**HEAD, "status": "SelfSubjectReviewStatus?"},
        "SelfSubjectReviewStatus": {"userInfo": "UserInfo?"},
        "UserInfo": {
            "username": "string?",
            "uid": "string?",
            "groups": "[]string?",
            "extra": "map[string]ExtraValue?",
        },
    },
    aliases={"ExtraValue": "[]string"},
    includes=(META,),
)


def check_self_access(review: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a SelfSubjectAccessReview."""
    yield from _check_question(review["spec"], "nonResourceAttributes")
    yield from _check_metadata(review, kube)


def check_access(review: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a SubjectAccessReview."""
    yield from _check_subject(review["spec"])
    yield from _check_metadata(review, kube)


def check_local_access(review: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a LocalSubjectAccessReview: it is about resources in its own namespace."""
    spec, own = review["spec"], review["metadata"].get("namespace", "")
    yield from _check_subject(spec)
    yield from _check_metadata({"metadata": {name: value for name, value in review["metadata"].items() if name != "namespace"}}, kube)
    resource = spec.get("resourceAttributes")
    if resource is not None and resource.get("namespace", "") != own:
        yield errors.invalid(_SPEC / "resourceAttributes" / "namespace", resource.get("namespace", ""), "must match metadata.namespace")
    if spec.get("nonResourceAttributes") is not None:
        yield errors.invalid(
            _SPEC / "nonResourceAttributes", _path_value(spec["nonResourceAttributes"]), "disallowed on this kind of request"
        )


def _check_subject(spec: JsonObject) -> Iterator[FieldError]:
    yield from _check_question(spec, "nonResourceAttributes")
    if not spec.get("user") and not spec.get("groups"):
        yield errors.invalid(_SPEC / "user", "", "at least one of user or group must be specified")


def _check_question(spec: JsonObject, other: str) -> Iterator[FieldError]:
    """Either a resource or a path is asked about."""
    resource, path = spec.get("resourceAttributes"), spec.get(other)
    if resource is not None and path is not None:
        yield errors.invalid(_SPEC / other, _path_value(path), "cannot be specified in combination with resourceAttributes")
    if resource is None and path is None:
        yield errors.invalid(
            _SPEC / "resourceAttributes", _nothing(), "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        )
    if resource is not None:
        for name in ("fieldSelector", "labelSelector"):
            if (selector := resource.get(name)) is not None:
                yield from _check_selector(selector, _SPEC / "resourceAttributes" / name)


def _check_selector(selector: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    raw, requirements = selector.get("rawSelector", ""), selector.get("requirements") or ()
    if raw and requirements:
        yield errors.invalid(at / "rawSelector", raw, "may not specified at the same time as requirements")
    if not raw and not requirements:
        yield errors.required(at / "requirements", f"when {at} is specified, requirements or rawSelector is required")
    for index, requirement in enumerate(requirements):
        yield from _check_requirement(requirement, (at / "requirements").index(index))


def _check_requirement(requirement: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    key, operator, values = requirement["key"], requirement["operator"], requirement.get("values") or ()
    if not key:
        yield errors.required(at / "key", "must be specified")
    if operator in ("In", "NotIn"):
        if not values:
            yield errors.required(at / "values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield errors.forbidden(at / "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    else:
        yield errors.invalid(at / "operator", operator, "not a valid selector operator")


def _check_metadata(review: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """A review is no object: it has no metadata, but managed fields are overlooked."""
    del kube
    if set(review["metadata"]) - {"managedFields", "creationTimestamp"}:
        yield errors.invalid("metadata", _metadata_value(review["metadata"]), "must be empty")


def _path_value(path: JsonObject) -> golang.Typed:
    fields = {"Path": path.get("path", ""), "Verb": path.get("verb", "")}
    shown = ", ".join(f"{name}:{golang.quote(value)}" for name, value in fields.items())
    return golang.Typed(golang.Ordered(fields), f"authorization.NonResourceAttributes{{{shown}}}")


def _nothing() -> golang.Typed:
    return golang.Typed(None, '"null"')


def _metadata_value(metadata: JsonObject) -> golang.Typed:
    return golang.Typed(metadata, f"v1.ObjectMeta{{Name:{golang.quote(metadata.get('name', ''))}}}")
