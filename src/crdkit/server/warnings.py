"""Warning headers, and how much of them fits (apiserver's filters/warning.go)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

LONGEST_ALTOGETHER: Final = 4 * 1024
LONGEST_WHEN_CUT: Final = 256


def header_values(warnings: Iterable[str]) -> list[str]:
    """The values of the headers that tell these warnings, each once.

    Once they come to more than 4,096 characters, every one is cut to 256, and those that still do not fit are left out.
    """
    texts = list(dict.fromkeys(text for text in warnings if text))
    if sum(map(len, texts)) > LONGEST_ALTOGETHER:
        texts = _cut(texts)
    return [_quoted(text) for text in texts if not _has_control(text)]


def _cut(texts: list[str]) -> list[str]:
    kept, written = [], 0
    for text in texts:
        if written >= LONGEST_ALTOGETHER:
            break
        kept.append(text[:LONGEST_WHEN_CUT])
        written += len(kept[-1])
    return kept


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'299 - "{escaped}"'


def _has_control(text: str) -> bool:
    return not text.isprintable() and any(unicodedata.category(char) == "Cc" for char in text)
