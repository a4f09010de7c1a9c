"""Paths that name a field of a schema's objects: ``.spec.size``, ``['a.b']``, ``.labels['app']``, as rules and selectable fields give them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from crdkit.meta.paths import ROOT, FieldPath
from crdkit.schema.structural import Structural

_PART: Final = re.compile(r"(?s:'(?:.*?)(?<!\\)'|'.*|[.\[\]]|[^.\[\]'][^.\[\]]*)")
_ESCAPE: Final = re.compile(r"\\.")
_ESCAPES: Final = {
    r"\a": "\a", r"\b": "\b", r"\f": "\f", r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\v": "\v", r"\'": "'", r"\\": "\\",
}  # fmt: skip

_NO_FIELD: Final = "does not refer to a valid field"
_UNEXPECTED_END: Final = "unexpected end of JSON path"


class InvalidFieldPath(ValueError):
    """A path is malformed or names no field. The text is what a client is told."""


class Found(NamedTuple):
    """What a path leads to. ``node`` is None for a value of a map whose values have no schema."""

    path: FieldPath
    names: tuple[str, ...]
    node: Structural | None


def find(path: str, schema: Structural, *, brackets: bool = True) -> Found:
    """Follow a path from the root of a schema. Raises `InvalidFieldPath`.

    It may go through properties and the values of maps, never through lists. Without ``brackets`` only ``.name`` is allowed.
    """
    at, names = ROOT, list[str]()
    found: Structural | None = schema
    parts = (match.group() for match in _PART.finditer(path))
    for part in parts:
        if part == "[" and not brackets:
            msg = "array notation is not allowed"
            raise InvalidFieldPath(msg)
        if part not in (".", "["):
            msg = f"expected [ or . but got: {part}"
            raise InvalidFieldPath(msg)
        name = _bracketed(parts) if part == "[" else _next(parts)
        if found is None:
            raise InvalidFieldPath(_NO_FIELD)
        at, found = _step(at, found, name)
        names.append(name)
        if part == "[" and (closing := _next(parts)) != "]":
            msg = f"expected ] but got {closing}"
            raise InvalidFieldPath(msg)
    return Found(at, tuple(names), found)


def _next(parts: Iterator[str]) -> str:
    part = next(parts, None)
    if part is None:
        raise InvalidFieldPath(_UNEXPECTED_END)
    return part


def _bracketed(parts: Iterator[str]) -> str:
    part = _next(parts)
    if len(part) < 2 or not (part.startswith("'") and part.endswith("'")):
        msg = f"expected single quoted string but got {part}"
        raise InvalidFieldPath(msg)
    return _ESCAPE.sub(_unescape, part[1:-1])


def _unescape(match: re.Match[str]) -> str:
    escape = match.group()
    if escape not in _ESCAPES:
        msg = f"invalid string literal: invalid escape char {escape}"
        raise InvalidFieldPath(msg)
    return _ESCAPES[escape]


def _step(at: FieldPath, node: Structural, name: str) -> tuple[FieldPath, Structural | None]:
    if node.properties:
        if name not in node.properties:
            raise InvalidFieldPath(_NO_FIELD)
        return at / name, node.properties[name]
    if node.additional_properties is None:
        raise InvalidFieldPath(_NO_FIELD)
    return at.key(name), node.values
