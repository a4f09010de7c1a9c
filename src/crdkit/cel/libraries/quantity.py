"""Quantities: ``quantity('1.5Gi').isGreaterThan(quantity('1G'))``."""

from __future__ import annotations

from typing import Final

from crdkit.cel.costs import fixed, traversal
from crdkit.cel.declarations import Library
from crdkit.cel.errors import EvaluationError
from crdkit.cel.quantities import QUANTITY, Quantity, QuantityError, of_int, parse
from crdkit.cel.types import BOOL, DOUBLE, INT, STRING

LIBRARY: Final = Library("kubernetes.quantity")
LIBRARY.equality(QUANTITY, fixed(1))


@LIBRARY.function("quantity", (STRING,), QUANTITY, id="string_to_quantity", cost=traversal(0))
def quantity(text: str) -> Quantity:
    """Read a quantity."""
    try:
        return parse(text)
    except QuantityError as error:
        raise EvaluationError(str(error)) from error


@LIBRARY.function("isQuantity", (STRING,), BOOL, id="is_quantity_string", cost=traversal(0))
def is_quantity(text: str) -> bool:
    """Whether `quantity` reads it."""
    try:
        parse(text)
    except QuantityError:
        return False
    return True


LIBRARY.function("sign", (QUANTITY,), INT, id="quantity_sign")(Quantity.sign)
LIBRARY.member("asApproximateFloat", (QUANTITY,), DOUBLE, id="quantity_get_float")(Quantity.approximate)
LIBRARY.member("compareTo", (QUANTITY, QUANTITY), INT, id="quantity_compare_to")(Quantity.compare)
LIBRARY.member("add", (QUANTITY, QUANTITY), QUANTITY, id="quantity_add")(Quantity.plus)
LIBRARY.member("sub", (QUANTITY, QUANTITY), QUANTITY, id="quantity_sub")(Quantity.minus)


@LIBRARY.member("isGreaterThan", (QUANTITY, QUANTITY), BOOL, id="quantity_is_greater_than")
def is_greater(one: Quantity, other: Quantity) -> bool:
    """``quantity('50Mi').isGreaterThan(quantity('50M'))``."""
    return one.compare(other) > 0


@LIBRARY.member("isLessThan", (QUANTITY, QUANTITY), BOOL, id="quantity_is_less_than")
def is_less(one: Quantity, other: Quantity) -> bool:
    """``quantity('50M').isLessThan(quantity('50Mi'))``."""
    return one.compare(other) < 0


@LIBRARY.member("isInteger", (QUANTITY,), BOOL, id="quantity_is_integer")
def is_integer(value: Quantity) -> bool:
    """Whether `as_integer` gives it. (``1.0`` is none: the real server does not reduce.)"""
    return value.integer() is not None


@LIBRARY.member("asInteger", (QUANTITY,), INT, id="quantity_get_int")
def as_integer(value: Quantity) -> int:
    """``quantity('1Ki').asInteger() == 1024``."""
    number = value.integer()
    if number is None:
        msg = "cannot convert value to integer"
        raise EvaluationError(msg)
    return number


@LIBRARY.member("add", (QUANTITY, INT), QUANTITY, id="quantity_add_int")
def add_int(value: Quantity, number: int) -> Quantity:
    """``quantity('1k').add(20) == quantity('1020')``."""
    return value.plus(of_int(number))


@LIBRARY.member("sub", (QUANTITY, INT), QUANTITY, id="quantity_sub_int")
def subtract_int(value: Quantity, number: int) -> Quantity:
    """``quantity('1k').sub(20) == quantity('980')``."""
    return value.minus(of_int(number))
