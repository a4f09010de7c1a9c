"""The bytes of an answer: JSON as it came, indented, as YAML, as protobuf, compressed."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from typing import Final

from crdkit.meta import json
from crdkit.meta.offload import SMALL_JSON, SMALL_YAML, offload
from crdkit.registry.pieces import Pieces
from crdkit.server.message import PROTOBUF, YAML

_tokens = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+').findall
_OPENING: Final = frozenset((b"{", b"["))
_CLOSING: Final = frozenset((b"}", b"]"))
_GZIP_LEVEL: Final = 1
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS


async def render(document: bytes, media_type: str, *, pretty: bool) -> bytes:
    """Write compact JSON in the way that was asked for. Compact answers end in a line break, indented ones do not."""
    if media_type == YAML:
        return to_yaml(document) if len(document) < SMALL_YAML else await offload(to_yaml, document)
    if media_type == PROTOBUF:
        return to_protobuf(document) if len(document) < SMALL_JSON else await offload(to_protobuf, document)
    if pretty:
        return indent(document) if len(document) < SMALL_JSON else await offload(indent, document)
    return document if document.endswith(b"\n") else document + b"\n"


def to_yaml(document: bytes) -> bytes:
    from crdkit.meta import yamlwriter  # noqa: PLC0415 (a YAML library is not needed before somebody asks for YAML)

    return yamlwriter.encode(json.decode(document))


def to_protobuf(document: bytes) -> bytes:
    from crdkit.builtin.protobuf import envelope  # noqa: PLC0415 (its tables are not needed before somebody asks for protobuf)

    return envelope.encode(json.decode(document))


def indent(document: bytes) -> bytes:
    """Indent JSON by two blanks and change nothing else, numbers above all."""
    out: list[bytes] = []
    depth, fresh = 0, False
    for token in _tokens(document):
        if token in _CLOSING:
            depth -= 1
            if not fresh:
                out.append(_line(depth))
            out.append(token)
            fresh = False
            continue
        if fresh:
            out.append(_line(depth))
        fresh = token in _OPENING
        depth += fresh
        out.append(_spaced(token, depth))
    return b"".join(out)


def _spaced(token: bytes, depth: int) -> bytes:
    if token == b",":
        return b"," + _line(depth)
    return b": " if token == b":" else token


def _line(depth: int) -> bytes:
    return b"\n" + b"  " * depth


async def compress(body: bytes | Pieces) -> bytes:
    """The body as gzip, quickly rather than tightly."""
    return await offload(_gzip, (body,) if isinstance(body, bytes) else body)


def _gzip(pieces: Iterable[bytes]) -> bytes:
    compressor = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_WINDOW)
    return b"".join([compressor.compress(piece) for piece in pieces]) + compressor.flush()
