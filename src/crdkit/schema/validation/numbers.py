"""What a schema asks of a number: that it fits its type and format, bounds, and being a multiple."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, golang
from crdkit.schema.differences import Differences
from crdkit.schema.numbers import MAX_FLOAT32, is_int64, to_int64
from crdkit.schema.structural import Structural
from crdkit.schema.validation.faults import Fault
from crdkit.schema.validation.reading import Reading

_INT32: Final = range(-(2**31), 2**31)

Number = int | float


def check_number(schema: Structural, value: Number, name: str, reading: Reading) -> Iterator[Fault]:
    """Every fault of a number, in the order of a real server: its own range, the multiple, the least, the most."""
    judge = _Judge(*reading.number_type(schema), name, reading.differences)
    yield from judge.range(value, "Checked")
    if schema.multiple_of is not None:
        yield from judge.multiple(value, float(schema.multiple_of))
    if schema.minimum is not None:
        yield from judge.least(value, float(schema.minimum), exclusive=schema.exclusive_minimum)
    if schema.maximum is not None:
        yield from judge.most(value, float(schema.maximum), exclusive=schema.exclusive_maximum)


def has_faulty_bounds(schema: Structural, reading: Reading) -> bool:
    """Whether a bound does not fit the declared type, which is a fault of every value."""
    judge = _Judge(*reading.number_type(schema), "", reading.differences)
    bounds = (schema.multiple_of, schema.minimum, schema.maximum)
    return any(bound is not None and any(judge.range(float(bound), "")) for bound in bounds)


class _Judge:
    """Compares numbers as Go does: two integers as int64, whatever else as float64.

    A bound that does not fit the declared type is a fault of every value, and is then compared as a float.
    """

    def __init__(self, declared_type: str, declared_format: str, name: str, table: Differences) -> None:
        self.type = declared_type
        self.format = declared_format
        self.name = name
        self.differences = table

    def range(self, value: Number, prefix: str) -> Iterator[Fault]:
        if not self._fits(value):
            declared = f"with format {self.format}" if self.format else "(default format)"
            detail = f"{prefix} value must be of type {self.type} {declared} in {self.name}"
            yield Fault(None, detail, errors.invalid("", "", detail))

    def _fits(self, value: Number) -> bool:
        if self.type == "integer":
            return is_int64(value) and (self.format != "int32" or int(value) in _INT32)
        return self.format != "float" or abs(value) < MAX_FLOAT32

    def _pair(self, value: Number, bound: float, faulty: bool) -> tuple[Number, Number]:
        if type(value) is int and not faulty:
            return value, to_int64(bound)
        return float(value), float(bound)

    def least(self, value: Number, bound: float, *, exclusive: bool) -> Iterator[Fault]:
        faults = list(self.range(bound, "Minimum boundary"))
        yield from faults
        shown, least = self._pair(value, bound, bool(faults))
        if shown < least or (exclusive and shown == least):
            words = "greater than" if exclusive else "greater than or equal to"
            yield self._invalid(shown, f"should be {words} {_text(least)}")

    def most(self, value: Number, bound: float, *, exclusive: bool) -> Iterator[Fault]:
        faults = list(self.range(bound, "Maximum boundary"))
        yield from faults
        shown, most = self._pair(value, bound, bool(faults))
        if shown > most or (exclusive and shown == most):
            words = "less than" if exclusive else "less than or equal to"
            yield self._invalid(shown, f"should be {words} {_text(most)}")

    def multiple(self, value: Number, declared: float) -> Iterator[Fault]:
        faults = list(self.range(declared, "MultipleOf"))
        yield from faults
        shown, factor = self._pair(value, declared, bool(faults))
        if factor <= 0:
            detail = f"factor MultipleOf declared for {self.name} must be positive: {_text(factor)}"
            yield Fault(self.name, detail, errors.invalid("", factor, detail))
        elif not self._is_multiple(shown, factor):
            yield self._invalid(shown, f"should be a multiple of {_text(factor)}")

    def _is_multiple(self, value: Number, factor: Number) -> bool:
        if type(value) is int:
            return value % factor == 0
        return self.differences.is_whole(1 / factor * value if factor < 1 else value / factor)

    def _invalid(self, value: Number, words: str) -> Fault:
        detail = f"{self.name} in body {words}"
        return Fault(self.name, detail, errors.invalid("", value, detail))


def _text(value: Number) -> str:
    return str(value) if type(value) is int else golang.format_float(value)
