"""Calls of functions: which code runs, and what it is charged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from crdkit.cel.costs import CONSTANT, Cost
from crdkit.cel.declarations import Code, Function, Overload
from crdkit.cel.errors import CostLimitExceeded, EvaluationError, Panicked
from crdkit.cel.planning.plans import Frame, Run
from crdkit.cel.types import Kind, Type
from crdkit.cel.values import LISTS, MAPS, Opaque, Value, find, type_of

_ANY: Final = frozenset({Kind.DYN, Kind.ANY, Kind.PARAMETER})


def fits(type_: Type, value: Value) -> bool:
    """Whether a value is of a declared type, as far as is looked: at the first element of a list or map."""
    if type_.kind in _ANY:
        return True
    if type_of(value).name != type_.name:
        return False
    if type_.kind is Kind.LIST and isinstance(value, LISTS):
        return not len(value) or fits(type_.parameters[0], _first(iter(value)))
    if type_.kind is Kind.MAP and isinstance(value, MAPS) and len(value):
        key = next(iter(value))
        return fits(type_.parameters[0], key) and fits(type_.parameters[1], find(value, key))
    return True


def _first(values: object) -> Value:
    return next(values)  # type: ignore[call-overload]


def mismatch(name: str, arguments: Sequence[Value]) -> EvaluationError:
    """The error of a function that no signature fits."""
    return EvaluationError(f"no such overload: {name}({', '.join(type_of(argument).name for argument in arguments)})")


def guarded(function: Function, overloads: Sequence[Overload]) -> Code:
    """The code of the first overload whose kinds the arguments have."""
    if function.dispatch is not None:
        return function.dispatch
    name = function.name
    choices = [(overload.arguments, overload.code) for overload in overloads if overload.code is not None]

    def code(*arguments: Value) -> Value:
        for types, chosen in choices:
            if all(map(fits, types, arguments)):
                return chosen(*arguments)
        raise mismatch(name, arguments)

    return code


def candidates(function: Function, overloads: Sequence[Overload], count: int) -> Sequence[Overload]:
    """The overloads that are tried at run time: the one meant, or all that take so many arguments."""
    if len(overloads) == 1:
        return overloads
    return [overload for overload in function.overloads if len(overload.arguments) == count]


def run_time_cost(function: Function, overloads: Sequence[Overload]) -> Cost:
    """How a call is charged; where several overloads are meant, by the rule of the last."""
    cost = overloads[-1].cost
    if len(overloads) > 1 and not cost.by_name:
        cost = CONSTANT
    if function.type_costs:
        return _by_type(function, cost)
    return cost


def _by_type(function: Function, otherwise: Cost) -> Cost:
    def actual(arguments: Sequence[Value], result: Value) -> int:
        if isinstance(arguments[0], Opaque) and (own := function.type_costs.get(arguments[0].cel_type.name)) is not None:
            return own.actual(arguments, result)
        return otherwise.actual(arguments, result)

    return Cost(otherwise.estimate, actual)


def call(code: Code, cost: Cost, arguments: Sequence[Run], *, stops: bool = False) -> Run:
    """What evaluates a call: both arguments, also behind one that fails, or several up to one that does; then the code."""
    if stops:
        return _any(code, cost, arguments)
    match len(arguments):
        case 1:
            return _unary(code, cost, arguments[0])
        case 2:
            return _binary(code, cost, *arguments)
        case _:
            return _any(code, cost, arguments)


def _charged(code: Callable[[], Value], cost: Cost, arguments: Sequence[Value], frame: Frame) -> Value:
    try:
        result = code()
    except EvaluationError as error:
        frame.charge(cost.actual(arguments, error))
        raise
    frame.charge(cost.actual(arguments, result))
    return result


def _unary(code: Code, cost: Cost, argument: Run) -> Run:
    fixed, actual = cost.fixed, cost.actual

    def run(frame: Frame) -> Value:
        try:
            value = argument(frame)
        except EvaluationError as error:
            frame.charge(actual((error,), error))
            raise
        if fixed is None:
            return _charged(lambda: code(value), cost, (value,), frame)
        frame.cost = total = frame.cost + fixed
        if total > frame.limit:
            raise CostLimitExceeded
        try:
            return code(value)
        except Panicked:
            frame.cost -= fixed
            raise

    return run


def _binary(code: Code, cost: Cost, first: Run, second: Run) -> Run:
    fixed, actual = cost.fixed, cost.actual

    def run(frame: Frame) -> Value:
        try:
            one = first(frame)
        except EvaluationError as error:
            other = _attempt(second, frame)
            frame.charge(actual((error, other), error))
            raise
        try:
            other = second(frame)
        except EvaluationError as error:
            frame.charge(actual((one, error), error))
            raise
        if fixed is None:
            return _charged(lambda: code(one, other), cost, (one, other), frame)
        frame.cost = total = frame.cost + fixed
        if total > frame.limit:
            raise CostLimitExceeded
        try:
            return code(one, other)
        except Panicked:
            frame.cost -= fixed
            raise

    return run


def _attempt(run: Run, frame: Frame) -> Value:
    try:
        return run(frame)
    except EvaluationError as error:
        return error


def _any(code: Code, cost: Cost, arguments: Sequence[Run]) -> Run:
    """A call of more arguments stops at the first that fails, and is charged only if that is the last."""
    last = len(arguments) - 1

    def run(frame: Frame) -> Value:
        values: list[Value] = []
        for index, argument in enumerate(arguments):
            try:
                values.append(argument(frame))
            except EvaluationError as error:
                if index == last:
                    frame.charge(cost.actual([*values, error], error))
                raise
        return _charged(lambda: code(*values), cost, values, frame)

    return run


def prepared_call(code: Code, cost: Cost, arguments: Sequence[Run], constant: tuple[int, Value]) -> Run:
    """A call one argument of which is worked into the code; it stops as `_any` does."""
    position, value = constant

    def without(*values: Value) -> Value:
        return code(*values[:position], *values[position + 1 :])

    runs = list(arguments)
    runs[position] = lambda _: value
    return _any(without, cost, runs)
