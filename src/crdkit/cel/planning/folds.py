"""Folds: what the macros over lists and maps become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from crdkit.cel.access import go_name
from crdkit.cel.errors import EvaluationError
from crdkit.cel.growing import Growing, GrowingMap
from crdkit.cel.planning.plans import UNSET, Frame, Run, Slot
from crdkit.cel.values import LISTS, MAPS, ListValue, Value, find
from crdkit.meta.records import record

_GROWING: Final = (Growing, GrowingMap)


@record
class FoldParts:
    """The parts of a fold, and the slots of its variables."""

    range: Run
    condition: Run
    step: Run
    result: Run
    accumulator: Slot
    first: Slot
    second: Slot | None


def each_value(over: Value) -> Iterable[Value]:
    """What a fold over one variable goes through."""
    if over.__class__ is list:
        return over
    if isinstance(over, ListValue):
        return over.each()
    if isinstance(over, (*LISTS, *MAPS)):
        return over
    msg = f"got '{go_name(over)}', expected iterable type"
    raise EvaluationError(msg)


def each_pair(over: Value) -> Iterator[tuple[Value, Value]]:
    """What a fold over two variables goes through: place and element, or key and value."""
    if isinstance(over, MAPS):
        return ((key, _found(over, key)) for key in over)
    if isinstance(over, LISTS):
        return enumerate(each_value(over))
    msg = f"unsupported comprehension range type: {go_name(over)}"
    raise EvaluationError(msg)


def _found(container: Value, key: Value) -> Value:
    try:
        return find(container, key)
    except EvaluationError as error:
        return error


def growing(init: Run) -> Run:
    """The first value of an accumulator; an empty one may grow in place."""

    def run(frame: Frame) -> Value:
        value = init(frame)
        if value.__class__ is list and not value:
            return Growing()
        if value.__class__ is dict and not value:
            return GrowingMap()
        return value

    return run


def _settled(value: Value) -> Value:
    """A result that nothing adds to any more."""
    if value.__class__ is Growing:
        return list(value)
    return dict(value) if value.__class__ is GrowingMap else value


def fold(parts: FoldParts) -> Run:
    """What evaluates a fold."""
    loop = _one_variable(parts) if parts.second is None else _two_variables(parts, parts.second)
    range_, result, accumulator = parts.range, parts.result, parts.accumulator

    def run(frame: Frame) -> Value:
        over = range_(frame)
        frame.slots[accumulator] = UNSET
        loop(over, frame)
        value = result(frame)
        return _settled(value) if value.__class__ in _GROWING else value

    return run


def _goes_on(condition: Run, frame: Frame) -> bool:
    try:
        return condition(frame) is not False
    except EvaluationError:
        return True


def _advance(parts: FoldParts, frame: Frame) -> None:
    try:
        frame.slots[parts.accumulator] = parts.step(frame)
    except EvaluationError as error:
        frame.slots[parts.accumulator] = error


def _one_variable(parts: FoldParts) -> Callable[[Value, Frame], None]:
    def loop(over: Value, frame: Frame) -> None:
        slots = frame.slots
        for value in each_value(over):
            slots[parts.first] = value
            if not _goes_on(parts.condition, frame):
                return
            _advance(parts, frame)

    return loop


def _two_variables(parts: FoldParts, second: Slot) -> Callable[[Value, Frame], None]:
    def loop(over: Value, frame: Frame) -> None:
        slots = frame.slots
        for key, value in each_pair(over):
            slots[parts.first], slots[second] = key, value
            if not _goes_on(parts.condition, frame):
                return
            _advance(parts, frame)

    return loop
