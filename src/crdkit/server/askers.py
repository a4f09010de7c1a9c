"""Who asks for which version of a definition, as an audit log tells: what stands in the way of no longer serving one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from crdkit.meta import json
from crdkit.meta.json import JsonError
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.server.linewriter import earlier

_BEGINNING: Final = b'{"kind":"Event","apiVersion":"audit.k8s.io/'
"""Of an event as every API server writes it."""


@record(frozen=False)
class Asker:
    """A user with a program, and how often it asked for a version."""

    version: str
    user: str
    agent: str
    requests: int = 0
    last: str = ""
    """When it last did, as in the log: times of this form are in order as texts."""


class Told(NamedTuple):
    """What a log tells of a definition, and how much of the log was fit to tell."""

    askers: list[Asker]
    events: int
    unread: int
    """Lines that are no events, or not whole ones."""


def lines_of(log: Path) -> Iterator[bytes]:
    """The lines of a log and of the file before it. Raises `OSError` where there is none."""
    for path in (earlier(log), log):
        if path == log or path.exists():
            with path.open("rb") as file:
                yield from file


def askers(lines: Iterable[bytes], group: str, plural: str) -> Told:
    """Who asked for objects of a definition, by version; the most frequent first. Lines that are no events are passed over."""
    found: dict[tuple[str, str, str], Asker] = {}
    needle = group.encode()
    events = unread = 0
    for line in lines:
        if needle not in line and line.startswith(_BEGINNING) and line.endswith(b"}\n"):
            events += 1
            continue
        if not line.strip():
            continue
        if (event := _event(line)) is None:
            unread += 1
            continue
        events += 1
        about = event.get("objectRef") or {}
        if about.get("apiGroup") != group or about.get("resource") != plural:
            continue
        user = event.get("impersonatedUser") or event.get("user") or {}
        key = (about.get("apiVersion", ""), user.get("username", ""), event.get("userAgent", ""))
        asker = found.setdefault(key, Asker(*key))
        asker.requests += 1
        asker.last = max(asker.last, event.get("stageTimestamp", ""))
    return Told(sorted(found.values(), key=lambda one: (one.version, -one.requests, one.user, one.agent)), events, unread)


def _event(line: bytes) -> JsonObject | None:
    """The event of a line; None where it is none, or no more, or not yet, complete."""
    try:
        event = json.decode(line)
    except JsonError:
        return None
    if type(event) is not dict or event.get("kind") != "Event" or not str(event.get("apiVersion")).startswith("audit.k8s.io/"):
        return None
    return event if all(isinstance(event.get(key) or {}, dict) for key in ("objectRef", "user", "impersonatedUser")) else None
