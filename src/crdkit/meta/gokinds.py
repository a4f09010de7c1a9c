"""How values of Go's own types are decoded: numbers, texts, times, lists, maps and pointers."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from crdkit.meta import gotime
from crdkit.meta.copying import copied
from crdkit.meta.gobase64 import CorruptInput
from crdkit.meta.gobase64 import decode as decode_base64
from crdkit.meta.godecoding import DecodeError, Decoding, Kind
from crdkit.meta.gonumbers import canonical, whole
from crdkit.meta.types import Json, JsonObject

_WITH_EXPONENT: Final = 1e21


def _number_text(value: float) -> str:
    """The text of a number as it most likely stood in the document: clients write great ones with an exponent."""
    if isinstance(value, float) and value.is_integer() and "e" in repr(value) and abs(value) < _WITH_EXPONENT:
        return str(int(value))
    return repr(value)


class Scalar(Kind):
    def __init__(self, go: str, python: type, zero: Json) -> None:
        super().__init__(go)
        self.plain, self._zero = python, zero
        self.shape = "bool" if python is bool else "string"

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is self.plain:
            return value
        if value is not None:
            run.wrong(value, self)
        return self._zero

    def zero(self) -> Json:
        return self._zero


class Integer(Kind):
    def __init__(self, go: str, bits: int) -> None:
        super().__init__(go)
        self._limit = 1 << (bits - 1)
        self.shape = f"int{bits}"

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is int and -self._limit <= value < self._limit:
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            run.wrong(value, self, f"number {_number_text(value)}")
        elif value is not None:
            run.wrong(value, self)
        return 0

    def zero(self) -> Json:
        return 0


class Float(Kind):
    shape = "float64"

    def decode(self, value: Json, run: Decoding) -> Json:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return whole(float(value))
        if value is not None:
            run.wrong(value, self)
        return 0

    def zero(self) -> Json:
        return 0


class Bytes(Kind):
    shape = "slice"

    def decode(self, value: Json, run: Decoding) -> Json:
        if isinstance(value, str):
            try:
                return base64.b64encode(decode_base64(value)).decode("ascii")
            except CorruptInput as error:
                run.failed(DecodeError(str(error)))
        elif value is not None:
            run.wrong(value, self)
        return None


class Free(Kind):
    """``interface{}`` and raw JSON: everything is kept."""

    def decode(self, value: Json, run: Decoding) -> Json:
        return copied(value) if run.keep_empty else canonical(value)

    def is_empty(self, value: Json) -> bool:
        return value is None


class RawObject(Kind):
    """Raw JSON that is left out where it is null (``metav1.FieldsV1``)."""

    def decode(self, value: Json, run: Decoding) -> Json:
        return value

    def is_empty(self, value: Json) -> bool:
        return value is None


class Time(Kind):
    """metav1.Time and MicroTime: types that decode themselves, and are written in UTC."""

    def __init__(self, go: str, layout: str) -> None:
        super().__init__(go)
        self._layout = layout

    def decode(self, value: Json, run: Decoding) -> Json:
        if value is None:
            return None
        text = run.nested(STRING, value)
        try:
            return gotime.canonical(text, self._layout)
        except gotime.TimeError as error:
            raise DecodeError(str(error)) from error

    def is_empty(self, value: Json) -> bool:
        return False


class ListOf(Kind):
    shape = "slice"

    def __init__(self, go: str, item: Kind) -> None:
        super().__init__(go)
        self.item = item

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is list:
            return self._items(value, run)
        if value is not None:
            run.wrong(value, self)
        return None

    def _items(self, values: list[Json], run: Decoding) -> list[Json]:
        place, item, plain = run.place, self.item, self.item.plain
        result: list[Json] = []
        for index, value in enumerate(values):
            if value.__class__ is plain:
                result.append(value)
                continue
            place.append(index)
            result.append(item.decode(value, run))
            place.pop()
        return result


class MapOf(Kind):
    """A map, which Go writes with its keys sorted."""

    shape = "map"

    def __init__(self, go: str, item: Kind) -> None:
        super().__init__(go)
        self.item = item

    def decode(self, value: Json, run: Decoding) -> Json:
        if type(value) is not dict:
            if value is not None:
                run.wrong(value, self)
            return None
        run.note_duplicates(value)
        place, decode, plain = run.place, self.item.decode, self.item.plain
        result: JsonObject = {}
        for key, item in value.items():
            if item.__class__ is plain:
                result[key] = item
                continue
            place.append(key)
            result[key] = decode(item, run)
            place.pop()
        return result if len(result) < 2 else dict(sorted(result.items()))


class PointerTo(Kind):
    def __init__(self, item: Kind) -> None:
        super().__init__(item.go)
        self.item = item
        self.plain = item.plain

    def decode(self, value: Json, run: Decoding) -> Json:
        return None if value is None else self.item.decode(value, run)

    def is_empty(self, value: Json) -> bool:
        return value is None


STRING: Final = Scalar("string", str, "")
BUILT_IN: Final[Mapping[str, Kind]] = {
    "string": STRING,
    "bool": Scalar("bool", bool, False),
    "int32": Integer("int32", 32),
    "int64": Integer("int64", 64),
    "float64": Float("float64"),
    "[]byte": Bytes("[]uint8"),
    "any": Free("interface {}"),
    "FieldsV1": RawObject("v1.FieldsV1"),
    "Time": Time("v1.Time", gotime.LAYOUT),
    "MicroTime": Time("v1.MicroTime", gotime.MICRO_LAYOUT),
}
