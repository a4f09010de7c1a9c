"""How Go prints values: what error texts of a real server are made of (strconv, fmt's ``%v`` and ``%#v``, encoding/json)."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from crdkit.meta.records import record

_ESCAPES: Final = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", '"': '\\"', "\\": "\\\\",
}  # fmt: skip
SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
"""What strings.TrimSpace takes away."""
_PLAIN: Final = re.compile(r"[ !#-\[\]-~]*\Z")
_JSON_ESCAPES: Final = {
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029",
}  # fmt: skip
_JSON_SPECIAL: Final = re.compile('["\\\\\x00-\x1f<>&\u2028\u2029\ud800-\udfff]')


@record
class Typed:
    """A value of a named Go type, whose Go syntax differs from that of plain JSON values.

    ``go`` is its ``%#v`` text (``[]string{"v2"}``), ``value`` what encoding/json makes of it.
    """

    value: Any
    go: str


@record
class Ordered:
    """A Go struct: its fields are written in their own order, where a map's keys are sorted."""

    fields: dict[str, Any]


@record
class Rendered:
    """A Go struct, whose fields have an order of their own: both its texts, made by who knows the type."""

    json: str
    go: str


def strings(values: list[str] | None) -> Typed:
    """A Go ``[]string``; None is the nil slice."""
    if values is None:
        return Typed(None, "[]string(nil)")
    return Typed(values, "[]string{" + ", ".join(quote(value) for value in values) + "}")


def is_print(char: str) -> bool:
    """Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and the ASCII space."""
    return char == " " or unicodedata.category(char)[0] in "LMNPS"


def quote(text: str) -> str:
    """strconv.Quote: the text in double quotes, with what is not printable escaped."""
    if _PLAIN.match(text):
        return f'"{text}"'
    parts = ['"']
    for char in text:
        if escape := _ESCAPES.get(char):
            parts.append(escape)
        elif is_print(char):
            parts.append(char)
        elif (code := ord(char)) < 0x80:
            parts.append(f"\\x{code:02x}")
        elif 0xD800 <= code < 0xE000:
            parts.append("\\ufffd")
        else:
            parts.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    parts.append('"')
    return "".join(parts)


def _digits(value: float) -> tuple[str, str, int]:
    """Sign, shortest digits and decimal exponent of a finite float: 12.5 is ``("", "125", 1)``."""
    mantissa, exponent = f"{value!r}", 0
    sign = ""
    if mantissa.startswith("-"):
        sign, mantissa = "-", mantissa[1:]
    if "e" in mantissa:
        mantissa, _, power = mantissa.partition("e")
        exponent = int(power)
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    leading = len(whole + fraction) - len(digits)
    exponent += len(whole) - 1 - leading
    digits = digits.rstrip("0") or "0"
    return sign, digits, exponent if digits != "0" else 0


def _plain_decimal(sign: str, digits: str, exponent: int) -> str:
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    if exponent + 1 >= len(digits):
        return f"{sign}{digits}{'0' * (exponent + 1 - len(digits))}"
    return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :]}"


def format_float(value: float, *, low: int = -4, high: int = 6) -> str:
    """fmt's ``%v`` of a float64: shortest digits, an exponent below 1e-4 or from 1e6 on (``1.234567e+06``, ``1e-07``)."""
    if value != value:  # noqa: PLR0124 (NaN)
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "+Inf" if value > 0 else "-Inf"
    sign, digits, exponent = _digits(value)
    if low <= exponent < high:
        return _plain_decimal(sign, digits, exponent)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def json_float(value: float) -> str:
    """encoding/json's float64: shortest digits, an exponent below 1e-6 or from 1e21 on, without a leading zero (``1e-7``)."""
    text = format_float(value, low=-6, high=21)
    if "e-0" in text:
        text = text.replace("e-0", "e-")
    return text


def _json_char(match: re.Match[str]) -> str:
    char = match.group()
    if escape := _JSON_ESCAPES.get(char):
        return escape
    return "\\ufffd" if ord(char) >= 0xD800 else f"\\u{ord(char):04x}"


def json_string(text: str) -> str:
    """encoding/json's string, with ``<``, ``>`` and ``&`` escaped."""
    return f'"{_JSON_SPECIAL.sub(_json_char, text)}"'


def to_json(value: Any) -> str:
    """encoding/json's text of a value: keys sorted, no blanks, HTML characters escaped."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return json_string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return json_float(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json_string(key)}:{to_json(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(to_json(item) for item in value) + "]"
    if isinstance(value, Typed):
        return to_json(value.value)
    if isinstance(value, Rendered):
        return value.json
    if isinstance(value, Ordered):
        return "{" + ",".join(f"{json_string(key)}:{to_json(item)}" for key, item in value.fields.items()) + "}"
    msg = f"not a JSON value: {type(value).__name__}"
    raise TypeError(msg)


def to_text(value: Any) -> str:
    """fmt's ``%v`` of a value decoded from JSON into ``interface{}``: ``map[a:1 b:[x y]]``, ``<nil>``."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_float(value)
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{to_text(value[key])}" for key in sorted(value)) + "]"
    if isinstance(value, list | tuple):
        return "[" + " ".join(to_text(item) for item in value) + "]"
    return str(value)


_TYPES: Final = {
    type(None): "%!s(<nil>)", bool: "bool", str: "string", int: "int64", float: "float64",
    dict: "map[string]interface {}", list: "[]interface {}",
}  # fmt: skip


def type_of(value: Any) -> str:
    """reflect's name for the type of a value decoded from JSON into ``interface{}``, as fmt's ``%s`` tells it."""
    return _TYPES[type(value)]


def go_syntax(value: Any) -> str:
    """fmt's ``%#v`` of a value decoded from JSON into ``interface{}``."""
    if value is None:
        return "interface {}(nil)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return format_float(value)
    if isinstance(value, dict):
        return "map[string]interface {}{" + ", ".join(f"{quote(key)}:{go_syntax(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[]interface {}{" + ", ".join(go_syntax(item) for item in value) + "}"
    if isinstance(value, Typed | Rendered):
        return value.go
    msg = f"not a JSON value: {type(value).__name__}"
    raise TypeError(msg)
