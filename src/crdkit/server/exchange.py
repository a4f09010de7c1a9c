"""One request and the head of its answer: what every answer carries, whatever it says."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from crdkit.access.user import User
from crdkit.meta import json
from crdkit.meta.status import Refusal
from crdkit.meta.types import JsonObject
from crdkit.registry.pieces import Pieces
from crdkit.registry.request import Reply
from crdkit.server import negotiation, rendering, warnings
from crdkit.server.message import JSON, NO_CACHE, TEXT, Answer, Incoming, Outgoing
from crdkit.server.negotiation import PLAIN_JSON
from crdkit.server.requestinfo import RequestInfo

NOSNIFF: Final = ("X-Content-Type-Options", "nosniff")


_LAST_BYTES: Final = [f"{byte:02x}" for byte in reversed(range(256))]


class _Ids:
    """Uuids of one random beginning that count up: they must differ, not be hard to guess."""

    def __init__(self) -> None:
        digits = os.urandom(16).hex()
        self._beginning = f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-"
        self._count = int(digits[20:29], 16)
        self._ready: list[str] = []

    def next(self) -> str:
        if not self._ready:
            self._count += 1
            beginning = f"{self._beginning}{self._count:010x}"
            self._ready = [beginning + byte for byte in _LAST_BYTES]
        return self._ready.pop()


_ids: Final = _Ids()


@lru_cache(64)
def _common_head(content_type: str, cache_control: str) -> str:
    told = f"Content-Type: {content_type}\r\n" if content_type else ""
    return f"Cache-Control: {cache_control}\r\n{told}"


_JSON_HEAD: Final = _common_head(JSON, NO_CACHE)


class Exchange:
    """Writes the answers to one request in the form its sender reads, with the warnings that came up meanwhile.

    For those who look on it tells what became known of the request: what it asks, whether that reached a resource (``routed``), who
    sent it and in whose name (``acts_as``), what those noted that have a say in it, and the Status it was refused with.
    """

    __slots__ = ("accept", "acts_as", "annotations", "audit_id", "incoming", "info", "refusal", "routed", "user", "user_agent", "warnings")

    def __init__(self, incoming: Incoming) -> None:
        headers = incoming.headers
        self.incoming = incoming
        self.accept = headers.accept
        self.user_agent = headers.user_agent
        self.audit_id = headers.audit_id or _ids.next()
        self.warnings: list[str] = []
        self.annotations: dict[str, str] = {}
        self.info: RequestInfo | None = None
        self.routed = False
        self.user: User | None = None
        self.acts_as: User | None = None
        self.refusal: JsonObject | None = None

    def head(self, content_type: str, cache_control: str = NO_CACHE, more: Iterable[tuple[str, str]] = ()) -> bytes:
        """The header lines of an answer."""
        lines = f"Audit-Id: {self.audit_id}\r\n{_common_head(content_type, cache_control)}"
        if self.warnings:
            lines += warnings.header_lines(self.warnings)
        for name, value in more:
            lines += f"{name}: {value}\r\n"
        return lines.encode("utf-8", "surrogateescape")

    async def objects(self, code: int, body: bytes | Pieces, media: negotiation.Media, more: Iterable[tuple[str, str]] = ()) -> Outgoing:
        """An answer that came as compact JSON, in the media type agreed on."""
        pretty = negotiation.wants_indentation(self.incoming.query, media, self.user_agent)
        if isinstance(body, Pieces) and media.type == JSON and not pretty:
            return await self.whole(code, body.followed_by(b"\n"), media.type, more=more)
        document = body.joined() if isinstance(body, Pieces) else body
        rendered = await rendering.render(document, media.type, pretty=pretty)
        return await self.whole(code, rendered, media.type, more=more)

    def plain_object(self, body: bytes | Pieces, code: int = 200) -> Outgoing | None:
        """An object that came as compact JSON, as it stands; None if there is more to be done to it."""
        if not isinstance(body, bytes) or len(body) > negotiation.COMPRESS_OVER:
            return None
        lines = f"Audit-Id: {self.audit_id}\r\n{_JSON_HEAD}"
        if self.warnings:
            lines += warnings.header_lines(self.warnings)
        return Outgoing(code, lines.encode("utf-8", "surrogateescape"), body + b"\n")

    def plainly(self, reply: Reply, media: negotiation.Media) -> Outgoing | None:
        """A reply as it stands; None if there is more to be done to it."""
        return self.plain_object(reply.body, reply.code) if self.writes_plainly(media) else None

    def writes_plainly(self, media: negotiation.Media) -> bool:
        """Whether an object is surely written as compact JSON."""
        query = self.incoming.query
        return media is PLAIN_JSON and not (query and "pretty" in query) and not self.user_agent.startswith(negotiation.HUMANS)

    async def document(self, answer: Answer) -> Outgoing:
        """A document as it stands, but for indentation."""
        body = answer.body
        if answer.fixed:
            return Outgoing(answer.code, self.head(answer.content_type, answer.cache_control, answer.headers), body)
        if answer.content_type.startswith(JSON) and body[:1] == b"{":
            pretty = negotiation.wants_indentation(self.incoming.query, negotiation.Media(), self.user_agent)
            body = await rendering.render(body, JSON, pretty=pretty)
        return await self.whole(answer.code, body, answer.content_type, answer.cache_control, answer.headers)

    async def refuse(self, refusal: Refusal, more: Iterable[tuple[str, str]] = ()) -> Outgoing:
        """A Status. Its sender may have accepted only what a Status cannot be: then it is JSON."""
        self.refusal = refusal.status
        details = refusal.status.get("details") or {}
        if retry_after := details.get("retryAfterSeconds"):
            more = (*more, ("Retry-After", str(retry_after)))
        media = negotiation.for_error(self.accept)
        if not more and self.writes_plainly(media):
            outgoing = self.plain_object(json.encode(refusal.status), refusal.code)
            if outgoing is not None:
                return outgoing
        return await self.objects(refusal.code, json.encode(refusal.status), media, more)

    def late(self, refusal: Refusal) -> Outgoing:
        """What is told past the deadline, as a real server does past all its encoders: a Status that does not say so, and is a text."""
        self.refusal = refusal.status
        told = {name: value for name, value in refusal.status.items() if name not in ("kind", "apiVersion")}
        return Outgoing(refusal.code, self.head(TEXT), json.encode(told) + b"\n")

    def plain(self, code: int, text: str) -> Outgoing:
        body = text.encode("utf-8", "replace")
        return Outgoing(code, self.head(TEXT, more=(NOSNIFF,)), body)

    async def whole(
        self, code: int, body: bytes | Pieces, content_type: str, cache_control: str = NO_CACHE, more: Iterable[tuple[str, str]] = ()
    ) -> Outgoing:
        if len(body) > negotiation.COMPRESS_OVER and negotiation.wants_gzip(self.incoming.headers.get(b"accept-encoding")):
            body = await rendering.compress(body)
            more = (*more, ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
        return Outgoing(code, self.head(content_type, cache_control, more), body)
