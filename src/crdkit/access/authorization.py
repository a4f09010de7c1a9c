"""Who may do what: the question, its answer, and the words of a refusal (apiserver's authorization/authorizer)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from crdkit.access.actions import Action
from crdkit.access.rules import EVERYTHING, Rule
from crdkit.access.user import User
from crdkit.meta.golang import quote
from crdkit.meta.records import record
from crdkit.meta.status import GroupResource, Refusal, failure, forbidden

HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


@record
class Decision:
    """Whether an action is allowed, and why (or why not), as far as the authorizer has anything to say."""

    allowed: bool
    reason: str = ""


ALLOWED: Final = Decision(allowed=True)
NO_OPINION: Final = Decision(allowed=False)


@record
class Permissions:
    """What a user may do in a namespace as rules, for showing; ``problem`` tells why there may be more."""

    rules: Sequence[Rule]
    problem: str = ""


class Authorizer(Protocol):
    """Decides without waiting: what it needs to know stands in memory."""

    def decide(self, user: User, action: Action) -> Decision: ...

    def permissions(self, user: User, namespace: str) -> Permissions: ...


class AlwaysAllow:
    """Everything for everybody."""

    def decide(self, user: User, action: Action) -> Decision:
        return ALLOWED

    def permissions(self, user: User, namespace: str) -> Permissions:
        return Permissions(EVERYTHING)


def require(authorizer: Authorizer, user: User, action: Action) -> None:
    """Raises a `Refusal` (403) where a user may not do something."""
    decision = authorizer.decide(user, action)
    if not decision.allowed:
        raise refuse(user, action, decision)


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
