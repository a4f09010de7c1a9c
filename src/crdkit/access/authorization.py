"""Who may do what: the question, its answer, and the words of a refusal (apiserver's authorization/authorizer)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from crdkit.access.user import AUTHENTICATED, MASTERS, User
from crdkit.meta.golang import quote
from crdkit.meta.status import GroupResource, Refusal, failure, forbidden

PUBLIC_PATHS: Final = frozenset({"/healthz", "/livez", "/readyz", "/version", "/version/"})
DISCOVERY_PATHS: Final = frozenset({"/api", "/apis", "/openapi"})
HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Action(Protocol):
    """What somebody wants to do: a verb on a resource, or a method on another path.

    ``name`` is also known for a list by ``fieldSelector=metadata.name=…``.
    """

    @property
    def verb(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def is_resource(self) -> bool: ...
    @property
    def group(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def resource(self) -> str: ...
    @property
    def subresource(self) -> str: ...
    @property
    def namespace(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether an action is allowed, and why (or why not), as far as the authorizer has anything to say."""

    allowed: bool
    reason: str = ""


ALLOWED: Final = Decision(allowed=True)
NO_OPINION: Final = Decision(allowed=False)


class Authorizer(Protocol):
    """Decides without waiting: what it needs to know stands in memory."""

    def decide(self, user: User, action: Action) -> Decision: ...


class MastersOnly:
    """Everything for ``system:masters``, discovery for every user, health and version for everybody."""

    def decide(self, user: User, action: Action) -> Decision:
        if MASTERS in user.groups:
            return ALLOWED
        if action.is_resource or action.verb != "get":
            return NO_OPINION
        if action.path in PUBLIC_PATHS:
            return ALLOWED
        if AUTHENTICATED in user.groups and is_discovery(action.path):
            return ALLOWED
        return NO_OPINION


def is_discovery(path: str) -> bool:
    root = path[: path.find("/", 1)] if path.find("/", 1) > 0 else path
    return root in DISCOVERY_PATHS


def refuse(user: User, action: Action, decision: Decision) -> Refusal:
    """The 403 that tells what is not allowed."""
    what = _describe(user, action).translate(HTML)
    why = f"{what}: {decision.reason}" if decision.reason else what
    if not action.is_resource:
        return Refusal(failure(403, "Forbidden", f"forbidden: {why}", {}))
    return forbidden(GroupResource(action.group, action.resource), action.name, why)


def _describe(user: User, action: Action) -> str:
    who = f"User {quote(user.name)} cannot {action.verb}"
    if not action.is_resource:
        return f"{who} path {quote(action.path)}"
    resource = f"{action.resource}/{action.subresource}" if action.subresource else action.resource
    where = f"in the namespace {quote(action.namespace)}" if action.namespace else "at the cluster scope"
    return f"{who} resource {quote(resource)} in API group {quote(action.group)} {where}"
