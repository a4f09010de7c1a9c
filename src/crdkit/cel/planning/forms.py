"""Calls whose arguments are not simply all evaluated first."""

from __future__ import annotations

from crdkit.cel.access import check_key
from crdkit.cel.ast import Call
from crdkit.cel.errors import EvaluationError, ProgramError, no_such_overload
from crdkit.cel.planning.chains import arm, extended, resolve
from crdkit.cel.planning.plans import Chain, Choice, Computed, Constant, Frame, Part, Plans, Step
from crdkit.cel.values import NONE, Optional, Value


def conjunction(plans: Plans, call: Call) -> Part:
    """``&&``: false if any operand is, whatever fails besides."""
    return _logical(plans, call, decides=False)


def disjunction(plans: Plans, call: Call) -> Part:
    """``||``: true if any operand is, whatever fails besides."""
    return _logical(plans, call, decides=True)


def _logical(plans: Plans, call: Call, *, decides: bool) -> Part:
    first, second = (plans.run(argument) for argument in call.arguments)

    def run(frame: Frame) -> Value:
        failure: EvaluationError | None = None
        try:
            value = first(frame)
        except EvaluationError as error:
            failure = error
        else:
            if value is decides:
                return decides
            if value.__class__ is not bool:
                failure = no_such_overload()
        try:
            value = second(frame)
        except EvaluationError as error:
            failure = failure or error
        else:
            if value is decides:
                return decides
            if value.__class__ is not bool:
                failure = failure or no_such_overload()
        if failure is not None:
            raise failure
        return not decides

    return Computed(run)


def conditional(plans: Plans, call: Call) -> Part:
    """``?:``: only the chosen arm is evaluated."""
    condition, yes, no = call.arguments
    return Choice(plans.run(condition), arm(plans.part(yes)), arm(plans.part(no)))


def not_strictly_false(plans: Plans, call: Call) -> Part:
    """True for all but false; what fails is not false."""
    argument = plans.run(call.arguments[0])

    def run(frame: Frame) -> Value:
        try:
            value = argument(frame)
        except EvaluationError:
            value = True
        frame.charge(1)
        return value if value.__class__ is bool else True

    return Computed(run)


def index(plans: Plans, call: Call) -> Part:
    """``a[b]``: one more selection from ``a``."""
    return _selection(plans, call, optional=False)


def optional_index(plans: Plans, call: Call) -> Part:
    """``a[?b]`` and ``a.?b``."""
    return _selection(plans, call, optional=True)


def _selection(plans: Plans, call: Call, *, optional: bool) -> Part:
    operand, key = (plans.part(argument) for argument in call.arguments)
    if isinstance(key, Constant):
        try:
            check_key(key.value)
        except EvaluationError as error:
            raise ProgramError(str(error)) from error
        return extended(operand, Step(key.value, None, optional))
    run = resolve(key) if isinstance(key, Chain | Choice) else plans.run(call.arguments[1])
    return extended(operand, Step(None, run, optional))


def or_optional(plans: Plans, call: Call) -> Part:
    """``a.or(b)``: ``b`` is evaluated only if ``a`` has no value."""
    return _alternative(plans, call, unwraps=False)


def or_value(plans: Plans, call: Call) -> Part:
    """``a.orValue(b)``, likewise."""
    return _alternative(plans, call, unwraps=True)


def _alternative(plans: Plans, call: Call, *, unwraps: bool) -> Part:
    first, second = (plans.run(operand) for operand in call.operands())

    def run(frame: Frame) -> Value:
        value = first(frame)
        if value.__class__ is not Optional:
            raise no_such_overload()
        if value is NONE:
            return second(frame)
        return value.held() if unwraps else value

    return Computed(run)
