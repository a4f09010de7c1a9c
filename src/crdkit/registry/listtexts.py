"""The items of whole lists as text, kept for as long as nothing under their keys changes.

A list that is asked for again and again (by every controller that starts, by every refresh of a screen) is then one copy of bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crdkit.storage.cache import Cache
from crdkit.storage.types import Event

MOST_BYTES: Final = 64 * 1024 * 1024
"""Room for all kept texts together; the least recently asked for goes first."""
MOST_PREFIXES: Final = 10_000
"""So many prefixes are followed; beyond, all is forgotten and begins anew."""


class ListTexts:
    """Follows the cache. A text is kept when its list is asked for the second time without a change between."""

    def __init__(self, cache: Cache) -> None:
        self._changes: dict[str, int] = {}
        """By a prefix that was listed: how often something under it has changed."""
        self._asked: dict[str, int] = {}
        self._texts: dict[tuple[str, int], tuple[int, bytes]] = {}
        self._bytes = 0
        self._unsubscribe: Callable[[], None] = cache.subscribe("", self._changed)

    def close(self) -> None:
        self._unsubscribe()

    def _changed(self, event: Event) -> None:
        """Count a change under the prefixes of its key: a resource's and a namespace's."""
        changes, key = self._changes, event.key
        end = key.rfind("/")
        prefix = key[: end + 1]
        if prefix in changes:
            changes[prefix] += 1
        prefix = key[: key.rfind("/", 0, end) + 1]
        if prefix in changes:
            changes[prefix] += 1

    def find(self, prefix: str, shown: int) -> bytes | None:
        """The items of the list of all keys under a prefix, as the resource with the serial ``shown`` shows them, if they are kept."""
        place = (prefix, shown)
        kept = self._texts.get(place)
        if kept is None:
            return None
        if kept[0] != self._changes[prefix]:
            self._drop(place)
            return None
        self._texts[place] = self._texts.pop(place)
        return kept[1]

    def offer(self, prefix: str, shown: int, text: bytes) -> None:
        """Keep a text, if its list was asked for before since the last change."""
        if len(self._changes) > MOST_PREFIXES:
            self._forget()
        change = self._changes.setdefault(prefix, 0)
        if self._asked.get(prefix) != change:
            self._asked[prefix] = change
            return
        self._drop((prefix, shown))
        self._texts[prefix, shown] = (change, text)
        self._bytes += len(text)
        while self._bytes > MOST_BYTES:
            self._drop(next(iter(self._texts)))

    def _forget(self) -> None:
        self._changes.clear()
        self._asked.clear()
        self._texts.clear()
        self._bytes = 0

    def _drop(self, place: tuple[str, int]) -> None:
        kept = self._texts.pop(place, None)
        if kept is not None:
            self._bytes -= len(kept[1])
