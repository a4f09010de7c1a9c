"""``'%s and %.2f'.format([...])``: how a text with clauses is read, and how values are written in it.

It prints as the real server does with the locale en_US: groups of thousands, ``∞``, and powers of ten.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from crdkit.cel.errors import EvaluationError
from crdkit.cel.standard.conversions import string_of_bytes, string_of_double
from crdkit.cel.standard.durations import print_duration
from crdkit.cel.standard.timestamps import print_timestamp
from crdkit.cel.types import Type
from crdkit.cel.values import LISTS, MAPS, Duration, Timestamp, Uint, Value, find, type_of
from crdkit.meta.golang import quote
from crdkit.meta.records import record

_REMEMBERED: Final = 256
_DEFAULT_PRECISION: Final = 6
_GREATEST_PRECISION: Final = 1_000_000
"""Go's printer gives up on a clause with a greater one."""
_BYTE: Final = 255
"""The real server keeps the least number of digits in a byte: of more digits, those that must be there are few."""
_FINEST: Final = 1074
"""No double has more digits behind the point."""
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_INFINITIES: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_PRECISION: Final = re.compile(r"\.([0-9]*)")

REFUSED: Final = {
    "s": "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    "d": "decimal clause can only be used on integers",
    "f": "fixed-point clause can only be used on doubles",
    "e": "scientific clause can only be used on doubles",
    "b": "only integers and bools can be formatted as binary",
    "x": "only integers, byte buffers, and strings can be formatted as hex",
    "X": "only integers, byte buffers, and strings can be formatted as hex",
    "o": "octal clause can only be used on integers",
}
"""What is said of each clause when it meets a value that it cannot be used on, before the value's type."""


class FormatError(ValueError):
    """A text has a broken clause, or too few or wrong values; ``str`` is the real server's text."""


@record
class Clause:
    """Where a value goes."""

    verb: str
    precision: int | None


@record
class Broken:
    """A clause that nothing can be made of; it ends the text."""

    why: str
    at_end: bool = False


Segment: TypeAlias = str | Clause | Broken
Render: TypeAlias = Callable[[Clause, int], str]


@lru_cache(maxsize=_REMEMBERED)
def parse(text: str) -> tuple[Segment, ...]:
    """The clauses of a text and what stands between them, up to the first that is broken."""
    segments: list[Segment] = []
    position = 0
    while (start := text.find("%", position)) >= 0:
        segments.append(text[position:start])
        if text.startswith("%%", start):
            segments.append("%")
            position = start + 2
            continue
        if start + 1 == len(text):
            return (*segments, Broken("unexpected end of string", at_end=True))
        segment, position = _clause(text, start + 1)
        segments.append(segment)
        if isinstance(segment, Broken):
            return tuple(segments)
    segments.append(text[position:])
    return tuple(segment for segment in segments if segment)


def _clause(text: str, position: int) -> tuple[Segment, int]:
    precision = None
    if match := _PRECISION.match(text, position):
        why, precision = _precision(match[1])
        position = match.end()
        if position == len(text):
            why = "could not find end of precision specifier"
        if why:
            return Broken(f"could not parse formatting clause: error while parsing precision: {why}"), position
    verb = text[position]
    if verb not in REFUSED:
        shown = chr(verb.encode("utf-8", "surrogatepass")[0])  # the real server looks at bytes
        return Broken(f'could not parse formatting clause: unrecognized formatting clause "{shown}"'), position
    return Clause(verb, precision), position + 1


def _precision(digits: str) -> tuple[str, int]:
    if not digits:
        return 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax', 0
    if len(digits.lstrip("0")) > 18:
        return f"error while converting precision to integer: strconv.Atoi: parsing {quote(digits)}: value out of range", 0
    return "", int(digits)


def interpolate(text: str, count: int, render: Render, *, evaluating: bool = True) -> tuple[str, int]:
    """The text with its clauses rendered, and how many there were. Raises `FormatError`.

    Of a text that ends within a clause, it is first said that its value is missing, but only when it is evaluated.
    """
    parts: list[str] = []
    index = 0
    for segment in parse(text):
        if isinstance(segment, str):
            parts.append(segment)
            continue
        if index >= count and (evaluating or not (isinstance(segment, Broken) and segment.at_end)):
            msg = f"index {index} out of range"
            raise FormatError(msg)
        if isinstance(segment, Broken):
            raise FormatError(segment.why)
        parts.append(render(segment, index))
        index += 1
    return "".join(parts), index


def format_values(text: str, values: Value) -> str:
    """The text with values in the places of its clauses. Raises `EvaluationError`."""

    def render(clause: Clause, index: int) -> str:
        try:
            return _WRITERS[clause.verb](values[index], clause)
        except FormatError as error:
            msg = f"error during formatting: {error}"
            raise FormatError(msg) from error

    try:
        return interpolate(text, len(values), render)[0]
    except FormatError as error:
        raise EvaluationError(str(error)) from error


