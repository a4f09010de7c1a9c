"""Keys and their prefixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

LAST_CHARACTER: Final = "\U0010ffff"

V = TypeVar("V")


def prefix_end(prefix: str) -> str:
    """Give a bound above every key that begins with ``prefix`` (no key holds the last character of Unicode)."""
    return prefix + LAST_CHARACTER


class PrefixMap(Generic[V]):
    """Values filed under prefixes of keys, so that a key finds its own without asking all of them.

    A prefix is filed under its part up to its last slash, and a key looks under each of its own such parts.
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[V, str]] = {}

    def __iter__(self) -> Iterator[V]:
        for filed in self._values.values():
            yield from filed

    def add(self, prefix: str, value: V) -> None:
        self._values.setdefault(_directory(prefix), {})[value] = prefix

    def discard(self, prefix: str, value: V) -> None:
        directory = _directory(prefix)
        filed = self._values.get(directory, {})
        if filed.pop(value, None) is not None and not filed:
            del self._values[directory]

    def matching(self, key: str) -> list[V]:
        """Give the values whose prefix begins ``key``; the list is the caller's."""
        found: list[V] = []
        end = 0
        while self._values:
            if (filed := self._values.get(key[:end])) is not None:
                found += [value for value, prefix in filed.items() if key.startswith(prefix)]
            if not (end := key.find("/", end) + 1):
                break
        return found


def _directory(prefix: str) -> str:
    return prefix[: prefix.rfind("/") + 1]
