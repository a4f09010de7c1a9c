"""Users' patterns, matched by RE2: as Go matches them, and in linear time whatever the pattern."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, TypeAlias

import re2
from re2 import _re2

from crdkit.meta.goregexp import PROGRAM_BYTES

Matcher: TypeAlias = Callable[[str], bool]

_USUAL_BYTES: Final = 8 << 20
_CACHED_PATTERNS: Final = 1024
_REMEMBERED_TEXTS: Final = 128
_REMEMBERED_LENGTH: Final = 128
_NOWHERE: Final = (-1, -1)


def _compile(pattern: str, max_mem: int) -> _re2.RE2:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True  # groups are of no account for a match, and cost
    options.max_mem = max_mem
    return _re2.RE2(pattern.encode(), options)


@functools.lru_cache(maxsize=_CACHED_PATTERNS)
def search(pattern: str) -> Remembering:
    """A function that tells whether a text matches somewhere. Raises `re2.error` for what is no pattern.

    The library's own search costs six times the match itself, hence the call of what lies below it. Few patterns need a program
    that is larger than usual; only they may also use as much memory while they match.
    """
    expression = _compile(pattern, _USUAL_BYTES)
    if not expression.ok():
        expression = _compile(pattern, PROGRAM_BYTES)
    if not expression.ok():
        raise re2.error(expression.error())
    match, anchor = expression.Match, _re2.RE2.Anchor.UNANCHORED

    def matches(text: str) -> bool:
        encoded = text.encode("utf-8", "surrogatepass")
        return match(anchor, encoded, 0, len(encoded))[0] != _NOWHERE  # type: ignore[no-any-return]

    return Remembering(matches)


class Remembering:
    """A check, quicker for short texts that passed it before: the same few values come again and again. How many is bounded."""

    __slots__ = ("_check", "passed")

    def __init__(self, check: Matcher) -> None:
        self._check = check
        self.passed: set[str] = set()
        """Whoever looks here first is spared a call."""

    def __call__(self, text: str) -> bool:
        passed = self.passed
        if text in passed:
            return True
        if not self._check(text):
            return False
        if len(text) <= _REMEMBERED_LENGTH:
            if len(passed) >= _REMEMBERED_TEXTS:
                passed.clear()
            passed.add(text)
        return True
