"""Elements of lists as several libraries look at them: are they the same, and in order?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from crdkit.cel.comparing import compare, equal
from crdkit.cel.errors import EvaluationError
from crdkit.cel.types import BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, Type
from crdkit.cel.values import Duration, ListValue, Timestamp, Uint, Value

COMPARABLE_TYPES: Final[dict[str, Type]] = {
    "int": INT, "uint": UINT, "double": DOUBLE, "bool": BOOL, "duration": DURATION, "timestamp": TIMESTAMP,
    "string": STRING, "bytes": BYTES,
}  # fmt: skip
"""What has an order, under the names that overloads are called by."""
COMPARABLE: Final = frozenset({int, Uint, float, bool, Duration, Timestamp, str, bytes})
_PLAIN: Final = frozenset({str, bool, bytes})


def same(one: Value, other: Value) -> bool:
    """Whether they are equal; what cannot be compared is not."""
    try:
        return equal(one, other)
    except EvaluationError:
        return False


def each(values: Value) -> Iterable[Value]:
    """The elements of a list, with an `EvaluationError` in the place of one that cannot become a value: it equals nothing."""
    return values.each() if isinstance(values, ListValue) else values


def contains(values: Value, wanted: Value) -> bool:
    """Whether a list has an equal element."""
    if isinstance(values, ListValue) and (own := values.contains(wanted)) is not None:
        return own
    if wanted.__class__ in _PLAIN:
        return any(value.__class__ is wanted.__class__ and value == wanted for value in each(values))
    return any(same(wanted, value) for value in each(values))


def order(one: Value, other: Value) -> int:
    """Less than, equal to or greater than 0; 0 also for what has no order."""
    try:
        return compare(one, other)
    except EvaluationError:
        return 0
