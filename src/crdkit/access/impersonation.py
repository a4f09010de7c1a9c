"""Acting as somebody else: the ``Impersonate-…`` headers (apiserver's filters/impersonation).

What the impersonated user, group, uid or extra is called must be allowed by the verb ``impersonate``, each on its own. From 1.35 on a server
asks for constrained rights first: to act as such a user in what the request does, and to be that user.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from urllib.parse import unquote

from crdkit.access.actions import Action, ResourceAction
from crdkit.access.authorization import Authorizer, refuse
from crdkit.access.user import ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, User
from crdkit.meta import golang
from crdkit.meta.status import PlainRefusal, Refusal, bad_request
from crdkit.meta.version import KubeVersion

USER: Final = "impersonate-user"
GROUP: Final = "impersonate-group"
UID: Final = "impersonate-uid"
EXTRA: Final = "impersonate-extra-"
SERVICE_ACCOUNT: Final = "system:serviceaccount:"
NODE: Final = "system:node:"
CONSTRAINED: Final = KubeVersion(1, 35)
"""From here on constrained ways of impersonating are asked for first."""
_AUTHENTICATION: Final = "authentication.k8s.io"


class _Way(NamedTuple):
    """A way of impersonating: the verb that is asked for on each name, and the group of users and groups."""

    verb: str
    group: str
    mode: str = ""
    """What rights on the request itself are called after; empty for the old way, which needs none."""


_OLD: Final = _Way("impersonate", "")


def impersonate(user: User, headers: Sequence[tuple[str, str]], action: Action, authorizer: Authorizer, kube: KubeVersion) -> User:
    """The user whom the headers (names in lower case) ask to act as. Raises `Refusal` or `PlainRefusal` where that is not allowed."""
    wanted = _wanted(headers)
    if not wanted.name:
        if wanted == User():
            return user
        raise _without_user(wanted, action, kube)
    told: Refusal | None = None
    for way in _ways(wanted, kube):
        try:
            return _by(way, user, wanted, action, authorizer)
        except Refusal as refusal:
            told = told or refusal
    assert told is not None
    raise told


def _wanted(headers: Sequence[tuple[str, str]]) -> User:
    """The user as the headers describe him, and no more."""
    extra: dict[str, tuple[str, ...]] = {}
    for key, value in headers:
        if key.startswith(EXTRA):
            name = unquote(key.removeprefix(EXTRA))
            extra[name] = (*extra.get(name, ()), value)
    name = next((value for key, value in headers if key == USER), "")
    uid = next((value for key, value in headers if key == UID), "")
    return User(name, tuple(value for key, value in headers if key == GROUP), uid, extra)


def _ways(wanted: User, kube: KubeVersion) -> Iterator[_Way]:
    """The ways that a user can be impersonated in, in the order in which they are tried."""
    if kube >= CONSTRAINED:
        alone = not wanted.groups and not wanted.uid and not wanted.extra
        node, account = wanted.name.startswith(NODE), _service_account(wanted.name) is not None
        if alone and node:
            yield _constrained("arbitrary-node")
        if alone and account:
            yield _constrained("serviceaccount")
        if not node and not account:
            yield _constrained("user-info")
    yield _OLD


def _constrained(mode: str) -> _Way:
    return _Way(f"impersonate:{mode}", _AUTHENTICATION, mode)


def _by(way: _Way, user: User, wanted: User, action: Action, authorizer: Authorizer) -> User:
    """Become a user in one way. Raises a `Refusal` for the first right that lacks."""
    if way.mode:
        _require(authorizer, user, _Constrained(action, f"impersonate-on:{way.mode}:{action.verb}"))
    for asked in _asked(way, wanted):
        _require(authorizer, user, asked)
    groups = wanted.groups
    if not groups and (account := _service_account(wanted.name)):
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{account[0]}")
    elif way.mode == "arbitrary-node":
        groups = ("system:nodes",)
    if wanted.name == ANONYMOUS.name:
        groups += () if UNAUTHENTICATED in groups else (UNAUTHENTICATED,)
    elif not {AUTHENTICATED, UNAUTHENTICATED} & set(groups):
        groups += (AUTHENTICATED,)
    return replace(wanted, groups=groups)


def _require(authorizer: Authorizer, user: User, action: Action) -> None:
    decision = authorizer.decide(user, action)
    if not decision.allowed:
        raise refuse(user, action, decision)


def _asked(way: _Way, wanted: User) -> Iterator[ResourceAction]:
    """The use of each name, as an action to authorize."""
    if account := _service_account(wanted.name):
        yield ResourceAction(way.verb, way.group, "serviceaccounts", *account)
    elif way.mode == "arbitrary-node":
        yield ResourceAction(way.verb, way.group, "nodes", name=wanted.name.removeprefix(NODE))
    else:
        yield ResourceAction(way.verb, way.group, "users", name=wanted.name)
    if wanted.uid:
        yield ResourceAction(way.verb, _AUTHENTICATION, "uids", name=wanted.uid)
    for group in wanted.groups:
        yield ResourceAction(way.verb, way.group, "groups", name=group)
    for key, values in wanted.extra.items():
        yield from (ResourceAction(way.verb, _AUTHENTICATION, "userextras", name=value, subresource=key) for value in values)


def _service_account(name: str) -> tuple[str, str] | None:
    if not name.startswith(SERVICE_ACCOUNT):
        return None
    namespace, colon, account = name.removeprefix(SERVICE_ACCOUNT).partition(":")
    return (namespace, account) if colon and namespace and account and ":" not in account else None


def _without_user(wanted: User, action: Action, kube: KubeVersion) -> Refusal | PlainRefusal:
    """The words for headers that name no user: Go values as Go prints them."""
    if kube >= CONSTRAINED:
        groups = golang.strings(list(wanted.groups) or None).go
        extra = ", ".join(f"{golang.quote(key)}:{golang.strings(list(values)).go}" for key, values in sorted(wanted.extra.items()))
        shown_extra = "map[string][]string" + (f"{{{extra.replace('[]string', '')}}}" if extra else "(nil)")
        shown = f'&user.DefaultInfo{{Name:"", UID:{golang.quote(wanted.uid)}, Groups:{groups}, Extra:{shown_extra}}}'
        return bad_request(f"requested {shown} without impersonating a user name")
    references = [f"{{Group  {group}    }}" for group in wanted.groups]
    references += [f"{{UserExtra  {value}  {_AUTHENTICATION}/v1  {key}}}" for key, values in wanted.extra.items() for value in values]
    references += [f"{{UID  {wanted.uid}  {_AUTHENTICATION}/v1  }}"] if wanted.uid else []
    why = f"requested [{' '.join(references)}] without impersonating a user"
    return PlainRefusal(500, f"Internal Server Error: {golang.quote(action.path)}: {why}\n")


class _Constrained:
    """An action under another verb."""

    def __init__(self, action: Action, verb: str) -> None:
        self.verb = verb
        self.path, self.is_resource = action.path, action.is_resource
        self.group, self.version, self.resource = action.group, action.version, action.resource
        self.subresource, self.namespace, self.name = action.subresource, action.namespace, action.name
