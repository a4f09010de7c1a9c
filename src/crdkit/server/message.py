"""Requests and answers as they stand between a transport (`protocol`, or any ASGI server) and the application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final, Protocol

from crdkit.access.user import User
from crdkit.meta.records import record
from crdkit.registry.pieces import Pieces
from crdkit.registry.request import Query

JSON: Final = "application/json"
YAML: Final = "application/yaml"
PROTOBUF: Final = "application/vnd.kubernetes.protobuf"
TEXT: Final = "text/plain; charset=utf-8"
NO_CACHE: Final = "no-cache, private"
IMPERSONATION: Final = (b"impersonate-user", b"impersonate-group", b"impersonate-uid", b"impersonate-extra-")
"""How the fields begin that ask for another's rights."""
BODY_LIMIT: Final = 3 * 1024 * 1024
"""Bytes of a body (kube-apiserver's limit)."""


class Headers:
    """The header fields of a request: names in lower case, in the order they came. What every request is asked for stands ready.

    A client sends much the same with each request, so a connection keeps them, and with them who that was found to be.
    """

    __slots__ = (
        "_first", "accept", "audit_id", "authorization", "content_type", "expects_leave", "fields", "found", "impersonates", "user_agent",
    )  # fmt: skip

    def __init__(self, fields: Sequence[tuple[bytes, bytes]]) -> None:
        self.fields = fields
        self._first = dict(reversed(fields))
        self.accept = self.get(b"accept")
        self.audit_id = self.get(b"audit-id")
        self.authorization = self.get(b"authorization")
        self.content_type = self.get(b"content-type")
        self.user_agent = self.get(b"user-agent")
        self.expects_leave = self.get(b"expect").lower() == "100-continue"
        self.impersonates = any(name.startswith(IMPERSONATION) for name in self._first)
        self.found: tuple[object, User] | None = None
        """Who found whom by the Authorization field."""

    def get(self, name: bytes) -> str:
        """The first field of that name, or the empty text."""
        value = self._first.get(name)
        return value.decode("utf-8", "surrogateescape").strip(" \t") if value is not None else ""

    def all(self, name: bytes) -> list[str]:
        return [value.decode("utf-8", "surrogateescape").strip(" \t") for key, value in self.fields if key == name]

    def starting(self, prefix: bytes) -> list[tuple[str, str]]:
        """The fields whose names start so, in their order."""
        return [
            (name.decode("latin-1"), value.decode("utf-8", "surrogateescape").strip(" \t"))
            for name, value in self.fields
            if name.startswith(prefix)
        ]


@record(frozen=False)
class Incoming:
    """A request as a transport has read it. ``body`` is None when it was longer than a body may be."""

    method: str
    path: str
    query: Query
    headers: Headers
    body: bytes | None = b""
    certified: User | None = None
    """Whom the client's certificate names, if it showed one."""
    address: str = ""
    """Where it came from, as far as the transport knows."""


class Stream(Protocol):
    """A body that goes on until it ends or the client leaves. Whoever sends it closes it, however it ends."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...
    async def aclose(self) -> None: ...


@record(frozen=False)
class Outgoing:
    """What a transport sends: ``head`` holds complete header lines; the transport adds status line, date and framing."""

    code: int
    head: bytes
    body: bytes | Pieces | Stream


@record(frozen=False)
class Answer:
    """A document that is served whole. It is indented (if it is JSON) and compressed for those who want that, unless it is ``fixed``."""

    body: bytes
    code: int = 200
    content_type: str = JSON
    cache_control: str = NO_CACHE
    headers: Sequence[tuple[str, str]] = ()
    fixed: bool = False


class Documents(Protocol):
    """Serves documents under paths of its own: discovery, OpenAPI. Any method arrives here; HEAD is answered like GET."""

    async def answer(self, incoming: Incoming) -> Answer | None:
        """The document at ``incoming.path``; None where there is none, so that others are asked. May raise `Refusal`, `PlainRefusal`."""
        ...