def _refusal(clause: Clause, value: Value) -> FormatError:
    return FormatError(f"{REFUSED[clause.verb]}, was given {type_of(value).name}")


def _string(value: Value, clause: Clause) -> str:
    if (written := _plain(value)) is not None:
        return written
    if value.__class__ is float:
        return string_of_double(value)
    if value.__class__ is Timestamp:
        return print_timestamp(value)
    if value.__class__ is Duration:
        return print_duration(value)
    if isinstance(value, LISTS):
        return _list(value)
    if isinstance(value, MAPS):
        return _map(value)
    raise _refusal(clause, value)


def _plain(value: Value) -> str | None:
    """What reads the same in a text and in a list within it, but for quotes."""
    kind = value.__class__
    if kind is str:
        return str(value)
    if kind is int or kind is Uint:
        return str(int(value))
    if kind is bool:
        return "true" if value else "false"
    if value is None:
        return "null"
    if kind is Type:
        return str(value.name)
    if kind is bytes:
        try:
            return string_of_bytes(value)
        except EvaluationError as error:
            msg = f'could not convert argument "{error}" to string'
            raise FormatError(msg) from error
    return None


def _element(value: Value) -> str:
    """A value within a list or map, as a literal would be written."""
    kind = value.__class__
    written = _plain(value)
    if written is not None:
        return quote(written) if kind is str else f"b{quote(written)}" if kind is bytes else written
    if kind is float:
        return f"{value:.6f}" if math.isfinite(value) else quote(string_of_double(value))
    if kind is Timestamp:
        return f"timestamp({quote(print_timestamp(value))})"
    if kind is Duration:
        return f"duration({quote(print_duration(value))})"
    if isinstance(value, LISTS):
        return _list(value)
    if isinstance(value, MAPS):
        return _map(value)
    msg = f"no formatting function for {type_of(value).name}"
    raise FormatError(msg)


def _list(values: Value) -> str:
    return f"[{', '.join(map(_element, values))}]"


def _map(values: Value) -> str:
    entries = []
    for key in values:
        if key.__class__ not in _KEYS:
            msg = f"no formatting function for map key of type {type_of(key).name}"
            raise FormatError(msg)
        entries.append((_element(key), _element(find(values, key))))
    entries.sort(key=lambda entry: entry[0])
    return "{" + ", ".join(f"{key}:{value}" for key, value in entries) + "}"


_KEYS: Final = frozenset({str, bool, int, Uint})


def _decimal(value: Value, clause: Clause) -> str:
    return str(_integer(value, clause))


def _octal(value: Value, clause: Clause) -> str:
    return f"{_integer(value, clause):o}"


def _binary(value: Value, clause: Clause) -> str:
    return str(int(value)) if value.__class__ is bool else f"{_integer(value, clause):b}"


def _hex(value: Value, clause: Clause) -> str:
    if value.__class__ is str:
        value = value.encode("utf-8", "surrogatepass")
    written = value.hex() if value.__class__ is bytes else f"{_integer(value, clause):x}"
    return written.upper() if clause.verb == "X" else str(written)


def _integer(value: Value, clause: Clause) -> int:
    if value.__class__ is int or value.__class__ is Uint:
        return int(value)
    raise _refusal(clause, value)


def _double(value: Value, clause: Clause) -> float:
    if value.__class__ is float:
        return float(value)
    if value.__class__ is str and value in _INFINITIES:
        return _INFINITIES[value]
    raise _refusal(clause, value)


def _special(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"


def _fixed(value: Value, clause: Clause) -> str:
    number = _double(value, clause)
    precision = _DEFAULT_PRECISION if clause.precision is None else clause.precision
    if precision > _GREATEST_PRECISION:
        return "%!(NOVERB)"
    if not math.isfinite(number):
        return _special(number)
    if precision <= _BYTE:
        return f"{number:,.{precision}f}"
    digits = f"{number:,.{min(precision, _FINEST)}f}".rstrip("0")
    missing = (precision & _BYTE) - len(digits.partition(".")[2])
    return (digits + "0" * missing).removesuffix(".")


def _scientific(value: Value, clause: Clause) -> str:
    """Six digits behind the point whatever the precision: the real server takes that for the least width."""
    number = _double(value, clause)
    width = _DEFAULT_PRECISION if clause.precision is None else clause.precision
    if width > _GREATEST_PRECISION:
        return "%!(NOVERB)"
    if not math.isfinite(number):
        return _special(number).rjust(width)
    mantissa, _, exponent = f"{number:.6e}".partition("e")
    return f"{mantissa}×10{exponent.lstrip('+').translate(_SUPERSCRIPTS)}".rjust(width)


_WRITERS: Final[dict[str, Callable[[Value, Clause], str]]] = {
    "s": _string, "d": _decimal, "f": _fixed, "e": _scientific, "b": _binary, "x": _hex, "X": _hex, "o": _octal,
}  # fmt: skip
