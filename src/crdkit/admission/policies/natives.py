"""Objects that expressions write, as a real server has them before they are merged: with values that JSON has no form of.

A list or map that an expression writes as a field becomes one of JSON; one within it does not, unless it was taken from an object or joined.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable
from typing import Final

from crdkit.builtin.admission.messages import NotJson, ObjectValue, no_number, to_plain
from crdkit.cel.standard.timestamps import print_timestamp
from crdkit.cel.types import Type
from crdkit.cel.values import LISTS, MAPS, NONE, Duration, Joined, Optional, Texts, Timestamp, Uint, Value, find
from crdkit.meta import golang
from crdkit.meta.types import Json, JsonObject
from crdkit.ownership.foreign import Foreign

_NULL: Final = Foreign("NULL_VALUE", "0", "structpb.NullValue")
_UNITS: Final = (("h", 3600 * 10**9), ("m", 60 * 10**9))
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class Unkeyed(Exception):
    """A map has a key that is no text; ``str()`` is what a real server says of the object whose field it is."""


class Natives:
    """Translates the values of one expression. ``roots`` are what it could take values from. ``foreign``: some have no form in JSON."""

    def __init__(self, roots: Iterable[Value]) -> None:
        self._roots = roots
        self._known: set[int] | None = None
        self.foreign = False

    def object(self, value: ObjectValue) -> JsonObject:
        """Raises `Unkeyed`."""
        found: JsonObject = {}
        for name, field in value.fields.items():
            try:
                found[name] = self._field(field)
            except _OtherKey as error:
                msg = f"fail to convert field {golang.quote(name)}: {error}"
                raise Unkeyed(msg) from error
        return found

    def _field(self, value: Value) -> Json:
        value = _held(value)
        if isinstance(value, LISTS) and not isinstance(value, Texts):
            return value if self._is_taken(value) else [self._element(element) for element in value]
        if isinstance(value, MAPS):
            return value if self._is_taken(value) else {_key(key): self._element(find(value, key)) for key in value}
        return self._element(value)

    def _element(self, value: Value) -> Json:
        value = _held(value)
        if value is NONE:
            return None
        if isinstance(value, Type):
            return value.name
        if isinstance(value, ObjectValue):
            try:
                return self.object(value)
            except Unkeyed as error:
                return self._strange(Foreign(str(error), "(*types.Err)", "*types.Err"))
        if isinstance(value, Joined):
            return [self._element(element) for element in value]
        if isinstance(value, (*LISTS, *MAPS)):
            return value if self._is_taken(value) else self._strange(self._container(value))
        if isinstance(value, bool | float | str) or (isinstance(value, int) and not isinstance(value, Uint)):
            return value
        return self._strange(_scalar(value))

    def _strange(self, value: Foreign) -> Foreign:
        self.foreign = True
        return value

    def _container(self, value: Value) -> Foreign:
        if isinstance(value, LISTS):
            elements = [self._element(element) for element in value]
            kind = "[]string" if isinstance(value, Texts) else "[]ref.Val"
            return Foreign(golang.to_text(elements), golang.go_syntax(elements).replace("[]interface {}", kind, 1), kind)
        entries = {str(key): self._element(find(value, key)) for key in value}
        syntax = golang.go_syntax(entries).replace("map[string]interface {}", "map[ref.Val]ref.Val", 1)
        return Foreign(golang.to_text(entries), syntax, "map[ref.Val]ref.Val")

    def _is_taken(self, value: Value) -> bool:
        if self._known is None:
            self._known = set()
            for root in self._roots:
                _collect(root, self._known)
        return id(value) in self._known


class _OtherKey(Exception):
    """A key that is no text."""


def _key(key: Value) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        msg = f"map key %!q(types.Bool={'true' if key else 'false'}) is of type types.Bool, not string"
    else:
        shown = f"'{golang.quote(chr(key))[1:-1]}'" if 0 <= key < 0xD800 else "'\ufffd'"
        msg = f"map key {shown} is of type types.{'Uint' if isinstance(key, Uint) else 'Int'}, not string"
    raise _OtherKey(msg)


def _held(value: Value) -> Value:
    while isinstance(value, Optional) and value is not NONE:
        value = value.held()
    return value


def _collect(value: Value, known: set[int]) -> None:
    if isinstance(value, dict | list):
        known.add(id(value))
        for below in value.values() if isinstance(value, dict) else value:
            _collect(below, known)


def _scalar(value: Value) -> Foreign:
    if value is None:
        return _NULL
    if isinstance(value, Uint):
        return Foreign(str(int(value)), hex(value), "uint64")
    if isinstance(value, bytes):
        return Foreign(golang.to_text(list(value)), f"[]uint8{{{', '.join(map(hex, value))}}}", "[]uint8")
    if isinstance(value, Duration):
        return Foreign(_duration(value.nanos), str(value.nanos), "time.Duration")
    if isinstance(value, Timestamp):
        return _moment(value)
    name = type(value).__name__.lower()
    return Foreign(name, name, name)


def _duration(nanos: int) -> str:
    """Go's text of a duration: ``1m30s``."""
    sign, rest = "-" if nanos < 0 else "", abs(nanos)
    if 0 < rest < 10**9:
        unit, size = next(each for each in (("ms", 10**6), ("µs", 10**3), ("ns", 1)) if rest >= each[1])
        return f"{sign}{_fraction(rest, size)}{unit}"
    text = sign
    for unit, size in _UNITS:
        if abs(nanos) >= size:
            text += f"{rest // size}{unit}"
        rest %= size
    return f"{text}{_fraction(rest, 10**9)}s"


def _fraction(value: int, size: int) -> str:
    whole, rest = divmod(value, size)
    return f"{whole}.{rest:0{len(str(size)) - 1}d}".rstrip("0") if rest else str(whole)


def _moment(value: Timestamp) -> Foreign:
    text = print_timestamp(value)
    date, _, clock = text.partition("T")
    clock, zone = (clock[:-1], "Z") if clock.endswith("Z") else (clock[:-6], clock[-6:])
    offset = zone.replace(":", "")
    shown = f"{date} {clock} {'+0000 UTC' if zone == 'Z' else f'{offset} {offset}'}"
    year, month, day = map(int, date.split("-"))
    hour, minute, second = map(int, clock.partition(".")[0].split(":"))
    place = "time.UTC" if zone == "Z" else 'time.Location("")'
    nanos = value.nanos % 10**9
    return Foreign(shown, f"time.Date({year}, time.{_MONTHS[month - 1]}, {day}, {hour}, {minute}, {second}, {nanos}, {place})", "time.Time")


def in_protobuf(value: Json) -> Json:
    """A native value as protocol buffers hold it, whose numbers are doubles. Raises `NotJson`."""
    if isinstance(value, dict):
        return {name: in_protobuf(below) for name, below in value.items()}
    if isinstance(value, list):
        return [in_protobuf(element) for element in value]
    if isinstance(value, Foreign):
        return _foreign_in_protobuf(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _double(float(value))
    return value


def _foreign_in_protobuf(value: Foreign) -> Json:
    if value.go_type == "uint64":
        return _double(float(value))
    if value.go_type == "[]uint8":
        return base64.b64encode(bytes(map(int, value[1:-1].split()))).decode()
    msg = f"proto: invalid type: {value.go_type}"
    raise NotJson(msg)


def _double(value: float) -> Json:
    if not math.isfinite(value):
        msg = f"json: error calling MarshalJSON for type *structpb.Struct: {no_number(value)}"
        raise NotJson(msg)
    return to_plain(value)
