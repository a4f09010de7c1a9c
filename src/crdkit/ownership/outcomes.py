"""What becomes of the owners of an object, as text: worked out once for each sort of change, then looked up.

The objects of a kind mostly have the same owners with the same fields, which are changed in the same few ways; only times differ.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.ownership import entries
from crdkit.ownership.capping import MOST_UPDATERS
from crdkit.ownership.entries import Identity, Managers, Owned

_TIME: Final = b',"time":"'
"""What stands before an owner's time. It is in no string, where quotes are escaped, and a set of fields has no such name."""
_TIME_LENGTH: Final = len("2026-01-31T12:00:00Z")
_MOST_OUTCOMES: Final = 256
_LONGEST: Final = 8 * 1024
"""Bytes of owners that are kept; with the number of outcomes, it bounds what they hold."""
_REST: Final = 16 * _MOST_OUTCOMES
"""Changes for which nothing is looked up where that was seldom of use: each came to an outcome of its own, found out in vain."""
NOW: Final = "now"
"""Marks, for a time, that of the change."""


class _Entry(NamedTuple):
    """An owner's entry: what it is ordered by, its text up to the time, and where the time stood before the change; if it has one."""

    operation: str
    manager: str
    api_version: str
    subresource: str
    text: bytes
    source: int | str | None


class Outcome(NamedTuple):
    """The owners that a change leaves; none if it takes more than a look-up to tell."""

    entries: tuple[_Entry, ...]

    def text(self, times: list[bytes], now: bytes) -> bytes | None:
        """The owners as they are written, in the order of `entries.encode`; ``times`` are those before the change, ``now`` is its own."""
        written = []
        for operation, manager, api_version, subresource, text, source in self.entries:
            if source is None:
                written.append((operation, b"", manager, api_version, subresource, text + b"}"))
            else:
                time = now if source is NOW else times[source]  # type: ignore[index]
                written.append((operation, time, manager, api_version, subresource, b'%b%b%b"}' % (text, _TIME, time)))
        if not written:
            return None
        if len(written) > 1:
            written.sort()
        return b"[%b]" % b",".join([entry[5] for entry in written])


UNTOLD: Final = Outcome(())


class OwnersText(NamedTuple):
    """The owners of an object as they are written: all of their text that decides what becomes of them, and their times."""

    text: bytes
    sort: tuple[bytes, ...]
    times: list[bytes]


class Outcomes:
    """The outcomes of the last sorts of changes."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Outcome] = {}
        self._unfit: set[tuple[bytes, ...]] = set()
        """The sorts of owners of which no outcome can be told."""
        self._found = 0
        """How often one of those that are known was of use."""
        self._resting = 0

    def taken_apart(self, text: bytes) -> OwnersText | None:
        """The owners of an object; None for those of which no outcome can be told, or is worth to be looked up."""
        if self._resting:
            self._resting -= 1
            return None
        if len(text) > _LONGEST:
            return None
        first, *others = text.split(_TIME)
        sort = (first, *[piece[_TIME_LENGTH:] for piece in others])
        return None if sort in self._unfit else OwnersText(text, sort, [piece[:_TIME_LENGTH] for piece in others])

    def find(self, key: Hashable) -> Outcome | None:
        outcome = self._known.get(key)
        if outcome is not None:
            self._found += 1
        return outcome

    def keep(self, key: Hashable, left: Managers | None) -> Outcome:
        """Remember which owners a change leaves of those that were `marked`; None if that takes more than a look-up."""
        if len(self._known) >= _MOST_OUTCOMES:
            self._resting = _REST if self._found < _MOST_OUTCOMES else 0
            self._found = 0
            self._known.clear()
        outcome = self._known[key] = UNTOLD if left is None else _outcome(left)
        return outcome

    def marked(self, owners: OwnersText, api_version: str) -> Managers | None:
        """The owners with marks for their times; None if they are too many, speak in words of another version, or are written otherwise."""
        managers = _marked(owners.text, api_version)
        if managers is None:
            if len(self._unfit) >= _MOST_OUTCOMES:
                self._unfit.clear()
            self._unfit.add(owners.sort)
        return managers


def _marked(text: bytes, api_version: str) -> Managers | None:
    listed: list[JsonObject] = json.decode(text)
    managers = entries.read(listed)
    if len(managers) >= MOST_UPDATERS or entries.encode(managers) != listed:
        return None
    found: Managers = {}
    times = 0
    for key, owned in managers.items():
        if owned.api_version != api_version or len(owned.time.encode()) not in (0, _TIME_LENGTH):
            return None
        found[key] = owned._replace(time=str(times)) if owned.time else owned
        times += bool(owned.time)
    return found


def _outcome(left: Managers) -> Outcome:
    return Outcome(tuple([_entry(key, owned) for key, owned in left.items() if owned.fields]))


def _entry(key: Identity, owned: Owned) -> _Entry:
    (entry,) = entries.encode({key: owned._replace(time="")})
    source = None if not owned.time else NOW if owned.time == NOW else int(owned.time)
    text = json.encode_without_floats(entry, sort=True)[:-1]
    return _Entry(key.operation, key.manager, owned.api_version, key.subresource, text, source)


def text_before_time(key: Identity, owned: Owned) -> bytes:
    """The text of an owner's entry up to its time, which comes last."""
    (entry,) = entries.encode({key: owned._replace(time="")})
    return json.encode_without_floats(entry, sort=True)[:-1] + _TIME[:-1]
