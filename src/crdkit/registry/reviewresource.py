"""Reviews: a question in, the same with its answer out; nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from crdkit.access.actions import Action, PathAction, ResourceAction
from crdkit.access.authorization import Authorizer
from crdkit.access.gate import Gate
from crdkit.access.rules import Rule
from crdkit.access.user import User
from crdkit.builtin import kinds, reviews
from crdkit.builtin.kinds import BuiltinKind
from crdkit.meta import json, time
from crdkit.meta.errors import FieldError
from crdkit.meta.status import GroupResource, bad_request, invalid
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33, KubeVersion
from crdkit.registry import metadata
from crdkit.registry.builtinresource import BuiltinEndpoint, BuiltinResource
from crdkit.registry.builtintables import table_of
from crdkit.registry.options import write_options
from crdkit.registry.request import Reply, Request

Answer = Callable[[JsonObject, Request, Gate], JsonObject]
"""Gives the status of a review. Raises a `Refusal` for a question that makes no sense."""
Check = Callable[[JsonObject, KubeVersion], Iterable[FieldError]]
_AUDIENCES: Final = ("https://localhost",)


class ReviewResource(BuiltinResource):
    """A kind that is created only, and forgotten."""

    def __init__(self, kind: BuiltinKind, kube: KubeVersion, gate: Gate) -> None:
        fields = reviews.AUTHENTICATION_FIELDS if kind.group == kinds.TOKEN_REVIEW.group else reviews.AUTHORIZATION_FIELDS
        super().__init__(kind, fields, kube)
        self._gate = gate
        self._check, self._answer = _KINDS[kind]
        self.main = ReviewEndpoint(self)

    async def review(self, request: Request) -> Reply:
        """Answer a question. Raises a `Refusal`."""
        options = write_options(request, self.kube)
        review = self.main.decode(request, options)
        meta = metadata.metadata_of(review)
        metadata.ensure_namespace(meta, request.namespace if self.namespaced else "")
        if found := list(self._check(review, self.kube)):
            raise invalid(GroupResource(self.group, ""), "", found, self.kube)
        review["status"] = self._answer(review, request, self._gate)
        shown = self._shown(review)
        return Reply(201, json.encode(shown))

    def _shown(self, review: JsonObject) -> JsonObject:
        meta = review["metadata"]
        if self.kind == kinds.SELF_SUBJECT_REVIEW.kind:
            meta["creationTimestamp"] = time.now()
        elif self.kube <= V1_33 and "creationTimestamp" not in meta:
            meta["creationTimestamp"] = None
        shown: JsonObject = {"kind": self.kind, "apiVersion": self.api_version, "metadata": meta}
        if self.kind == kinds.SELF_SUBJECT_RULES_REVIEW.kind:
            shown["spec"] = {}
        elif "spec" in review:
            shown["spec"] = review["spec"]
        shown["status"] = review["status"]
        return shown

    def prepare_create(self, obj: JsonObject) -> None:
        raise NotImplementedError

    def check_create(self, obj: JsonObject) -> list[FieldError]:
        raise NotImplementedError


class ReviewEndpoint(BuiltinEndpoint):
    """Reads reviews."""

    def __init__(self, resource: ReviewResource) -> None:
        super().__init__(resource)
        self.table = table_of(resource.group, resource.kind)

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        raise NotImplementedError

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        raise NotImplementedError


def _accept(review: JsonObject, kube: KubeVersion) -> Iterable[FieldError]:
    del review, kube
    return ()


def _self_access(review: JsonObject, request: Request, gate: Gate) -> JsonObject:
    return _decided(gate.authorizer, request.user, review["spec"])


def _access(review: JsonObject, request: Request, gate: Gate) -> JsonObject:
    del request
    spec = review["spec"]
    extra = {name: tuple(values or ()) for name, values in (spec.get("extra") or {}).items()}
    user = User(spec.get("user", ""), tuple(spec.get("groups") or ()), spec.get("uid", ""), extra)
    return _decided(gate.authorizer, user, spec)


def _decided(authorizer: Authorizer, user: User, spec: JsonObject) -> JsonObject:
    decision = authorizer.decide(user, _asked(spec))
    status: JsonObject = {"allowed": decision.allowed}
    if decision.reason:
        status["reason"] = decision.reason
    return status


def _asked(spec: JsonObject) -> Action:
    """What a review asks about, as an action."""
    resource = spec.get("resourceAttributes")
    if resource is None:
        path = spec["nonResourceAttributes"]
        return PathAction(path.get("verb", ""), path.get("path", ""))
    fields = ("verb", "group", "resource", "namespace", "name", "subresource", "version")
    return ResourceAction(*(resource.get(field, "") for field in fields))


def _rules(review: JsonObject, request: Request, gate: Gate) -> JsonObject:
    namespace = review["spec"].get("namespace", "")
    if not namespace:
        raise bad_request("no namespace on request")
    permissions = gate.authorizer.permissions(request.user, namespace)
    status: JsonObject = {
        "resourceRules": [_resource_rule(rule) for rule in permissions.rules if rule.resources],
        "nonResourceRules": [_path_rule(rule) for rule in permissions.rules if rule.urls],
        "incomplete": False,
    }
    if permissions.problem:
        status["evaluationError"] = permissions.problem
    return status


def _resource_rule(rule: Rule) -> JsonObject:
    shown: JsonObject = {"verbs": list(rule.verbs)}
    for name, values in (("apiGroups", rule.groups), ("resources", rule.resources), ("resourceNames", rule.names)):
        if values:
            shown[name] = list(values)
    return shown


def _path_rule(rule: Rule) -> JsonObject:
    return {"verbs": list(rule.verbs), "nonResourceURLs": list(rule.urls)}


def _self(review: JsonObject, request: Request, gate: Gate) -> JsonObject:
    del review, gate
    return {"userInfo": user_info(request.user)}


def _token(review: JsonObject, request: Request, gate: Gate) -> JsonObject:
    del request
    spec = review["spec"]
    if not spec.get("token"):
        raise bad_request("token is required for TokenReview in authentication")
    audiences = [audience for audience in spec.get("audiences") or _AUDIENCES if audience in _AUDIENCES]
    user = gate.read_token(spec["token"])
    if user is None:
        return {"user": {}, "error": "invalid bearer token"}
    if not audiences:
        wanted = " ".join(f'"{audience}"' for audience in spec["audiences"])
        return {"user": {}, "error": f"token audiences {list(_AUDIENCES)} is invalid for the target audiences [{wanted}]"}
    return {"authenticated": True, "user": user_info(user), "audiences": audiences}


def user_info(user: User) -> JsonObject:
    """A user as objects tell of him."""
    shown: JsonObject = {"username": user.name, "uid": user.uid, "groups": list(user.groups)}
    shown["extra"] = {name: list(values) for name, values in user.extra.items()}
    return {name: value for name, value in shown.items() if value}


_KINDS: Final[Mapping[BuiltinKind, tuple[Check, Answer]]] = {
    kinds.SELF_SUBJECT_REVIEW: (_accept, _self),
    kinds.TOKEN_REVIEW: (_accept, _token),
    kinds.LOCAL_SUBJECT_ACCESS_REVIEW: (reviews.check_local_access, _access),
    kinds.SELF_SUBJECT_ACCESS_REVIEW: (reviews.check_self_access, _self_access),
    kinds.SELF_SUBJECT_RULES_REVIEW: (_accept, _rules),
    kinds.SUBJECT_ACCESS_REVIEW: (reviews.check_access, _access),
}


def review_resources(kube: KubeVersion, gate: Gate) -> list[ReviewResource]:
    return [ReviewResource(kind, kube, gate) for kind in _KINDS]
