"""JSON as Go's encoding/json reads and writes it, which is what a real API server does.

Whole numbers without point or exponent that fit an int64 are ``int``, all others ``float``; a byte that is no UTF-8 and a lone
surrogate become U+FFFD; the last of duplicate fields wins, and which were given twice can be told.
Text is read by orjson where its numbers are surely those that Go reads and, if that is of interest, no field is there twice; else by
the standard library; text in which something is wrong or twice by `jsonscanner`, which knows Go's words for it.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, Final

import orjson

from crdkit.meta import golang, jsonscanner, nesting
from crdkit.meta.jsonscanner import JsonError, NumberError
from crdkit.meta.nesting import MOST_LEVELS, TooDeep
from crdkit.meta.types import Json

__all__ = [
    "JsonError",
    "NumberError",
    "decode",
    "decode_exact",
    "decode_strict",
    "encode",
    "encode_told",
    "encode_without_floats",
    "unsigned_zeros",
]

INT64_MIN: Final = -(2**63)
INT64_MAX: Final = 2**63 - 1
_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG_NUMBER: Final = b"0" * 19
_SAMPLED: Final = 4
_LONG_SAMPLE: Final = b"0000"
"""Of the digits of a long number, so many at least come into a sample of each `_SAMPLED`th byte; of a time's, fewer."""
_COLON_ESCAPES: Final = (b"\\u003a", b"\\u003A")
_SORTED: Final = orjson.OPT_SORT_KEYS
_EXACT: Final = orjson.OPT_STRICT_INTEGER
_LONGEST_MANTISSA: Final = 24
"""So many bytes of a number stand before its exponent at most, as orjson writes it."""
_go_writes_otherwise = re.compile(rb"[:\[,]-?\d+(?:\.0[,\]}]|(?:\.\d+)?e)").search
_BEFORE_NUMBERS: Final = frozenset((b"", b":", b",", b"["))
_CLOSING: Final = frozenset(("}", "]"))
_top_float = re.compile(rb"-?\d+(?:\.0\Z|(?:\.\d+)?e)").match


class _NotPlain(Exception):
    """The text needs the scanner that knows Go's words."""


def _replace_byte(error: UnicodeError) -> tuple[str, int]:
    if isinstance(error, UnicodeDecodeError):
        return "\ufffd", error.start + 1
    raise error


codecs.register_error("crdkit.go", _replace_byte)
nesting.make_room()


def decode(data: bytes) -> Json:
    """Read a JSON text. Raises `JsonError` with the text that Go's decoder would give."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:  # wrong in some way, nested deeper than it reads, or not UTF-8
        return jsonscanner.scan(data.decode("utf-8", "crdkit.go"))[0]
    return _decode(data, _lenient)[0] if _may_hold_long_numbers(data) else value


def decode_exact(data: bytes) -> Json:
    """The same for what `encode_told` wrote and told to be exact: there is nothing in it to look out for."""
    return orjson.loads(data)


def _may_hold_long_numbers(data: bytes) -> bool:
    """Whether there may be numbers that orjson reads otherwise than Go: those beyond int64 that fit an uint64. Few bytes tell most texts."""
    return _LONG_SAMPLE in data[::_SAMPLED].translate(_DIGITS) and _LONG_NUMBER in data.translate(_DIGITS)


def decode_strict(data: bytes) -> tuple[Json, list[str]]:
    """Read a JSON text and tell what was given twice: ``duplicate field "spec.a"``, in order, each once, 100 at most."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return jsonscanner.scan(data.decode("utf-8", "crdkit.go"))
    return (value, []) if _holds_all(value, data) else _decode(data, _unique_fields)


def _holds_all(value: Json, data: bytes) -> bool:
    """Whether a value read by orjson has all fields of its text, none of which was there twice, and all numbers as in Go. A no may be wrong.

    With a field that is there twice a colon is lost, that after its name, unless one was hidden by an escape.
    """
    try:
        text = orjson.dumps(value, option=_EXACT)
    except orjson.JSONEncodeError:  # nested deeper than it writes, or large numbers
        return False
    if text == data:
        return True
    return text.count(b":") == data.count(b":") and not (b"\\" in data and any(escape in data for escape in _COLON_ESCAPES))


def _decode(data: bytes, decoder: json.JSONDecoder) -> tuple[Json, list[str]]:
    text = data.decode("utf-8", "crdkit.go")
    try:
        return _whole(decoder, text), []
    except (ValueError, _NotPlain):
        return jsonscanner.scan(text)


