"""The types of ``authentication.k8s.io/v1`` and ``authorization.k8s.io/v1``: questions that are answered at once."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, boolean, kind, many, mapping, one, ref, string, struct
from crdkit.meta.types import JsonObject

AUTHENTICATION: Final = "io.k8s.api.authentication.v1."
AUTHORIZATION: Final = "io.k8s.api.authorization.v1."
TEXTS: Final = string()
SPEC: Final = "spec is the question."
STATUS: Final = "status is the answer."


def _texts(description: str) -> JsonObject:
    return many(TEXTS, description, list_type="atomic")


def _extra(name: str) -> JsonObject:
    return mapping(many(TEXTS), f"{name} is what else is known of the user.")


def _selector(kind_of: str) -> JsonObject:
    return {
        "rawSelector": string(f"rawSelector is a {kind_of} selector as it stands in a query; not beside requirements."),
        "requirements": many(
            ref(META + f"{kind_of.capitalize()}SelectorRequirement"),
            "requirements are the parts of the selector, all of which must hold.",
            list_type="atomic",
        ),
    }


_RESOURCE: Final = one(AUTHORIZATION + "ResourceAttributes", "resourceAttributes ask about a resource.", optional=True)
_PATH: Final = one(AUTHORIZATION + "NonResourceAttributes", "nonResourceAttributes ask about a path.", optional=True)
_ACCESS_SPEC: Final = AUTHORIZATION + "SubjectAccessReviewSpec"
_ACCESS_STATUS: Final = AUTHORIZATION + "SubjectAccessReviewStatus"

TYPES: Final = {
    AUTHENTICATION + "SelfSubjectReview": kind(
        "SelfSubjectReview tells who you are to the server.",
        {"status": one(AUTHENTICATION + "SelfSubjectReviewStatus", STATUS)},
    ),
    AUTHENTICATION + "SelfSubjectReviewStatus": struct(
        "SelfSubjectReviewStatus is who asked.", {"userInfo": one(AUTHENTICATION + "UserInfo", "userInfo is the user who asked.")}
    ),
    AUTHENTICATION + "TokenReview": kind(
        "TokenReview tells whose token one is.",
        {
            "spec": one(AUTHENTICATION + "TokenReviewSpec", SPEC),
            "status": one(AUTHENTICATION + "TokenReviewStatus", STATUS),
        },
        required=("spec",),
    ),
    AUTHENTICATION + "TokenReviewSpec": struct(
        "TokenReviewSpec is the token in question.",
        {
            "audiences": _texts("audiences are those that the token should be meant for; by default the API server."),
            "token": string("token is the token."),
        },
    ),
    AUTHENTICATION + "TokenReviewStatus": struct(
        "TokenReviewStatus is whose token it is.",
        {
            "audiences": _texts("audiences are those of the asked ones that the token is meant for."),
            "authenticated": boolean("authenticated says whether the token is known."),
            "error": string("error is why the token could not be checked."),
            "user": one(AUTHENTICATION + "UserInfo", "user is the user whose token it is."),
        },
    ),
    AUTHENTICATION + "UserInfo": struct(
        "UserInfo is what is known of a user.",
        {
            "extra": _extra("extra"),
            "groups": _texts("groups are the groups that the user belongs to."),
            "uid": string("uid tells the user from others who had the name before."),
            "username": string("username is the name of the user."),
        },
    ),
    AUTHORIZATION + "FieldSelectorAttributes": struct(
        "FieldSelectorAttributes is a field selector that the request carries.", _selector("field")
    ),
    AUTHORIZATION + "LabelSelectorAttributes": struct(
        "LabelSelectorAttributes is a label selector that the request carries.", _selector("label")
    ),
    AUTHORIZATION + "LocalSubjectAccessReview": kind(
        "LocalSubjectAccessReview asks whether somebody may do something in one namespace.",
        {"spec": one(_ACCESS_SPEC, SPEC), "status": one(_ACCESS_STATUS, STATUS)},
        required=("spec",),
    ),
    AUTHORIZATION + "NonResourceAttributes": struct(
        "NonResourceAttributes is a request for a path that is no resource.",
        {"path": string("path is the path of the URL."), "verb": string("verb is the method, in lower case.")},
    ),
    AUTHORIZATION + "NonResourceRule": struct(
        "NonResourceRule allows verbs on paths.",
        {
            "nonResourceURLs": _texts("nonResourceURLs are the paths, a `*` at the end for any rest."),
            "verbs": _texts('verbs are the methods, in lower case; "*" is any.'),
        },
        required=("verbs",),
    ),
    AUTHORIZATION + "ResourceAttributes": struct(
        "ResourceAttributes is a request for a resource.",
        {
            "fieldSelector": one(
                AUTHORIZATION + "FieldSelectorAttributes", "fieldSelector narrows a list, a watch or a delete down.", optional=True
            ),
            "group": string('group is the group of the resource; "*" is all.'),
            "labelSelector": one(
                AUTHORIZATION + "LabelSelectorAttributes", "labelSelector narrows a list, a watch or a delete down.", optional=True
            ),
            "name": string("name is the name of one object; all of them without it."),
            "namespace": string("namespace is the namespace; none for cluster-scoped resources, all of them for namespaced ones."),
            "resource": string('resource is the resource; "*" is all.'),
            "subresource": string("subresource is the part of the object that is meant, such as status."),
            "verb": string('verb is get, list, watch, create, update, patch, delete …; "*" is all.'),
            "version": string('version is the version of the resource; "*" is all.'),
        },
    ),
    AUTHORIZATION + "ResourceRule": struct(
        "ResourceRule allows verbs on resources.",
        {
            "apiGroups": _texts('apiGroups are the groups; "*" is any.'),
            "resourceNames": _texts("resourceNames narrow the rule down to objects of these names."),
            "resources": _texts('resources are resources and subresources; "*" is any.'),
            "verbs": _texts('verbs are what is allowed; "*" is any.'),
        },
        required=("verbs",),
    ),
    AUTHORIZATION + "SelfSubjectAccessReview": kind(
        "SelfSubjectAccessReview asks whether you may do something.",
        {"spec": one(AUTHORIZATION + "SelfSubjectAccessReviewSpec", SPEC), "status": one(_ACCESS_STATUS, STATUS)},
        required=("spec",),
    ),
    AUTHORIZATION + "SelfSubjectAccessReviewSpec": struct(
        "SelfSubjectAccessReviewSpec is what you would like to do: on a resource or on a path.",
        {"nonResourceAttributes": _PATH, "resourceAttributes": _RESOURCE},
    ),
    AUTHORIZATION + "SelfSubjectRulesReview": kind(
        "SelfSubjectRulesReview asks for all that you may do in a namespace: for showing, not for deciding.",
        {
            "spec": one(AUTHORIZATION + "SelfSubjectRulesReviewSpec", SPEC),
            "status": one(AUTHORIZATION + "SubjectRulesReviewStatus", STATUS),
        },
        required=("spec",),
    ),
    AUTHORIZATION + "SelfSubjectRulesReviewSpec": struct(
        "SelfSubjectRulesReviewSpec is the namespace in question.", {"namespace": string("namespace is required.")}
    ),
    AUTHORIZATION + "SubjectAccessReview": kind(
        "SubjectAccessReview asks whether somebody may do something.",
        {"spec": one(_ACCESS_SPEC, SPEC), "status": one(_ACCESS_STATUS, STATUS)},
        required=("spec",),
    ),
    _ACCESS_SPEC: struct(
        "SubjectAccessReviewSpec is who would like to do what: on a resource or on a path.",
        {
            "extra": _extra("extra"),
            "groups": _texts("groups are the groups that the user belongs to."),
            "nonResourceAttributes": _PATH,
            "resourceAttributes": _RESOURCE,
            "uid": string("uid is that of the user."),
            "user": string("user is the name of the user. Without groups it is required."),
        },
    ),
    _ACCESS_STATUS: struct(
        "SubjectAccessReviewStatus is whether the request is allowed.",
        {
            "allowed": boolean("allowed says whether it is allowed.", default=False),
            "denied": boolean("denied says that it is forbidden, whoever else might allow it."),
            "evaluationError": string("evaluationError is what went wrong while deciding; the answer may hold all the same."),
            "reason": string("reason is why it is allowed or not."),
        },
        required=("allowed",),
    ),
    AUTHORIZATION + "SubjectRulesReviewStatus": struct(
        "SubjectRulesReviewStatus is what is allowed.",
        {
            "evaluationError": string("evaluationError is what went wrong while rules were gathered."),
            "incomplete": boolean("incomplete says that more may be allowed than is told.", default=False),
            "nonResourceRules": many(
                ref(AUTHORIZATION + "NonResourceRule"), "nonResourceRules are what is allowed on paths.", list_type="atomic"
            ),
            "resourceRules": many(
                ref(AUTHORIZATION + "ResourceRule"), "resourceRules are what is allowed on resources.", list_type="atomic"
            ),
        },
        required=("resourceRules", "nonResourceRules", "incomplete"),
    ),
}
