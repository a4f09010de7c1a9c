"""Who has a policy take parameters must be able to read them himself, or it would tell him what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crdkit.access.actions import ResourceAction
from crdkit.access.authorization import Authorizer
from crdkit.access.user import MASTERS, User
from crdkit.builtin.kinds import MUTATING_POLICY, VALIDATING_POLICY
from crdkit.meta import errors, json
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject
from crdkit.registry.params import Find
from crdkit.storage.cache import Cache

Judge = Callable[[User, JsonObject, JsonObject | None], list[FieldError]]
"""What a user may not read of what a ``spec`` refers to, which was another one before."""

_ANY: Final = "*"
_SPEC: Final = ROOT / "spec"


def find_nothing(user: User, spec: JsonObject, before: JsonObject | None) -> list[FieldError]:
    """Let everybody refer to everything."""
    del user, spec, before
    return []


class ParamRights:
    """Asks the authorizer about the kinds and objects that policies and their bindings name."""

    def __init__(self, authorizer: Authorizer, cache: Cache, find: Find) -> None:
        self._authorizer = authorizer
        self._cache = cache
        self._find = find

    def check_policy(self, user: User, spec: JsonObject, before: JsonObject | None) -> list[FieldError]:
        """All objects of the kind of parameters must be readable, unless the kind was the same before."""
        param = spec.get("paramKind")
        if param is None or (before is not None and before.get("paramKind") == param) or MASTERS in user.groups:
            return []
        group, resource = self._place(param)
        if self._authorizer.decide(user, ResourceAction("get", group, resource or _ANY, _ANY, _ANY)).allowed:
            return []
        which = f"(kind={param['kind']}, apiVersion={param['apiVersion']})"
        why = f'user {_printed(user)} must have "get" permission on all objects of the referenced paramKind {which}'
        return [errors.forbidden(_SPEC / "paramKind", why)]

    def check_validating_binding(self, user: User, spec: JsonObject, before: JsonObject | None) -> list[FieldError]:
        """The parameters must be readable; a real server asks at every change, for it takes no two references to be the same."""
        del before
        policy = self._policy(VALIDATING_POLICY.prefix, spec["policyName"])
        verb = self._lacking(user, spec, policy)
        if not verb:
            return []
        param = ((policy or {}).get("spec") or {}).get("paramKind")
        unknown = ""
        if policy is None:
            unknown = f"get policy {spec['policyName']}"
        elif param is not None and self._place(param)[1] is None:
            unknown = f"resolve paramKind &{{{param['apiVersion']} {param['kind']}}}"
        lacks = f'user {_printed(user)} does not have "{verb}" permission'
        why = f"{lacks} on the object referenced by paramRef"
        if unknown:
            why = f"unable to {unknown} to determine minimum required permissions and {lacks} for all groups, versions and resources"
        return [errors.forbidden(_SPEC / "paramRef", why)]

    def check_mutating_binding(self, user: User, spec: JsonObject, before: JsonObject | None) -> list[FieldError]:
        """The same, told with user and verb in each other's place."""
        del before
        verb = self._lacking(user, spec, self._policy(MUTATING_POLICY.prefix, spec["policyName"]))
        why = f'user {verb} does not have "{_printed(user)}" permission on the object referenced by paramRef'
        return [errors.forbidden(_SPEC / "paramRef", why)] if verb else []

    def _lacking(self, user: User, spec: JsonObject, policy: JsonObject | None) -> str:
        """The verb that a user would need for the parameters of a binding and does not have; empty if he may read them."""
        ref = spec.get("paramRef")
        if ref is None or MASTERS in user.groups:
            return ""
        param = ((policy or {}).get("spec") or {}).get("paramKind")
        group, resource = (_ANY, None) if param is None else self._place(param)
        name = ref.get("name", "")
        verb = "get" if name else "list"
        action = ResourceAction(verb, group, resource or _ANY, ref.get("namespace", ""), name)
        return "" if self._authorizer.decide(user, action).allowed else verb

    def _place(self, param: JsonObject) -> tuple[str, str | None]:
        """The group of a kind of parameters, and its resource if it is served."""
        group, _, version = param["apiVersion"].rpartition("/")
        resource = self._find(group, version, param["kind"])
        return group, None if resource is None else resource.plural

    def _policy(self, prefix: str, name: str) -> JsonObject | None:
        entry = self._cache.get(prefix + name)
        if entry is None:
            return None
        policy: JsonObject = json.decode(entry.value)
        return policy


def _printed(user: User) -> str:
    """A user as Go prints its pointer to one."""
    extra = " ".join(f"{key}:[{' '.join(values)}]" for key, values in sorted(user.extra.items()))
    return f"&{{{user.name} {user.uid} [{' '.join(user.groups)}] map[{extra}]}}"
