"""Warning headers, and how much of them fits (apiserver's filters/warning.go)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

LONGEST_ALTOGETHER: Final = 4 * 1024
LONGEST_WHEN_CUT: Final = 256
KEPT: Final = 256


def header_lines(warnings: Sequence[str]) -> str:
    """The lines of a head that tell these warnings."""
    if len(warnings) == 1 and len(warnings[0]) <= LONGEST_WHEN_CUT:
        return _line(warnings[0])
    return "".join([f"Warning: {value}\r\n" for value in header_values(warnings)])


@lru_cache(KEPT)
def _line(text: str) -> str:
    """The line that tells one warning; empty where there is nothing to be told, or no header for it."""
    value = _value(text) if text else ""
    return f"Warning: {value}\r\n" if value else ""


def header_values(warnings: Iterable[str]) -> list[str]:
    """The values of the headers that tell these warnings, each once.

    Once they come to more than 4,096 characters, every one is cut to 256, and those that still do not fit are left out.
    """
    texts = list(dict.fromkeys(text for text in warnings if text))
    if sum(map(len, texts)) > LONGEST_ALTOGETHER:
        texts = _cut(texts)
    return [value for text in texts if (value := _value(text))]


def _cut(texts: list[str]) -> list[str]:
    kept, written = [], 0
    for text in texts:
        if written >= LONGEST_ALTOGETHER:
            break
        kept.append(text[:LONGEST_WHEN_CUT])
        written += len(kept[-1])
    return kept


@lru_cache(KEPT)
def _value(text: str) -> str:
    """The value that tells one warning; empty where it cannot be told in a header."""
    return "" if _has_control(text) else _quoted(text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'299 - "{escaped}"'


def _has_control(text: str) -> bool:
    return not text.isprintable() and any(unicodedata.category(char) == "Cc" for char in text)
