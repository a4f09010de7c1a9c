"""``x in [constants]``: a test whether a set has the value, at no cost besides that of ``x``."""

from __future__ import annotations

from typing import Final

from crdkit.cel.planning.plans import Computed, Constant, Frame, Part, Run
from crdkit.cel.values import Uint, Value
from crdkit.meta.records import record

_HASHED: Final = frozenset({bool, int, Uint, float, str})
_INT: Final = range(-(2**63), 2**63)
_UINT: Final = range(2**64)


@record
class Membership:
    """The values of a constant list; numbers stand in it in every kind that holds them."""

    values: frozenset[tuple[type, Value]]

    @classmethod
    def of(cls, constants: Value) -> Membership | None:
        """The set of a list's values; None if one of them cannot be in a set."""
        if any(value.__class__ not in _HASHED for value in constants):
            return None
        return cls(frozenset(kind for value in constants for kind in _kinds(value)))

    def plan(self, element: Run) -> Part:
        """The test of an element."""
        values = self.values
        if not values:
            return Constant(False)

        def run(frame: Frame) -> Value:
            value = element(frame)
            return value.__class__ in _HASHED and (value.__class__, value) in values

        return Computed(run)


def _kinds(value: Value) -> list[tuple[type, Value]]:
    kind = value.__class__
    if kind in (bool, str):
        return [(kind, value)]
    found: list[tuple[type, Value]] = [(kind, value)]
    if kind is not float:
        found.append((float, float(value)))
    elif not value.is_integer():
        return found
    whole = int(value)
    if kind is not int and whole in _INT:
        found.append((int, whole))
    if kind is not Uint and whole in _UINT:
        found.append((Uint, Uint(whole)))
    return found
