"""Keys and their prefixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LAST_CHARACTER: Final = "\U0010ffff"
_MOST_DIRECTORIES: Final = 1_000

V = TypeVar("V")


def prefix_end(prefix: str) -> str:
    """Give a bound above every key that begins with ``prefix`` (no key holds the last character of Unicode)."""
    return prefix + LAST_CHARACTER


class PrefixMap(Generic[V]):
    """Values filed under prefixes of keys, so that a key finds its own without asking all of them.

    A prefix is filed under its part up to its last slash, and a key looks under each of its own such parts. What keys of one directory
    found there is remembered until something is filed or taken away.
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[V, str]] = {}
        self._near: dict[str, tuple[list[V], list[tuple[V, str]]]] = {}
        """Of a directory: what all of its keys find, and what is filed under beginnings of their last parts."""

    def __iter__(self) -> Iterator[V]:
        for filed in self._values.values():
            yield from filed

    def add(self, prefix: str, value: V) -> None:
        self._near.clear()
        self._values.setdefault(_directory(prefix), {})[value] = prefix

    def discard(self, prefix: str, value: V) -> None:
        self._near.clear()
        directory = _directory(prefix)
        filed = self._values.get(directory, {})
        if filed.pop(value, None) is not None and not filed:
            del self._values[directory]

    def matching(self, key: str) -> Sequence[V]:
        """Give the values whose prefix begins ``key``, as they are filed now."""
        directory = key[: key.rfind("/") + 1]
        all_find, some_find = self._near.get(directory) or self._near_to(directory)
        if not some_find:
            return all_find
        return [*all_find, *[value for value, prefix in some_find if key.startswith(prefix)]]

    def _near_to(self, directory: str) -> tuple[list[V], list[tuple[V, str]]]:
        """What is filed under the parts of a directory."""
        found: list[tuple[V, str]] = []
        end = 0
        while self._values:
            found += self._values.get(directory[:end], {}).items()
            if not (end := directory.find("/", end) + 1):
                break
        if len(self._near) >= _MOST_DIRECTORIES:
            self._near.clear()
        all_find = [value for value, prefix in found if directory.startswith(prefix)]
        near = self._near[directory] = all_find, [one for one in found if not directory.startswith(one[1])]
        return near


def _directory(prefix: str) -> str:
    return prefix[: prefix.rfind("/") + 1]
