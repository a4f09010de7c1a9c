"""What the server asks of the registry, and what it gets: a parsed request, a reply, a stream of watch events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import field
from typing import Any, Final
from urllib.parse import parse_qs

from crdkit.access.user import ANONYMOUS, User
from crdkit.meta.records import record
from crdkit.registry.pieces import Pieces


class Query(dict[str, Sequence[str]]):
    """The parameters of a URL. Each may be given more than once; the first counts unless all are asked for. Nobody changes them."""

    __slots__ = ()
    __hash__ = object.__hash__  # type: ignore[assignment]  # a dictionary has none, since it may change
    __eq__ = object.__eq__

    @classmethod
    def parse(cls, text: str) -> Query:
        return cls(parse_qs(text, keep_blank_values=True)) if text else NO_QUERY

    def first(self, name: str) -> str | None:
        values = self.get(name)
        return values[0] if values else None

    def all(self, name: str) -> Sequence[str]:
        return self.get(name, ())


NO_QUERY: Final = Query({})


@record
class Form:
    """How the answer is wanted: as it is (``kind`` empty), or as ``Table``, ``PartialObjectMetadata`` or its List."""

    kind: str = ""
    version: str = "v1"


PLAIN: Final = Form()


@record(frozen=False)
class Request:
    """One request on a resource. ``warnings`` grows while it is handled; they are sent with refusals too."""

    verb: str
    group: str
    version: str
    resource: str
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    query: Query = NO_QUERY
    content_type: str = ""
    body: bytes = b""
    user: User = ANONYMOUS
    user_agent: str = ""
    form: Form = PLAIN
    warnings: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    """What audits are told, by whoever has a say in the request."""
    ahead: Any = None
    """What `bodies.read_ahead` has found, for whoever reads the body first."""


@record(frozen=False)
class Reply:
    """An answer: compact JSON, in the form asked for."""

    code: int
    body: bytes | Pieces


@record(frozen=False)
class WatchReply:
    """An answer that goes on: each item is one or more complete lines of JSON. The stream ends by itself or after ``timeout`` seconds.

    Whoever holds it calls ``events.aclose()`` when the client goes away.
    """

    events: AsyncIterator[bytes]
    timeout: float
