"""Chains of selections from a variable or value, and how they are charged.

Each step costs 1 once it is taken, also if it fails; the chain itself costs 1 at its end, also if a step failed. An
optional step that finds nothing costs nothing, and ends the chain. ``has`` does not charge for the chain itself.
"""

from __future__ import annotations

from crdkit.cel.access import check_key, select, select_present
from crdkit.cel.errors import CostLimitExceeded, EvaluationError
from crdkit.cel.planning.plans import UNSET, Chain, Choice, Computed, Constant, Frame, Part, Run, Slot, Step
from crdkit.cel.values import MISSING, NONE, Optional, Value


def variable(slot: Slot, name: str) -> Run:
    """The value of a variable; it is charged as a chain."""

    def run(frame: Frame) -> Value:
        value = frame.slots[slot]
        if value is UNSET:
            msg = f"no such attribute(s): {name}"
            raise EvaluationError(msg)
        if value.__class__ is EvaluationError:
            raise value
        return value

    return run


def lazy_variable(slot: Slot, init: Run) -> Run:
    """The value of a variable that is worked out when it is first looked at."""

    def run(frame: Frame) -> Value:
        value = frame.slots[slot]
        if value is UNSET:
            try:
                value = init(frame)
            except EvaluationError as error:
                value = error
            frame.slots[slot] = value
        if value.__class__ is EvaluationError:
            raise value
        return value

    return run


def extended(part: Part, step: Step) -> Chain | Choice:
    """A part with one more selection."""
    match part:
        case Chain():
            return Chain(part.root, (*part.steps, step), part.test or step.test)
        case Choice():
            return Choice(part.condition, extended(part.yes, step), extended(part.no, step))
        case _:
            return Chain(finish(part), (step,), step.test)


def arm(part: Part) -> Chain | Choice:
    """A part as it stands in an arm of a choice or as an index: without a charge of its own."""
    return part if isinstance(part, Chain | Choice) else Chain(finish(part))


def run_chain(chain: Chain) -> Run:
    """What evaluates a chain and charges for it."""
    resolve = resolve_chain(chain)
    own = 0 if chain.test else 1

    def run(frame: Frame) -> Value:
        try:
            value = resolve(frame)
        except EvaluationError:
            frame.charge(own)
            raise
        frame.cost = cost = frame.cost + own
        if cost > frame.limit:
            raise CostLimitExceeded
        return value

    return run


def resolve(part: Chain | Choice) -> Run:
    """What evaluates a chain or choice without charging for itself."""
    return resolve_chain(part) if isinstance(part, Chain) else run_choice(part)


def run_choice(choice: Choice) -> Run:
    """Evaluate the one arm."""
    condition, yes, no = choice.condition, resolve(choice.yes), resolve(choice.no)

    def run(frame: Frame) -> Value:
        chosen = condition(frame)
        if chosen is True:
            return yes(frame)
        if chosen is False:
            return no(frame)
        msg = "no such overload"
        raise EvaluationError(msg)

    return run


def resolve_chain(chain: Chain) -> Run:
    """What evaluates a chain without charging for itself."""
    root, steps = chain.root, chain.steps
    if not steps:
        return root
    if all(step.run is None and not step.optional and not step.test for step in steps):
        return _constant_steps(root, [step.key for step in steps])
    return _any_steps(root, steps)


def _constant_steps(root: Run, keys: list[Value]) -> Run:
    """Selections by constant keys, none of them optional."""
    general = _any_steps(root, tuple(Step(key, None, optional=False) for key in keys))
    if len(keys) > 1:
        return general
    key = keys[0]

    def run(frame: Frame) -> Value:
        value = root(frame)
        if value.__class__ is Optional:
            return _optional(value, (Step(key, None, optional=False),), frame)
        try:
            return select(value, key)
        finally:
            frame.charge(1)

    return run


def _any_steps(root: Run, steps: tuple[Step, ...]) -> Run:
    def run(frame: Frame) -> Value:
        value = root(frame)
        if value.__class__ is Optional:
            return _optional(value, steps, frame)
        for index, step in enumerate(steps):
            if step.optional:
                return _present(value, steps[index:], frame)
            try:
                key = step.key if step.run is None else _key(step.run(frame))
                value = select_present(value, key) is not MISSING if step.test else select(value, key)
            finally:
                frame.charge(1)
        return value

    return run


def _key(value: Value) -> Value:
    check_key(value)
    return value


def _optional(value: Optional, steps: tuple[Step, ...], frame: Frame) -> Value:
    if value is NONE:
        return False if steps[-1].test else NONE
    return _present(value.value, steps, frame)


def _present(value: Value, steps: tuple[Step, ...], frame: Frame) -> Value:
    """Selections from what is there: the first that finds nothing, or fails, is not charged and ends the chain."""
    for step in steps:
        key = step.key if step.run is None else _key(step.run(frame))
        found = select_present(value, key)
        if found is MISSING:
            return False if steps[-1].test else NONE
        frame.charge(1)
        if step.test:
            return True
        value = found
    return Optional(value)


def finish(part: Part) -> Run:
    """What evaluates a part, with all its charges."""
    match part:
        case Constant(value):
            return lambda _: value
        case Computed(run):
            return run
        case Choice():
            return run_choice(part)
        case Chain():
            return run_chain(part)
