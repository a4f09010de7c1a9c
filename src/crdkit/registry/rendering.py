"""From stored bytes to answered bytes: most objects are answered as they are stored, but for the resourceVersion.

Both begin with apiVersion, kind and metadata, so an answer is a head, the revision, and the rest of what is stored. What an
entry is answered as is found out once (`Renderings`), until it is written again.
"""

from __future__ import annotations

from typing import Final

from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.storage.types import Entry

MOST_ENTRIES: Final = 200_000
"""Of so many entries of a resource it is remembered how they are answered; about 100 bytes each."""

MOST_BYTES: Final = 32 * 1024 * 1024
"""Room, per resource, for entries whose answer is not what is stored."""


def head(api_version: str, kind: str) -> bytes:
    """How every object of this kind begins."""
    return type_meta(api_version, kind) + b'"metadata":{'


def type_meta(api_version: str, kind: str) -> bytes:
    return b'{"apiVersion":%s,"kind":%s,' % (json.encode(api_version), json.encode(kind))


def tail(obj: JsonObject) -> bytes:
    """All of an object after its `head`, but for its resourceVersion; equal objects give equal bytes."""
    metadata = {name: value for name, value in obj["metadata"].items() if name != "resourceVersion"}
    rest = {name: value for name, value in obj.items() if name not in ("apiVersion", "kind", "metadata")}
    first = json.encode(metadata, sort=True)[1:]
    return b"%s,%s" % (first, json.encode(rest, sort=True)[1:]) if rest else first + b"}"


class Renderings:
    """How entries are answered in one version. All answers begin alike, which is the only thing known of versions here."""

    __slots__ = ("_bytes", "_cut", "_head", "_known", "_plain_head", "_stored_head")

    def __init__(self, stored_head: bytes, served_head: bytes) -> None:
        self._stored_head = stored_head
        self._plain_head = served_head
        self._head = served_head + b'"resourceVersion":"'
        self._cut = len(stored_head)
        self._known: dict[str, tuple[int, bytes | None]] = {}
        self._bytes = 0

    def find(self, entry: Entry, revision: int) -> bytes | None:
        """The entry as it is answered, at that revision; None if that is still to be found out."""
        known = self._known.get(entry.key)
        if known is None or known[0] != entry.revision:
            return None
        return self.join(entry.value[self._cut :] if known[1] is None else known[1], revision)

    def is_plain(self, entry: Entry) -> bool:
        """Whether the entry is known to be answered as it is stored, so that nothing needs to be pruned or filled in."""
        known = self._known.get(entry.key)
        return known is not None and known[0] == entry.revision and known[1] is None

    def join(self, rest: bytes, revision: int) -> bytes:
        """An answer from its parts; an object that is not stored has no revision."""
        if not revision:
            return self._plain_head + rest
        return b'%s%d",%s' % (self._head, revision, rest)

    def keep(self, entry: Entry, rest: bytes) -> None:
        """Remember what the entry is answered as."""
        plain = entry.value.startswith(self._stored_head) and entry.value[self._cut :] == rest
        self._set(entry, None if plain else rest)

    def keep_plain(self, entry: Entry) -> None:
        """Remember that the entry, just written, is answered as it is stored."""
        self._set(entry, None)

    def _set(self, entry: Entry, rest: bytes | None) -> None:
        before = self._known.pop(entry.key, None)
        if before is not None and before[1] is not None:
            self._bytes -= len(before[1])
        self._known[entry.key] = (entry.revision, rest)
        if rest is not None:
            self._bytes += len(rest)
        while len(self._known) > MOST_ENTRIES or self._bytes > MOST_BYTES:
            _, dropped = self._known.pop(next(iter(self._known)))
            self._bytes -= len(dropped or b"")
