"""The values that a schema's enum admits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crdkit.meta import errors, golang
from crdkit.meta.types import Json
from crdkit.schema.equality import same
from crdkit.schema.numbers import to_int64
from crdkit.schema.validation.faults import Fault


def check_enum(values: Sequence[Json], value: Json, name: str) -> Iterator[Fault]:
    if not is_admitted(values, value):
        told = [item if isinstance(item, str) else golang.to_json(item) for item in values]
        yield Fault(name, f"{name} in body should be one of [{' '.join(told)}]", errors.not_supported("", value, told))


def is_admitted(values: Sequence[Json], value: Json) -> bool:
    """Whether the value, made into an item's type where Go has a conversion, equals the item. Null equals nothing, not even null."""
    return value is not None and any(item is not None and same(_converted(value, item), item) for item in values)


def _converted(value: Json, item: Json) -> Json:
    kind, wanted = type(value), type(item)
    if kind is wanted:
        return value
    if wanted is float and kind is int:
        return float(value)
    if wanted is int and kind is float:
        return to_int64(value)
    if wanted is str and kind is int:
        return _character(value)
    return value


def _character(code: int) -> str:
    """Go makes the character of this number of an integer."""
    valid = 0 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF
    return chr(code) if valid else "\ufffd"
