"""Who asks for which version of a definition, as an audit log tells: what stands in the way of no longer serving one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from crdkit.meta import json
from crdkit.meta.json import JsonError
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.server.linewriter import earlier


@record(frozen=False)
class Asker:
    """A user with a program, and how often it asked for a version."""

    version: str
    user: str
    agent: str
    requests: int = 0
    last: str = ""
    """When it last did, as in the log: times of this form are in order as texts."""


def lines_of(log: Path) -> Iterator[bytes]:
    """The lines of a log and of the file before it. Raises `OSError` where there is none."""
    for path in (earlier(log), log):
        if path == log or path.exists():
            with path.open("rb") as file:
                yield from file


def askers(lines: Iterable[bytes], group: str, plural: str) -> list[Asker]:
    """Who asked for objects of a definition, by version; the most frequent first. Lines that are no events are passed over."""
    found: dict[tuple[str, str, str], Asker] = {}
    needle = group.encode()
    for line in lines:
        if needle not in line or (event := _event(line)) is None:
            continue
        about = event.get("objectRef") or {}
        if about.get("apiGroup") != group or about.get("resource") != plural:
            continue
        user = event.get("impersonatedUser") or event.get("user") or {}
        key = (about.get("apiVersion", ""), user.get("username", ""), event.get("userAgent", ""))
        asker = found.setdefault(key, Asker(*key))
        asker.requests += 1
        asker.last = max(asker.last, event.get("stageTimestamp", ""))
    return sorted(found.values(), key=lambda one: (one.version, -one.requests, one.user, one.agent))


def _event(line: bytes) -> JsonObject | None:
    """The event of a line; None where it is no more, or not yet, complete."""
    try:
        event = json.decode(line)
    except JsonError:
        return None
    return event if type(event) is dict else None
