"""RE2 patterns in Go's dialect."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

import re2
from re2 import _re2

from crdkit.cel.errors import EvaluationError
from crdkit.meta import goregexp

Span: TypeAlias = tuple[int, int]

_REMEMBERED: Final = 1024
_NOWHERE: Final = (-1, -1)
_OPTIONS: Final = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = goregexp.PROGRAM_BYTES
_OPTIONS.never_capture = True  # groups are of no account for a match, and cost


class Pattern:
    """A compiled pattern. It calls what lies below the library's own search, which costs six times the match itself."""

    __slots__ = ("_match",)

    def __init__(self, pattern: str) -> None:
        self._match = _re2.RE2(pattern.encode("utf-8", "surrogatepass"), _OPTIONS).Match

    def search(self, text: str) -> Span | None:
        """Where in the text's UTF-8 the pattern matches first."""
        encoded = text.encode("utf-8", "surrogatepass")
        return self._next(encoded, 0)

    def find(self, text: str) -> str:
        """What matches first, or nothing."""
        encoded = text.encode("utf-8", "surrogatepass")
        span = self._next(encoded, 0)
        return "" if span is None else encoded[slice(*span)].decode("utf-8", "surrogatepass")

    def find_all(self, text: str, limit: int = -1) -> list[str]:
        """What matches one behind the other, at most so often; nothing is found right behind a match."""
        encoded = text.encode("utf-8", "surrogatepass")
        found: list[str] = []
        position, previous_end = 0, -1
        while len(found) != limit and position <= len(encoded) and (span := self._next(encoded, position)) is not None:
            start, end = span
            if end > start or start != previous_end:
                found.append(encoded[start:end].decode("utf-8", "surrogatepass"))
            previous_end = end
            position = end if end > position else end + _width(encoded, end)
        return found

    def _next(self, encoded: bytes, position: int) -> Span | None:
        span: Span = self._match(_re2.RE2.Anchor.UNANCHORED, encoded, position, len(encoded))[0]
        return None if span == _NOWHERE else span


def _width(encoded: bytes, position: int) -> int:
    """How many bytes the character at a position has; 1 at the end."""
    end = position + 1
    while end < len(encoded) and encoded[end] & 0xC0 == 0x80:
        end += 1
    return end - position


@lru_cache(maxsize=_REMEMBERED)
def compile_pattern(pattern: str) -> Pattern:
    """Compile a pattern. Raises `EvaluationError` with Go's text."""
    if fault := goregexp.fault_of(pattern):
        raise EvaluationError(fault)
    return Pattern(pattern)
