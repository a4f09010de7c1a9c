"""``int uint double string bytes bool type dyn``."""

from __future__ import annotations

import math
import re
from typing import Final

from crdkit.cel.costs import MAX, Interval, Site, traversal
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.errors import EvaluationError
from crdkit.cel.standard.arithmetic import MAX_INT, MIN_INT, integer, unsigned
from crdkit.cel.standard.clock import NANOS
from crdkit.cel.standard.durations import print_duration
from crdkit.cel.standard.timestamps import print_timestamp
from crdkit.cel.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT, Type, parameter, type_of_type
from crdkit.cel.values import Duration, Timestamp, Uint, Value, type_of
from crdkit.meta import gonumbers
from crdkit.meta.golang import format_float

LIBRARY: Final = Library("conversions")
LIBRARY.folded("int", "uint", "double", "string", "bytes", "bool", "type", "dyn", "timestamp", "duration")

_A: Final = parameter("A")
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})
_INT: Final = re.compile(r"[+-]?[0-9]+\Z")
_UINT: Final = re.compile(r"[0-9]+\Z")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_HEX: Final = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+\Z")
_STRAY: Final = re.compile(r"(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])")
"""An underscore that does not stand between digits."""
_SPECIAL: Final = re.compile(r"(?:[+-]?(?:inf|infinity)|nan)\Z", re.IGNORECASE)


def unconvertible(value: Value, to: Type) -> EvaluationError:
    """The error of a value that has no counterpart of another type."""
    return EvaluationError(f"type conversion error from '{type_of(value).name}' to '{to.name}'")


def _identity(name: str, id: str, type_: Type) -> None:
    @LIBRARY.function(name, (type_,), type_, id=id)
    def identity(value: Value) -> Value:
        return value


_identity("bool", "bool_to_bool", BOOL)
_identity("bytes", "bytes_to_bytes", BYTES)
_identity("double", "double_to_double", DOUBLE)
_identity("int", "int64_to_int64", INT)
_identity("string", "string_to_string", STRING)
_identity("uint", "uint64_to_uint64", UINT)


@LIBRARY.function("bool", (STRING,), BOOL, id="string_to_bool")
def bool_of_string(text: str) -> bool:
    """The spellings that Go's strconv.ParseBool takes."""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise unconvertible(text, BOOL)


def _encoded_size(site: Site) -> Interval:
    low, high = site[0].size
    return Interval(low, high * 4 & MAX)


def _decoded_size(site: Site) -> Interval:
    low, high = site[0].size
    return Interval(low // 4, high)


@LIBRARY.function("bytes", (STRING,), BYTES, id="string_to_bytes", cost=traversal(0, by_name=False), size=_encoded_size)
def bytes_of_string(text: str) -> bytes:
    """Its UTF-8."""
    return text.encode("utf-8", "surrogatepass")


@LIBRARY.function("double", (INT,), DOUBLE, id="int64_to_double")
@LIBRARY.function("double", (UINT,), DOUBLE, id="uint64_to_double")
def double_of_integer(value: int) -> float:
    """The nearest double."""
    return float(value)


@LIBRARY.function("double", (STRING,), DOUBLE, id="string_to_double")
def double_of_string(text: str) -> float:
    """What Go's strconv.ParseFloat reads."""
    value = _parse_double(text)
    if value is None:
        raise unconvertible(text, DOUBLE)
    return value


def _parse_double(text: str) -> float | None:
    if _SPECIAL.match(text):
        return float(text)
    if _STRAY.search(text):
        return None
    text = text.replace("_", "")
    try:
        value = float.fromhex(text) if _HEX.match(text) else float(text) if _DECIMAL.match(text) else math.inf
    except OverflowError:
        return None
    return None if math.isinf(value) else value


@LIBRARY.function("int", (DOUBLE,), INT, id="double_to_int64")
def int_of_double(value: float) -> int:
    """Cut off towards zero; the least int itself is out of range, as with the real server."""
    if not float(MIN_INT) < value < float(MAX_INT):
        msg = "integer overflow"
        raise EvaluationError(msg)
    return int(value)


@LIBRARY.function("int", (DURATION,), INT, id="duration_to_int64")
def int_of_duration(value: Duration) -> int:
    """Its nanoseconds."""
    return value.nanos


@LIBRARY.function("int", (STRING,), INT, id="string_to_int64")
def int_of_string(text: str) -> int:
    """Decimal digits with a sign or without."""
    if _INT.match(text) and MIN_INT <= (value := gonumbers.of_digits(text)) <= MAX_INT:
        return value
    raise unconvertible(text, INT)


@LIBRARY.function("int", (TIMESTAMP,), INT, id="timestamp_to_int64")
def int_of_timestamp(value: Timestamp) -> int:
    """Whole seconds since 1970."""
    return value.nanos // NANOS


@LIBRARY.function("int", (UINT,), INT, id="uint64_to_int64")
def int_of_uint(value: Uint) -> int:
    """The same number."""
    return integer(int(value))


@LIBRARY.function("uint", (DOUBLE,), UINT, id="double_to_uint64")
def uint_of_double(value: float) -> Uint:
    """Cut off towards zero."""
    if not 0 <= value < 2.0**64:
        msg = "unsigned integer overflow"
        raise EvaluationError(msg)
    return Uint(value)


@LIBRARY.function("uint", (INT,), UINT, id="int64_to_uint64")
def uint_of_int(value: int) -> Uint:
    """The same number."""
    return unsigned(value)


@LIBRARY.function("uint", (STRING,), UINT, id="string_to_uint64")
def uint_of_string(text: str) -> Uint:
    """Decimal digits."""
    if _UINT.match(text) and (value := gonumbers.of_digits(text)) < 2**64:
        return Uint(value)
    raise unconvertible(text, UINT)


@LIBRARY.function("string", (BOOL,), STRING, id="bool_to_string")
def string_of_bool(value: bool) -> str:
    """``true`` or ``false``."""
    return "true" if value else "false"


@LIBRARY.function("string", (BYTES,), STRING, id="bytes_to_string", cost=traversal(0, by_name=False), size=_decoded_size)
def string_of_bytes(value: bytes) -> str:
    """What its UTF-8 says."""
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        msg = "invalid UTF-8 in bytes, cannot convert to string"
        raise EvaluationError(msg) from error


@LIBRARY.function("string", (DOUBLE,), STRING, id="double_to_string")
def string_of_double(value: float) -> str:
    """As Go's ``%g``."""
    return format_float(value, high=6)


@LIBRARY.function("string", (DURATION,), STRING, id="duration_to_string")
def string_of_duration(value: Duration) -> str:
    """Its seconds."""
    return print_duration(value)


@LIBRARY.function("string", (INT,), STRING, id="int64_to_string")
@LIBRARY.function("string", (UINT,), STRING, id="uint64_to_string")
def string_of_integer(value: int) -> str:
    """Its digits."""
    return str(int(value))


@LIBRARY.function("string", (TIMESTAMP,), STRING, id="timestamp_to_string")
def string_of_timestamp(value: Timestamp) -> str:
    """RFC 3339."""
    return print_timestamp(value)


@LIBRARY.operator("type", Overload("type", (_A,), type_of_type(_A), member=False))
def type_of_value(value: Value) -> Type:
    """The type of a value, without parameters."""
    return type_of(value)


@LIBRARY.operator("dyn", Overload("to_dyn", (_A,), DYN, member=False))
def dyn(value: Value) -> Value:
    """The same value, of a type that the checker knows nothing about."""
    return value
