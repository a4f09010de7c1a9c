"""Quantities as apimachinery's resource package reads, reckons with and writes them: ``1500m``, ``2Gi``, ``12e6``.

A quantity is a number times a power of ten and remembers the notation it came in. The real one keeps small numbers as
64-bit integers and turns to arbitrary precision where they do not suffice; a rule can tell the two apart (only the
former may be integers), so that is kept, too.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import ClassVar, Final, NamedTuple

from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.types import Type, object_type
from crdkit.cel.values import Opaque, Value

QUANTITY: Final = object_type("kubernetes.Quantity")

DECIMAL_SI: Final = "DecimalSI"
BINARY_SI: Final = "BinarySI"
DECIMAL_EXPONENT: Final = "DecimalExponent"

_TEXT: Final = re.compile(r"([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)")
_SUFFIX_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]+)")
_WRONG_FORMAT: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_WRONG_NUMBER: Final = "unable to parse numeric part of quantity"
_WRONG_SUFFIX: Final = "unable to parse quantity's suffix"

_DECIMAL_SUFFIXES: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_NAMES: Final = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_NAMES: Final = {exponent: suffix for suffix, exponent in _BINARY_SUFFIXES.items()}

_MAX_INT: Final = 2**63 - 1
_MIN_INT: Final = -(2**63)
_SMALL_DIGITS: Final = 18
_NANO: Final = -9
_PYTHON_DIGITS: Final = 4000
"""Longer numbers are read and written otherwise than Python would."""
_MOST_DIGITS: Final = 100_000
"""Numbers and sums of more digits are refused; no real server is asked for them, and they could take minutes."""


class QuantityError(ValueError):
    """A text is no quantity; ``str`` is the real server's text."""


class Quantity(Opaque):
    """``number * 10 ** exponent``. ``small`` tells the real server's 64-bit integers from its arbitrary precision."""

    __slots__ = ("_text", "computed", "exponent", "notation", "number", "small")
    cel_type: ClassVar[Type] = QUANTITY

    def __init__(self, number: int, exponent: int, notation: str, *, small: bool, text: str | None = None, computed: bool = False) -> None:
        self.number = number
        self.exponent = exponent
        self.notation = notation
        self.small = small
        self.computed = computed
        self._text = text

    def equals(self, other: Value) -> bool:
        """By value. A sum or difference on the right is refused, as it is by the real server."""
        if not isinstance(other, Quantity) or other.computed:
            raise no_such_overload()
        return _order(self, other) == 0

    def compare(self, other: Quantity) -> int:
        """-1, 0 or 1. The real server turns this quantity to arbitrary precision if the other has it; then it is no integer any more."""
        if not other.small:
            self.small = False
        return _order(self, other)

    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.number > 0) - (self.number < 0)

    def integer(self) -> int | None:
        """The value, if it is a 64-bit integer and was reckoned with as one."""
        if not self.small or self.exponent < 0:
            return None
        return _scaled(self.number, self.exponent)

    def approximate(self) -> float:
        """The value as a double, as near as two roundings allow."""
        base = _float(self.number)
        return base * _power_of_ten(self.exponent) if self.exponent else base

    def plus(self, other: Quantity) -> Quantity:
        """The sum, in the notation of this quantity unless it is zero."""
        return self._sum(other, other.number)

    def minus(self, other: Quantity) -> Quantity:
        """The difference, in the notation of this quantity unless it is zero."""
        return self._sum(other, _wrapped(-other.number) if self.small and other.small else -other.number)

    def _sum(self, other: Quantity, number: int) -> Quantity:
        notation = self.notation if self.number else other.notation
        if self.small and other.small:
            if not number:
                return Quantity(self.number, self.exponent, notation, small=True, computed=True)
            if not self.number:
                return Quantity(number, other.exponent, notation, small=True, computed=True)
            exponent = min(self.exponent, other.exponent)
            one, two = _scaled(self.number, self.exponent - exponent), _scaled(number, other.exponent - exponent)
            if one is not None and two is not None and _MIN_INT <= one + two <= _MAX_INT:
                return Quantity(one + two, exponent, notation, small=True, computed=True)
        exponent = min(self.exponent, other.exponent)
        if max(self.exponent, other.exponent) - exponent > _MOST_DIGITS:
            msg = "the sum of the quantities has too many digits"
            raise EvaluationError(msg)
        total = self.number * 10 ** (self.exponent - exponent) + number * 10 ** (other.exponent - exponent)
        return Quantity(total, exponent, notation, small=False, computed=True)

    def __str__(self) -> str:
        if self._text is None:
            self._text = _canonical(self)
        return self._text


