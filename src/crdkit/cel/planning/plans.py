"""What the planner makes of nodes, and what they run in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from crdkit.cel.errors import CostLimitExceeded
from crdkit.cel.values import Value
from crdkit.meta.records import record

if TYPE_CHECKING:
    from crdkit.cel.ast import Call, Node


class Frame:
    """One evaluation: the variables by number, what it has cost, and what it may cost."""

    __slots__ = ("cost", "limit", "slots")

    def __init__(self, slots: list[Any], limit: int) -> None:
        self.slots = slots
        self.limit = limit
        self.cost = 0

    def charge(self, cost: int) -> None:
        """Raises `CostLimitExceeded`."""
        self.cost = total = self.cost + cost
        if total > self.limit:
            raise CostLimitExceeded


class Unset:
    """The class of `UNSET`."""

    __slots__ = ()


UNSET: Final = Unset()
"""What a slot holds that has no value (yet)."""

Run = Callable[[Frame], Value]
"""Evaluates a part of an expression. Raises `EvaluationError` and `CostLimitExceeded`."""
Slot: TypeAlias = int


@record
class Constant:
    """A part whose value is known; it costs nothing."""

    value: Value


@record
class Step:
    """One selection of a chain: by a constant key, or by what ``run`` gives (without its own charge as a variable)."""

    key: Value
    run: Run | None
    optional: bool
    test: bool = False


@record
class Chain:
    """A variable or value and selections from it. ``root`` gives it; the chain's own charge comes at its end."""

    root: Run
    steps: tuple[Step, ...] = ()
    test: bool = False


@record
class Choice:
    """``condition ? yes : no``; selections from it go on in both arms."""

    condition: Run
    yes: Chain | Choice
    no: Chain | Choice


@record
class Computed:
    """Any other part."""

    run: Run


Part: TypeAlias = Constant | Chain | Choice | Computed


@record(frozen=False)
class Scope:
    """Which slot a name means."""

    names: dict[str, list[Slot]] = field(default_factory=dict)
    lazy: dict[Slot, Run] = field(default_factory=dict)
    """What slots are filled by when they are first looked at."""
    count: int = 0

    def bind(self, name: str) -> Slot:
        """A fresh slot for a name, hiding another of that name."""
        slot = self.count
        self.count += 1
        self.names.setdefault(name, []).append(slot)
        return slot

    def release(self, *names: str) -> None:
        """End the latest meaning of names."""
        for name in names:
            self.names[name].pop()

    def slot(self, name: str) -> Slot | None:
        """The slot that a name means here."""
        slots = self.names.get(name)
        return slots[-1] if slots else None


class Plans(Protocol):
    """The planner, as forms use it."""

    def run(self, node: Node) -> Run:
        """What evaluates a node, with all its charges."""
        ...

    def part(self, node: Node) -> Part:
        """What is known of a node."""
        ...


Form = Callable[[Plans, "Call"], Part]
"""Plans a call whose arguments are not simply all evaluated first."""
