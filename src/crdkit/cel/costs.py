"""What evaluating costs, as one rule per function: applied to sizes at run time, to intervals of sizes when estimating.

Costs and sizes are unsigned 64-bit numbers that saturate at `MAX`. Where the real server's two rules differ, a `Cost`
states both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from crdkit.cel.types import Type
from crdkit.cel.values import Value, size_of
from crdkit.meta.records import record

MAX: Final = 2**64 - 1
STRING_FACTOR: Final = 0.1
"""What looking at one character of a string costs."""
PATTERN_FACTOR: Final = 0.25
"""What one character of a pattern multiplies the cost of matching with."""


def scale(size: int, factor: float) -> int:
    """``size * factor``, rounded up."""
    scaled = float(size) * factor
    return MAX if scaled >= 2.0**64 else math.ceil(scaled)


def added(one: int, other: int) -> int:
    """The sum."""
    return min(one + other, MAX)


def tenths(size: int) -> int:
    """The cost of going through that many characters."""
    return scale(size, STRING_FACTOR)


def quarters(size: int) -> int:
    """What matching a pattern of that length multiplies the cost with."""
    return scale(size, PATTERN_FACTOR)


class Interval(NamedTuple):
    """The least and the most that a cost or a size can be."""

    low: int
    high: int

    def plus(self, other: Interval) -> Interval:
        """The sum."""
        return Interval(min(self.low + other.low, MAX), min(self.high + other.high, MAX))

    def times(self, other: Interval) -> Interval:
        """The product."""
        return Interval(min(self.low * other.low, MAX), min(self.high * other.high, MAX))

    def scaled(self, factor: float) -> Interval:
        """The product with a factor, rounded up."""
        return Interval(scale(self.low, factor), scale(self.high, factor))

    def union(self, other: Interval) -> Interval:
        """What covers both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


UNKNOWN: Final = Interval(0, MAX)
ZERO: Final = Interval(0, 0)
ONE: Final = Interval(1, 1)


class Operand(Protocol):
    """An argument of a call as the estimator sees it; the target of a member call is the first."""

    @property
    def size(self) -> Interval:
        """Its size, `UNKNOWN` if nothing bounds it."""
        ...

    @property
    def computed(self) -> Interval | None:
        """Its size if something bounds it."""
        ...

    @property
    def type(self) -> Type:
        """Its checked type."""
        ...

    @property
    def literal(self) -> Any:
        """The literal written there; None if there is none (or null is written)."""
        ...

    @property
    def element(self) -> Interval | None:
        """The size of the elements of a list, `UNKNOWN` if nothing bounds it; None if its type has no parameter."""
        ...


Site = Sequence[Operand]
Estimate = Callable[[Site], Interval]
Actual = Callable[[Sequence[Value], Value], int]


@record
class Cost:
    """How a call is charged.

    ``actual`` gets the arguments and the result (an `EvaluationError` in place of what failed). ``fixed`` repeats a
    cost that depends on nothing. ``by_name``: the run-time rule also holds where operands of type dyn leave the
    overload open; otherwise such a call costs 1. ``inline`` is ``actual`` as Python source for generated code, over the
    sizes ``{0}``, ``{1}`` of the arguments and the tables ``TENTHS`` and ``QUARTERS``.
    """

    estimate: Estimate
    actual: Actual
    fixed: int | None = None
    by_name: bool = True
    inline: str | None = None


def fixed(cost: int) -> Cost:
    """The same whatever the arguments."""
    interval = Interval(cost, cost)
    return Cost(lambda _: interval, lambda _arguments, _result: cost, fixed=cost)


def by_sizes(rule: Callable[..., int], *, by_name: bool = True, inline: str | None = None) -> Cost:
    """One rule over the sizes of all arguments, growing with each: ``by_sizes(lambda text, part: tenths(text) * tenths(part))``."""

    def estimate(site: Site) -> Interval:
        sizes = [operand.size for operand in site]
        return Interval(min(rule(*[size.low for size in sizes]), MAX), min(rule(*[size.high for size in sizes]), MAX))

    def actual(arguments: Sequence[Value], _result: Value) -> int:
        return rule(*map(size_of, arguments))

    return Cost(estimate, actual, by_name=by_name, inline=inline)


def traversal(position: int, factor: float = STRING_FACTOR, *, by_name: bool = True) -> Cost:
    """Going through the argument at that position once."""

    def estimate(site: Site) -> Interval:
        return site[position].size.scaled(factor)

    def actual(arguments: Sequence[Value], _result: Value) -> int:
        return math.ceil(size_of(arguments[position]) * factor)

    inline = f"TENTHS[{{{position}}}]" if factor == STRING_FACTOR else None
    return Cost(estimate, actual, by_name=by_name, inline=inline)


def same_size(position: int) -> Estimate:
    """The result is as large as the argument at that position."""
    return lambda site: site[position].size


CONSTANT: Final = fixed(1)
"""The cost of a call that no rule says more about."""
