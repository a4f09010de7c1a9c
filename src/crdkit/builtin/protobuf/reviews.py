"""The messages of authentication.k8s.io/v1 and authorization.k8s.io/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable
from crdkit.meta.types import Json, JsonObject


def _items(values: Json) -> JsonObject:
    return {"items": values}


def _values(message: JsonObject) -> Json:
    return message.get("items", [])


_EXTRA: Final = MessageTable({"ExtraValue": {"items": "1 []string"}}, special={"ExtraValue": (_items, _values)})
_ACCESS_REVIEW: Final = {"metadata": "1 ObjectMeta", "spec": "2 SubjectAccessReviewSpec", "status": "3 SubjectAccessReviewStatus"}

AUTHENTICATION: Final = MessageTable(
    {
        "SelfSubjectReview": {"metadata": "1 ObjectMeta", "status": "2 SelfSubjectReviewStatus"},
        "SelfSubjectReviewStatus": {"userInfo": "1 UserInfo"},
        "TokenReview": {"metadata": "1 ObjectMeta", "spec": "2 TokenReviewSpec", "status": "3 TokenReviewStatus"},
        "TokenReviewSpec": {"token": "1 string", "audiences": "2 []string"},
        "TokenReviewStatus": {"authenticated": "1 bool", "user": "2 UserInfo", "error": "3 string", "audiences": "4 []string"},
        "UserInfo": {"username": "1 string", "uid": "2 string", "groups": "3 []string", "extra": "4 map[string]ExtraValue"},
    },
    includes=(META, _EXTRA),
)

AUTHORIZATION: Final = MessageTable(
    {
        "SubjectAccessReview": _ACCESS_REVIEW,
        "LocalSubjectAccessReview": _ACCESS_REVIEW,
        "SelfSubjectAccessReview": {**_ACCESS_REVIEW, "spec": "2 SelfSubjectAccessReviewSpec"},
        "SelfSubjectRulesReview": {
            "metadata": "1 ObjectMeta",
            "spec": "2 SelfSubjectRulesReviewSpec",
            "status": "3 SubjectRulesReviewStatus",
        },
        "SubjectAccessReviewSpec": {
            "resourceAttributes": "1 *ResourceAttributes",
            "nonResourceAttributes": "2 *NonResourceAttributes",
            "user": "3 string",
            "groups": "4 []string",
            "extra": "5 map[string]ExtraValue",
            "uid": "6 string",
        },
        "SelfSubjectAccessReviewSpec": {
            "resourceAttributes": "1 *ResourceAttributes",
            "nonResourceAttributes": "2 *NonResourceAttributes",
        },
        "SelfSubjectRulesReviewSpec": {"namespace": "1 string"},
        "ResourceAttributes": {
            "namespace": "1 string",
            "verb": "2 string",
            "group": "3 string",
            "version": "4 string",
            "resource": "5 string",
            "subresource": "6 string",
            "name": "7 string",
            "fieldSelector": "8 *FieldSelectorAttributes",
            "labelSelector": "9 *LabelSelectorAttributes",
        },
        "FieldSelectorAttributes": {"rawSelector": "1 string", "requirements": "2 []FieldSelectorRequirement"},
        "LabelSelectorAttributes": {"rawSelector": "1 string", "requirements": "2 []LabelSelectorRequirement"},
        "NonResourceAttributes": {"path": "1 string", "verb": "2 string"},
        "SubjectAccessReviewStatus": {"allowed": "1 bool", "reason": "2 string", "evaluationError": "3 string", "denied": "4 bool"},
        "SubjectRulesReviewStatus": {
            "resourceRules": "1 []ResourceRule",
            "nonResourceRules": "2 []NonResourceRule",
            "incomplete": "3 bool",
            "evaluationError": "4 string",
        },
        "ResourceRule": {"verbs": "1 []string", "apiGroups": "2 []string", "resources": "3 []string", "resourceNames": "4 []string"},
        "NonResourceRule": {"verbs": "1 []string", "nonResourceURLs": "2 []string"},
    },
    includes=(META, _EXTRA),
)
