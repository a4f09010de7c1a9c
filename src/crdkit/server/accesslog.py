"""A line for every request on standard error."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import NamedTuple

from crdkit.meta import json
from crdkit.server.exchange import Exchange
from crdkit.server.linewriter import LineWriter
from crdkit.server.observing import group_resource


class _Line(NamedTuple):
    """The values of a line, under the names they have there."""

    time: float
    user: str
    agent: str
    verb: str
    resource: str
    object: str
    version: str
    code: int
    ms: float
    audit_id: str


class AccessLog:
    """Tells who asked for what, and how that went."""

    def __init__(self) -> None:
        self._writer = LineWriter(_to_stderr, _encode)

    @property
    def dropped(self) -> int:
        return self._writer.dropped

    def note(self, exchange: Exchange, code: int, seconds: float) -> None:
        info, user = exchange.info, exchange.user
        about = group_resource(info) if info and info.is_resource else exchange.incoming.path
        place = f"{info.namespace}/{info.name}".strip("/") if info else ""
        self._writer.put(
            _Line(
                time.time(),
                user.name if user else "",
                exchange.user_agent,
                info.verb if info else exchange.incoming.method,
                about,
                place,
                info.version if info else "",
                code,
                seconds * 1000,
                exchange.audit_id,
            )
        )

    def close(self) -> None:
        self._writer.close()


def _to_stderr(data: bytes) -> None:
    sys.stderr.buffer.write(data)
    sys.stderr.buffer.flush()


def _encode(line: _Line) -> bytes:
    moment = datetime.fromtimestamp(line.time, UTC).isoformat(timespec="milliseconds")
    parts = [f"{name.replace('_', '-')}={_shown(value)}" for name, value in line._asdict().items() if name != "time"]
    return " ".join((f"{moment[:-6]}Z", *parts)).encode("utf-8", "replace") + b"\n"


def _shown(value: object) -> str:
    """A value as it is, or in quotes where it could be taken for something else: clients choose some of these texts."""
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    plain = text and text.isprintable() and not set(text) & set(' "=\\')
    return text if plain else json.encode(text).decode()
