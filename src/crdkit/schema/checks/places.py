"""Where in a schema its rules stand: what whoever compiles them needs to know of each node, and the seam to them."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import Json
from crdkit.schema.structural import Structural


class Step(enum.Enum):
    """How a node is reached from the one above it."""

    ROOT = enum.auto()
    PROPERTY = enum.auto()
    ITEMS = enum.auto()
    VALUES = enum.auto()


@record
class Place:
    """A node of the structural part of a schema, linked to the node above.

    ``uncorrelatable`` is the path of the outermost node above whose children have no counterpart in an older object, if there is one:
    rules of this node may not speak of oldSelf.
    """

    node: Structural
    at: FieldPath
    step: Step
    above: Place | None
    uncorrelatable: FieldPath | None


class KnownRules(NamedTuple):
    """The texts of rules and messageExpressions that were accepted before; they may use functions that new ones may not yet."""

    rules: frozenset[str] = frozenset()
    message_expressions: frozenset[str] = frozenset()


NOTHING_KNOWN: Final = KnownRules()


class RuleChecks(Protocol):
    """The checks of CEL rules, which need the expression language. One value is used for one schema, so it may count costs."""

    def compile(self, places: Sequence[Place]) -> list[FieldError]:
        """Compile the rules of each place and estimate their costs; children come before their parents.

        Called once, with the places whose rules are to be compiled, which may be none.
        """
        ...

    def run_on_default(self, node: Structural, default: Json, at: FieldPath, *, is_root: bool) -> list[FieldError]:
        """Run the rules at and below ``node`` on its default: with itself as the old value, then, if that passes, without one.

        ``is_root`` tells the root of the definition's schema or of an embedded resource.
        """
        ...
