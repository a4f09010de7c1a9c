"""What rules may cost at most, told before there is any object: limits, how often a rule can be met, and the words for too much."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from crdkit.cel.costs import MAX
from crdkit.cel.openapi.declared import MAX_REQUEST
from crdkit.meta.errors import FieldError, forbidden
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.schema.checks.places import Place
from crdkit.schema.structural import Structural

EXPRESSION_LIMIT: Final = 10_000_000
"""What one expression may cost, all its uses in an object together."""
SCHEMA_LIMIT: Final = 100_000_000
"""What all expressions of a schema may cost together."""
_WORTH_TELLING: Final = SCHEMA_LIMIT // 100
_TOLD: Final = 4
_ADVICE: Final = "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
_CONTRIBUTED: Final = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
_TOTAL: Final = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"


def exceeding(what: str, cost: int, limit: int) -> str:
    """The words for a cost that is above its limit."""
    factor = cost / limit
    if factor > 100:
        told = "more than 100x"
    elif factor < 1.5:
        told = f"{factor:f}x"
    else:
        told = f"{factor:.1f}x"
    return f"{what} exceeds budget by factor of {told} {_ADVICE}"


def cardinality(place: Place) -> int | None:
    """How many values of a node an object can have; None where a list or map above has no bound."""
    if place.above is None:
        return 1
    above, factor = cardinality(place.above), _fan_out(place.above.node)
    return None if above is None or factor is None else min(above * factor, MAX)


def _fan_out(node: Structural) -> int | None:
    """How many children of a kind a value can have."""
    if node.type == "array":
        return None if node.max_items is None else max(int(node.max_items), 0)
    if node.type == "object" and node.additional_properties is not None:
        return None if node.max_properties is None else max(int(node.max_properties), 0)
    return 1


def most_in_a_request(min_size: int) -> int:
    """How many values of that least size in bytes the largest request has room for, with a comma after each."""
    return MAX_REQUEST // (min_size + 1)


@record(frozen=False)
class TotalCost:
    """The sum over a schema, and the dearest expressions in it."""

    total: int = 0
    dearest: list[tuple[int, FieldPath]] = field(default_factory=list)

    def add(self, at: FieldPath, cost: int) -> None:
        """Count an expression."""
        self.total = min(self.total + cost, MAX)
        if cost >= _WORTH_TELLING:
            self.dearest.append((cost, at))
            self.dearest = sorted(self.dearest, key=lambda entry: -entry[0])[:_TOLD]

    def errors(self, root: FieldPath) -> list[FieldError]:
        """What is told if the sum is above its limit."""
        if self.total <= SCHEMA_LIMIT:
            return []
        told = [forbidden(at, _CONTRIBUTED) for _, at in self.dearest]
        return [*told, forbidden(root, exceeding(_TOTAL, self.total, SCHEMA_LIMIT))]
