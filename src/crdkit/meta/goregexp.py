"""Patterns as Go's regexp package takes them: the same language as RE2, told in Go's words where it is broken."""

from __future__ import annotations

import functools
import re
from typing import Any, Final

import re2

PROGRAM_BYTES: Final = 256 << 20
"""How large RE2 may let a pattern's program grow. Go has no such limit within the repeat counts that both allow."""
GREATEST_DEPTH: Final = 1000

_REMEMBERED: Final = 1024
_OPTIONS: Final = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = PROGRAM_BYTES

_WORDS: Final = {
    "missing )": "missing closing )",
    "unexpected )": "unexpected )",
    "missing ]": "missing closing ]",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid escape sequence": "invalid escape sequence",
    "trailing \\": "trailing backslash at end of expression",
    "no argument for repetition operator": "missing argument to repetition operator",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid repetition size": "invalid repeat count",
    "invalid character class range": "invalid character class range",
    "invalid named capture group": "invalid named capture",
}
"""RE2's words for a fault, and Go's."""

_TOO_DEEP: Final = "expression nests too deeply"
_TOO_LARGE: Final = "expression too large"
_SYMBOL: Final = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.|\[\^?\]?(?:\[:.*?:\]|\\.|[^\]\\])*\]|.", re.DOTALL)
_LOOKBEHINDS: Final = ("(?<=", "(?<!")


class PatternError(ValueError):
    """Go does not compile the pattern; ``str()`` is its text."""


@functools.lru_cache(maxsize=_REMEMBERED)
def compile_pattern(pattern: str) -> Any:
    """RE2's compiled pattern. Raises `PatternError` where Go does not compile it."""
    fault = _foreign_syntax(pattern)
    if not fault:
        try:
            return re2.compile(pattern, _OPTIONS)
        except re2.error as error:
            told = error.args[0]
            fault = _translate(told.decode() if isinstance(told, bytes) else str(told), pattern)
    msg = f"error parsing regexp: {fault}"
    raise PatternError(msg)


def fault_of(pattern: str) -> str:
    """What Go's error says where it does not compile the pattern, or "" where it does."""
    try:
        compile_pattern(pattern)
    except PatternError as error:
        return str(error)
    return ""


def _foreign_syntax(pattern: str) -> str:
    r"""What RE2 takes and Go does not: single bytes (``\C``) and nesting without end."""
    if r"\C" not in pattern and pattern.count("(") < GREATEST_DEPTH:
        return ""
    depth = deepest = 0
    for match in _SYMBOL.finditer(pattern):
        symbol = match.group()
        if symbol == r"\C":
            return r"invalid escape sequence: `\C`"
        depth += (symbol == "(") - (symbol == ")")
        deepest = max(deepest, depth)
    return f"{_TOO_DEEP}: `{pattern}`" if deepest >= GREATEST_DEPTH and depth == 0 else ""


def _translate(fault: str, pattern: str) -> str:
    words, _, part = fault.partition(": ")
    if part in _LOOKBEHINDS:
        return f"{_WORDS['invalid named capture group']}: `{_named_capture(pattern, part)}`"
    if not part and words not in _WORDS:
        part = pattern
    told = _WORDS.get(words, _TOO_LARGE)
    return f"{told}: `{part}`"


def _named_capture(pattern: str, opening: str) -> str:
    """Go reads a look-behind as a group's name: up to the next ``>``, or all the rest."""
    rest = pattern[pattern.index(opening) :]
    end = rest.find(">")
    return rest if end < 0 else rest[: end + 1]