def _integer(digits: str) -> int | float:
    if len(digits) < 19:
        return int(digits)
    if len(digits) > 400:
        raise _NotPlain
    number = int(digits)
    return number if INT64_MIN <= number <= INT64_MAX else float(number)


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _NotPlain
    return number


def _constant(name: str) -> Any:
    raise _NotPlain(name)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _NotPlain
    return fields


_lenient: Final = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_constant)
_unique_fields: Final = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_constant, object_pairs_hook=_unique)


def _whole(decoder: json.JSONDecoder, text: str) -> Json:
    if "\\u" in text and re.search(r"\\u[dD][89abAB]", text):
        raise _NotPlain  # may be a lone surrogate
    return decoder.decode(text)


def encode(value: Json, *, sort: bool = False) -> bytes:
    """Write a value, compact, with numbers as Go writes them: ``1.0`` is ``1``, ``1e16`` is ``10000000000000000``.

    Fields come in the order of their names if ``sort``, so that equal values have equal texts; else in their own order.
    Raises `TooDeep`.
    """
    return encode_told(value, sort=sort)[0]


def encode_told(value: Json, *, sort: bool = False, floats: bool = True) -> tuple[bytes, bool]:
    """The same, and whether the text is exact: it reads as the very same value, whoever reads it. A no may be wrong.

    ``floats`` tells whether there may be any: the look for them takes longer than all else.
    """
    try:
        data = orjson.dumps(value, option=_SORTED if sort else None)
    except orjson.JSONEncodeError:
        return _encode_deep(value, sort=sort), False
    if floats and _may_hold_floats(data) and (_go_writes_otherwise(data) or _top_float(data)):
        return orjson.dumps(_with_go_numbers(value), option=_SORTED if sort else None), False
    return data, True


_STRING_OR_NEGATIVE_ZERO: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|-0(?=[,}\]]|\Z)')


def unsigned_zeros(text: bytes) -> bytes:
    """A text with negative zeros as they are read again: as an integer, which has no sign."""
    return _STRING_OR_NEGATIVE_ZERO.sub(lambda found: b"0" if found[0] == b"-0" else found[0], text) if b"-0" in text else text


def encode_without_floats(value: Json, *, sort: bool = False) -> bytes:
    """The text alone of what surely holds no floats, such as an object's metadata."""
    try:
        return orjson.dumps(value, option=_SORTED if sort else None)
    except orjson.JSONEncodeError:
        return _encode_deep(value, sort=sort)


def _may_hold_floats(data: bytes) -> bool:
    """A few searches for fixed bytes, which take a tenth of the time of the pattern they stand before."""
    if b".0" in data and (b".0," in data or b".0}" in data or b".0]" in data or data.endswith(b".0")):
        return True
    digits = data.translate(_DIGITS)
    at = digits.find(b"0e")
    while at >= 0:
        before = digits[max(0, at - _LONGEST_MANTISSA) : at].rstrip(b"0.-")[-1:]
        if before in _BEFORE_NUMBERS:
            return True
        at = digits.find(b"0e", at + 2)
    return False


def _with_go_numbers(value: Json) -> Json:
    if isinstance(value, float):
        return orjson.Fragment(golang.json_float(value))
    if isinstance(value, dict):
        return {key: _with_go_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_go_numbers(item) for item in value]
    return value


def _encode_deep(value: Json, *, sort: bool = False) -> bytes:
    """Write what orjson does not: more than its 254 levels, strings with surrogates. Holds its own stack."""
    parts: list[str] = []
    todo: list[Any] = [value]
    level = 0
    while todo:
        item = todo.pop()
        if isinstance(item, _Text):
            parts.append(item)
            level -= item in _CLOSING
            continue
        if not isinstance(item, dict | list):
            parts.append(golang.to_json(item))
            continue
        level += 1
        if level > MOST_LEVELS:
            msg = f"a value nests deeper than {MOST_LEVELS} levels"
            raise TooDeep(msg)
        _open(item, todo, sort=sort)
    return "".join(parts).encode("utf-8")


def _open(item: dict[str, Any] | list[Any], todo: list[Any], *, sort: bool) -> None:
    """Put a container on the stack: its last part at the bottom, its first on top."""
    if isinstance(item, dict):
        todo.append(_Text("}"))
        for position, (key, field) in reversed(list(enumerate(sorted(item.items()) if sort else item.items()))):
            todo += (field, _Text(("," if position else "") + golang.json_string(key) + ":"))
        todo.append(_Text("{"))
    else:
        todo.append(_Text("]"))
        for position, element in reversed(list(enumerate(item))):
            todo += (element, _Text("," if position else ""))
        todo.append(_Text("["))


class _Text(str):
    """Text that is written as it is."""

    __slots__ = ()
