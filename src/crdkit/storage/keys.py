"""Keys in order: a sorted list in chunks, and values filed under prefixes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CHUNK: Final = 1_000
LAST_CHARACTER: Final = "\U0010ffff"

V = TypeVar("V")


def prefix_end(prefix: str) -> str:
    """Give a bound above every key that begins with ``prefix`` (no key holds the last character of Unicode)."""
    return prefix + LAST_CHARACTER


class SortedKeys:
    """Distinct keys in the order of their bytes, cut into chunks so that adding one moves a chunk and not all of them.

    Python compares text by code points, which is the order of its UTF-8 bytes.
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        ordered = sorted(keys)
        self._chunks = [ordered[start : start + CHUNK] for start in range(0, len(ordered), CHUNK)]
        self._lasts = [chunk[-1] for chunk in self._chunks]

    def add(self, key: str) -> None:
        """Add a key that is not there yet."""
        if not self._chunks:
            self._chunks.append([key])
            self._lasts.append(key)
            return
        number = min(bisect_left(self._lasts, key), len(self._chunks) - 1)
        chunk = self._chunks[number]
        insort(chunk, key)
        self._lasts[number] = chunk[-1]
        if len(chunk) > 2 * CHUNK:
            self._split(number)

    def _split(self, number: int) -> None:
        chunk = self._chunks[number]
        rest = chunk[CHUNK:]
        del chunk[CHUNK:]
        self._lasts[number] = chunk[-1]
        self._chunks.insert(number + 1, rest)
        self._lasts.insert(number + 1, rest[-1])

    def remove(self, key: str) -> None:
        """Remove a key that is there."""
        number = bisect_left(self._lasts, key)
        chunk = self._chunks[number]
        del chunk[bisect_left(chunk, key)]
        if chunk:
            self._lasts[number] = chunk[-1]
        else:
            del self._chunks[number], self._lasts[number]

    def page(self, prefix: str, after: str = "", limit: int = 0) -> tuple[list[str], int]:
        """Give the keys with ``prefix`` later than ``after``, at most ``limit`` if it is not 0, and how many more there are."""
        first, start = self._place(after, past=True) if after >= prefix else self._place(prefix)
        last, stop = self._place(prefix_end(prefix))
        keys: list[str] = []
        left = 0
        for number in range(first, min(last + 1, len(self._chunks))):
            chunk = self._chunks[number]
            begin = start if number == first else 0
            end = stop if number == last else len(chunk)
            taken = end if not limit else min(end, begin + limit - len(keys))
            keys += chunk[begin:taken]
            left += max(end - max(taken, begin), 0)
        return keys, left

    def _place(self, key: str, *, past: bool = False) -> tuple[int, int]:
        """Tell the chunk and the position in it of the first key not before ``key`` (``past``: of the first after it)."""
        bisect = bisect_right if past else bisect_left
        number = bisect(self._lasts, key)
        return number, bisect(self._chunks[number], key) if number < len(self._chunks) else 0


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
