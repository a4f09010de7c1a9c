"""Acting as somebody else: the ``Impersonate-…`` headers (apiserver's filters/impersonation).

What the impersonated user, group, uid or extra is called must be allowed by the verb ``impersonate``, each on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from crdkit.access.actions import Action, ResourceAction
from crdkit.access.authorization import Authorizer, Decision, refuse
from crdkit.access.user import ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, User
from crdkit.meta.status import Refusal, bad_request, unknown
from crdkit.meta.version import V1_36, KubeVersion

USER: Final = "impersonate-user"
GROUP: Final = "impersonate-group"
UID: Final = "impersonate-uid"
EXTRA: Final = "impersonate-extra-"
SERVICE_ACCOUNT: Final = "system:serviceaccount:"


def impersonate(user: User, headers: Sequence[tuple[str, str]], action: Action, authorizer: Authorizer, kube: KubeVersion) -> User:
    """The user whom the headers (names in lower case) ask to act as. Raises `Refusal` where that is not allowed."""
    name = next((value for key, value in headers if key == USER), "")
    asked = list(_asked(name, headers))
    if not name and asked:
        raise _without_user(asked, kube)
    if not name:
        return user
    for one in asked:
        decision = authorizer.decide(user, one)
        if not decision.allowed:
            raise _refused(user, one, action, decision, kube)
    return _become(name, headers)


def _asked(name: str, headers: Sequence[tuple[str, str]]) -> Iterator[ResourceAction]:
    if account := _service_account(name):
        yield _use("serviceaccounts", account[1], namespace=account[0])
    elif name:
        yield _use("users", name)
    for key, value in headers:
        if key == GROUP:
            yield _use("groups", value)
        elif key.startswith(EXTRA):
            yield _use("userextras", value, group="authentication.k8s.io", subresource=unquote(key.removeprefix(EXTRA)))
        elif key == UID:
            yield _use("uids", value, group="authentication.k8s.io")


def _use(resource: str, name: str, *, group: str = "", namespace: str = "", subresource: str = "") -> ResourceAction:
    """The use of one name, as an action to authorize."""
    return ResourceAction("impersonate", group, resource, namespace, name, subresource)


def _service_account(name: str) -> tuple[str, str] | None:
    if not name.startswith(SERVICE_ACCOUNT):
        return None
    namespace, colon, account = name.removeprefix(SERVICE_ACCOUNT).partition(":")
    return (namespace, account) if colon and namespace and account and ":" not in account else None


def _become(name: str, headers: Sequence[tuple[str, str]]) -> User:
    groups = [value for key, value in headers if key == GROUP]
    if not groups and (account := _service_account(name)):
        groups = ["system:serviceaccounts", f"system:serviceaccounts:{account[0]}"]
    if name == ANONYMOUS.name:
        groups += [] if UNAUTHENTICATED in groups else [UNAUTHENTICATED]
    elif not {AUTHENTICATED, UNAUTHENTICATED} & set(groups):
        groups.append(AUTHENTICATED)
    extra: dict[str, tuple[str, ...]] = {}
    for key, value in headers:
        if key.startswith(EXTRA):
            extra_name = unquote(key.removeprefix(EXTRA))
            extra[extra_name] = (*extra.get(extra_name, ()), value)
    uid = next((value for key, value in headers if key == UID), "")
    return User(name, tuple(groups), uid, extra)


def _without_user(asked: list[ResourceAction], kube: KubeVersion) -> Refusal:
    message = f"requested {[one.name for one in asked]} without impersonating a user"
    return bad_request(message) if kube >= V1_36 else unknown(message)


def _refused(user: User, one: ResourceAction, action: Action, decision: Decision, kube: KubeVersion) -> Refusal:
    """From 1.36 on what was to be done is told, under a verb that names the constrained way of impersonating."""
    if kube < V1_36:
        return refuse(user, one, decision)
    return refuse(user, _Constrained(action, f"impersonate-on:{_mode(one)}:{action.verb}"), decision)


def _mode(one: ResourceAction) -> str:
    return "serviceaccount" if one.resource == "serviceaccounts" else "user-info"


class _Constrained:
    """An action under another verb."""

    def __init__(self, action: Action, verb: str) -> None:
        self.verb = verb
        self.path, self.is_resource = action.path, action.is_resource
        self.group, self.version, self.resource = action.group, action.version, action.resource
        self.subresource, self.namespace, self.name = action.subresource, action.namespace, action.name
