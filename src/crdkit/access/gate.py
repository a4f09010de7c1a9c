"""Who asks and whether he may, for rooms that ask on a request's behalf: reviews, roles, creation by other verbs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from crdkit.access.authorization import AlwaysAllow, Authorizer
from crdkit.access.escalation import Escalation
from crdkit.access.user import User
from crdkit.meta.records import record

ReadToken = Callable[[str], User | None]
"""The user whose token this is, if there is one."""


def nobody(token: str) -> User | None:
    """Knows no tokens."""
    del token
    return None


@record
class Gate:
    """The authorizer of a server, and how it reads tokens. Without any it is open."""

    authorizer: Authorizer = field(default_factory=AlwaysAllow)
    read_token: ReadToken = nobody
    escalation: Escalation | None = None
    """What is asked of those who write roles; None asks nothing."""