def parse(text: str) -> Quantity:
    """Read a quantity. Raises `QuantityError`."""
    if text == "0":
        return Quantity(0, 0, DECIMAL_SI, small=True, text=text)
    match = _TEXT.fullmatch(text)
    if match is None or not text:
        raise QuantityError(_WRONG_FORMAT)
    sign, _, whole, fraction, suffix = match.groups()
    fraction = fraction or ""
    unit = _unit(suffix)
    _, exponent, notation = unit
    whole = whole or "0"
    if notation == BINARY_SI:
        quick = not fraction and 14 - len(whole) - exponent * 3 // 10 >= 0
        mantissa, scale = 1 << exponent, 0
    else:
        quick = len(whole) + len(fraction) <= _SMALL_DIGITS
        mantissa, scale = 1, exponent - len(fraction)
    if quick and scale >= _NANO:
        number = int(whole + fraction)
        if number * mantissa <= _MAX_INT:
            kept = text if _is_canonical(number, whole + fraction, scale, exponent, notation) else None
            return Quantity(-number * mantissa if sign == "-" else number * mantissa, scale, notation, small=True, text=kept)
    if not any(char.isdigit() for char in match.group()[: match.start(5)]) or len(whole) + len(fraction) > _MOST_DIGITS:
        raise QuantityError(_WRONG_NUMBER)
    return _large(sign, whole, fraction, unit)


class _Unit(NamedTuple):
    """What a suffix means: a power, and the notation it belongs to."""

    base: int
    exponent: int
    notation: str


def _unit(suffix: str) -> _Unit:
    if (exponent := _DECIMAL_SUFFIXES.get(suffix)) is not None:
        return _Unit(10, exponent, DECIMAL_SI)
    if (exponent := _BINARY_SUFFIXES.get(suffix)) is not None:
        return _Unit(2, exponent, BINARY_SI)
    match = _SUFFIX_EXPONENT.fullmatch(suffix)
    if match is None or len(digits := match[1].lstrip("+-0")) > 19 or not _MIN_INT <= int(match[1][0] + "0" + digits) <= _MAX_INT:
        raise QuantityError(_WRONG_SUFFIX)
    exponent = int(match[1])
    return _Unit(10, (exponent + 2**31) % 2**32 - 2**31, DECIMAL_EXPONENT)


def _is_canonical(number: int, digits: str, scale: int, exponent: int, notation: str) -> bool:
    """Whether the real server keeps the text as it came (which says little about the text)."""
    if notation == BINARY_SI:
        return exponent % 10 == 0 and number & 7 != 0
    return scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _large(sign: str, whole: str, fraction: str, unit: _Unit) -> Quantity:
    """What does not fit 64 bits or is finer than a billionth: rounded away from zero to billionths, binary ones cut at 2^63 - 1."""
    number, scale, notation = _int(whole + fraction), -len(fraction), unit.notation
    if unit.base == 2:
        number <<= unit.exponent
    else:
        scale += unit.exponent
    if number and scale < _NANO:
        number, scale = _rounded_up(number, scale, _NANO), _NANO
    elif number and scale - _NANO < _MOST_DIGITS:
        number, scale = number * 10 ** (scale - _NANO), _NANO
    if notation == BINARY_SI:
        one = 10**-scale
        if number > _MAX_INT * one:
            number, scale = _MAX_INT, 0
        elif 0 < number < one:
            notation = DECIMAL_SI
    return Quantity(-number if sign == "-" else number, scale, notation, small=False)


