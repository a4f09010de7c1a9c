"""The target of a request line: its path, decoded, and its query, of which what cannot be read is ignored."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from crdkit.registry.request import NO_QUERY, Query

MOST_KNOWN: Final = 2048
"""So many targets are remembered: clients ask for the same again and again."""
LONGEST_KNOWN: Final = 256

_broken_escape = re.compile(r"%(?![0-9A-Fa-f]{2})").search


class MalformedTarget(ValueError):
    """The path holds an escape that cannot be decoded."""


def split(target: bytes) -> tuple[str, Query]:
    """Path and query of a request's target. Raises `MalformedTarget`."""
    return _known(target) if len(target) <= LONGEST_KNOWN else _split(target)


def _split(target: bytes) -> tuple[str, Query]:
    text = target.decode("utf-8", "replace")
    if not text.startswith("/") and "://" in text:
        text = _without_authority(text)
    path, _, query = text.partition("?")
    return decode_path(path), parse_query(query)


_known: Final = lru_cache(MOST_KNOWN)(_split)


def decode_path(path: str) -> str:
    if "%" not in path:
        return path
    if _broken_escape(path):
        raise MalformedTarget(path)
    return unquote(path)


def parse_query(text: str) -> Query:
    if not text:
        return NO_QUERY
    return _known_query(text) if len(text) <= LONGEST_KNOWN else _parse_query(text)


def _parse_query(text: str) -> Query:
    if ";" in text or "%" in text:
        text = "&".join(pair for pair in text.split("&") if ";" not in pair and not _broken_escape(pair))
    return Query.parse(text)


_known_query: Final = lru_cache(MOST_KNOWN)(_parse_query)


def _without_authority(text: str) -> str:
    """The path and query of a target in absolute form, as proxies send it."""
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise MalformedTarget(text) from error
    return f"{parts.path or '/'}?{parts.query}"
