"""Whether what clients saw of one object can have happened in some order: each operation at one moment between question and answer.

The search is that of Wing and Gong, which remembers where it has been (Lowe): it tries what may have come next, and goes back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

ABSENT: Final = -1
"""The state of an object that is not there; else it is the number that the last write gave it."""

Step = Callable[[int], int | None]
"""What an operation makes of a state; None where it cannot have been answered as it was."""


@dataclass(frozen=True)
class Operation:
    """An operation whose answer is not known may have happened at any time since, or never."""

    step: Step
    asked: float
    answered: float
    text: str = ""

    @property
    def known(self) -> bool:
        return self.answered != math.inf


def is_linearizable(operations: Sequence[Operation]) -> bool:
    ordered = sorted(operations, key=lambda operation: operation.asked)
    known = sum(1 << number for number, operation in enumerate(ordered) if operation.known)
    begin = (0, ABSENT)
    been, open_ = {begin}, [begin]
    while open_:
        done, state = open_.pop()
        if done & known == known:
            return True
        for number in _next(ordered, done):
            after = ordered[number].step(state)
            place = (done | 1 << number, after)
            if after is not None and place not in been:
                been.add(place)  # type: ignore[arg-type]  # the state is no None here
                open_.append(place)  # type: ignore[arg-type]
    return False


def _next(ordered: Sequence[Operation], done: int) -> list[int]:
    """Those that may come next: asked before any that is left was answered."""
    found: list[int] = []
    first_answer = math.inf
    for number, operation in enumerate(ordered):
        if done >> number & 1:
            continue
        if operation.asked > first_answer:
            break
        found.append(number)
        first_answer = min(first_answer, operation.answered)
    return [number for number in found if ordered[number].asked <= first_answer]


# What objects do


def read(found: int) -> Step:
    return lambda state: state if state == found else None


def create(number: int) -> Step:
    return lambda state: number if state == ABSENT else None


def update(expected: int, number: int) -> Step:
    return lambda state: number if state == expected else None


def delete() -> Step:
    return lambda state: None if state == ABSENT else ABSENT


def refused(*, expected: int = ABSENT) -> Step:
    """There was an object, and another than expected."""
    return lambda state: None if state in (ABSENT, expected) else state
