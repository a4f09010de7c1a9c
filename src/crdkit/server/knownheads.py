"""Heads of requests that are known again: a client sends nearly the same each time, and what was parsed once need not be parsed anew."""

from __future__ import annotations

import re
from functools import lru_cache

from crdkit.registry.request import Query
from crdkit.server import target
from crdkit.server.message import Headers

_request_line = re.compile(rb"(GET|POST|PUT|PATCH|DELETE) (/[A-Za-z0-9/._~%?&=:+,-]*) HTTP/1\.1").fullmatch
_length = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE).search


class KnownHead:
    """A request's head after its first line, without the digits that tell how long its body is, and the fields that it holds."""

    __slots__ = ("_after", "_before", "_last", "_size", "headers")

    def __init__(self, before: bytes, after: bytes, headers: Headers) -> None:
        """``after`` is empty where no length is told: then there is no body."""
        self._before, self._after = before, after
        self.headers = headers
        self._last, self._size = b"", -1
        """The whole head of the last request, and how long its body was."""

    @classmethod
    def of(cls, head: bytes, body_size: int, headers: Headers) -> KnownHead | None:
        """None where the length is told in an unusual way."""
        found = _length(head)
        if found is None:
            return None if body_size else cls(head, b"", headers)
        if found[1] != b"%d" % body_size or _length(head, found.end(1)) is not None:
            return None
        return cls(head[: found.start(1)], head[found.end(1) :], headers)

    def body_in(self, data: bytes, end: int) -> bytes | None:
        """The body in the data of a request whose first line ends there, if it has this head; its length may be another."""
        start = end + len(self._last)
        if len(data) - start == self._size and data.startswith(self._last, end):
            return data[start:]
        if not data.startswith(self._before, end):
            return None
        start = end + len(self._before)
        digits = b"0"
        if self._after:
            digits = data[start : data.find(b"\r", start)]
            start += len(digits)
            if not data.startswith(self._after, start):
                return None
            start += len(self._after)
        size = len(data) - start
        if digits != b"%d" % size:
            return None
        self._last, self._size = data[end:start], size
        return data[start:]


def _line(line: bytes) -> tuple[str, str, Query] | None:
    found = _request_line(line)
    if found is None:
        return None
    try:
        path, query = target.split(found[2])
    except target.MalformedTarget:
        return None
    return found[1].decode(), path, query


_known_line = lru_cache(target.MOST_KNOWN)(_line)


def line_of(line: bytes) -> tuple[str, str, Query] | None:
    """Method, path and query of a request's line; None for an unusual one."""
    return _known_line(line) if len(line) <= target.LONGEST_KNOWN else _line(line)


def begins_usually(data: bytes, end: int) -> bool:
    """Whether the line that ends there is one of which `line_of` may tell."""
    return _request_line(data, 0, end) is not None