def of_int(value: int) -> Quantity:
    """A whole number, as the other operand of a sum."""
    return Quantity(value, 0, DECIMAL_EXPONENT, small=True)


def _canonical(quantity: Quantity) -> str:
    """The text with the largest suffix that needs no fraction."""
    if not quantity.number:
        return "0"
    if quantity.notation == BINARY_SI and not _within(quantity, 1024) and (whole := _whole(quantity)) is not None:
        number, times = _without_factors(whole, 1024)
        return _str(number) + _BINARY_NAMES.get(10 * times, "")
    written = _str(quantity.number)
    digits = written.rstrip("0")
    exponent = quantity.exponent + len(written) - len(digits)
    digits, exponent = digits + "0" * (exponent % 3), exponent - exponent % 3
    if quantity.notation == DECIMAL_EXPONENT:
        return f"{digits}e{exponent}" if exponent else digits
    return digits + _DECIMAL_NAMES.get(exponent, "")


def _within(quantity: Quantity, limit: int) -> bool:
    """Whether the value lies between ``-limit`` and ``limit``."""
    return _order(Quantity(abs(quantity.number), quantity.exponent, "", small=False), of_int(limit)) < 0


def _whole(quantity: Quantity) -> int | None:
    if quantity.exponent >= 0:
        return quantity.number * 10**quantity.exponent if quantity.exponent < _MOST_DIGITS else None
    whole, rest = divmod(quantity.number, 10**-quantity.exponent)
    return None if rest else whole


def _without_factors(number: int, factor: int) -> tuple[int, int]:
    times = 0
    while number % factor == 0:
        number //= factor
        times += 1
    return number, times


def _order(one: Quantity, other: Quantity) -> int:
    """-1, 0 or 1, without writing out numbers that differ in size."""
    if one.exponent == other.exponent or one.sign() != other.sign() or not one.number:
        return (one.number > other.number) - (one.number < other.number)
    sizes = [_bits(quantity) for quantity in (one, other)]
    if abs(sizes[0] - sizes[1]) > 4:
        return one.sign() if sizes[0] > sizes[1] else -one.sign()
    exponent = min(one.exponent, other.exponent)
    first, second = one.number * 10 ** (one.exponent - exponent), other.number * 10 ** (other.exponent - exponent)
    return int(first > second) - int(first < second)


def _bits(quantity: Quantity) -> float:
    """About the binary logarithm of the value's size, give or take one."""
    return quantity.number.bit_length() + quantity.exponent * 3.3219280948873623


def _rounded_up(number: int, scale: int, to: int) -> int:
    """A positive number times ``10 ** scale`` in units of ``10 ** to``, rounded up."""
    if to - scale > number.bit_length():
        return 1
    unit: int = 10 ** (to - scale)
    return -(-number // unit)


def _scaled(number: int, exponent: int) -> int | None:
    """``number * 10 ** exponent`` if that fits 64 bits."""
    if not number or not exponent:
        return number
    if exponent > _SMALL_DIGITS or number == _MIN_INT:
        return None
    scaled: int = number * 10**exponent
    return scaled if _MIN_INT <= scaled <= _MAX_INT else None


def _wrapped(number: int) -> int:
    return _MIN_INT if number > _MAX_INT else number


def _power_of_ten(exponent: int) -> float:
    """``10 ** exponent`` as Go's math.Pow10 finds it: from two tables."""
    if exponent < -323:
        return 0.0
    if exponent > 308:
        return float("inf")
    high, low = divmod(abs(exponent), 32)
    if exponent < 0:
        return float(f"1e-{32 * high}") / float(f"1e{low}")
    return float(f"1e{32 * high}") * float(f"1e{low}")


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _int(digits: str) -> int:
    """By halves: Python reads long numbers in quadratic time, and refuses very long ones."""
    if len(digits) < _PYTHON_DIGITS:
        return int(digits)
    half = len(digits) // 2
    tail: int = 10**half
    return _int(digits[:-half]) * tail + _int(digits[-half:])


def _str(number: int) -> str:
    return str(number) if number.bit_length() < _PYTHON_DIGITS * 3 else format(Decimal(number), "f")
