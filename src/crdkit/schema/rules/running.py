"""Running rules one by one: what is told of those that fail, in the real server's words, and what all of it costs."""

from __future__ import annotations

import logging
from dataclasses import field
from functools import cached_property
from typing import Final

from crdkit.cel.errors import CelError, CostLimitExceeded, EvaluationError
from crdkit.cel.program import DEFAULT_LIMIT, Program
from crdkit.cel.values import NONE, Optional, Value
from crdkit.meta import errors, golang
from crdkit.meta.errors import OMITTED, FieldError
from crdkit.meta.offload import Impatient
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.ratcheting import Correlated
from crdkit.schema.rules.compiling import OLD_SELF, SELF
from crdkit.schema.rules.plans import Plan, Rule

logger = logging.getLogger(__name__)

VALUES_TOLD: Final = KubeVersion(1, 34)
"""From here on a failure tells the value, before its type."""
_LONGEST_MESSAGE: Final = 5 * 1024
"""In bytes."""
_TYPE_FIELDS: Final = frozenset(("apiVersion", "kind"))
_CONTAINERS: Final = frozenset(("object", "array"))
_NO_BUDGET: Final = "validation failed due to running out of cost budget, no further validation rules will be run"
_NO_BUDGET_FOR_MESSAGE: Final = (
    "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run"
)


class Stopped(Exception):
    """The budget is used up: no further rules are run."""


@record(frozen=False)
class Outcome:
    """What running rules came to. ``warnings`` are failures that an update may keep; a ``budget`` below 0 ended it early."""

    budget: int
    errors: list[FieldError] = field(default_factory=list)
    warnings: list[FieldError] = field(default_factory=list)


@record
class Lineage:
    """What stands for a value in the older object, and whether failures are kept back where nothing has changed.

    ``nearest`` is the nearest value above that has an older one, where such failures are.
    """

    here: Correlated | None = None
    ratchets: bool = False
    nearest: Correlated | None = None

    @property
    def old(self) -> Json:
        return None if self.here is None else self.here.old

    def child(self, step: str | int) -> Lineage:
        below = None if self.here is None else self.here.child(step)
        if not self.ratchets or self.here is None:
            return Lineage(below, self.ratchets, self.nearest)
        if self.nearest is None and step in _TYPE_FIELDS:
            return Lineage(below)
        return Lineage(below, self.ratchets, self.here)

    def is_unchanged(self) -> bool:
        """Whether a failure of a rule that does not look at the older value is to be kept back."""
        if not self.ratchets:
            return False
        judged = self.nearest if self.here is None else self.here
        return judged is not None and judged.is_unchanged()


class Run:
    """One walk over an object. With ``patience``, costs above it raise `Impatient`."""

    def __init__(self, kube: KubeVersion, budget: int, patience: int | None = None) -> None:
        self.outcome = Outcome(budget)
        self._kube = kube
        self._least = None if patience is None else budget - patience

    def visit(self, plan: Plan, value: Json, at: FieldPath, lineage: Lineage) -> Outcome:
        """Run the rules at a node and below it."""
        try:
            self._visit(plan, value, at, lineage)
        except Stopped:
            self.outcome.budget = -1
        return self.outcome

    def _visit(self, plan: Plan, value: Json, at: FieldPath, lineage: Lineage) -> None:
        if value is None:
            return
        if plan.node.validations:
            self._run_rules(plan, value, at, lineage)
        if isinstance(value, list):
            if plan.items is not None:
                for index, item in enumerate(value):
                    self._visit(plan.items, item, at.index(index), lineage.child(index))
        elif isinstance(value, dict):
            self._visit_fields(plan, value, at, lineage)

    def _visit_fields(self, plan: Plan, value: JsonObject, at: FieldPath, lineage: Lineage) -> None:
        if plan.values is not None:
            for name, item in value.items():
                self._visit(plan.values, item, at.key(name), lineage.child(name))
        elif plan.properties:
            for name, item in value.items():
                if (below := plan.properties.get(name)) is not None:
                    self._visit(below, item, at / name, lineage.child(name))

    def _run_rules(self, plan: Plan, value: Json, at: FieldPath, lineage: Lineage) -> None:
        if self.outcome.budget <= 0:
            self._tell(at, plan.node.type, _NO_BUDGET)
            raise Stopped
        subject = Subject(plan, value, at, lineage)
        for rule in plan.rules:
            if rule.compiled.error:
                self._tell(at, plan.node.type, f"rule compile error: {rule.compiled.error}")
            elif rule.compiled.program is not None:
                self._run_rule(rule, rule.compiled.program, subject)

    def _run_rule(self, rule: Rule, program: Program, subject: Subject) -> None:
        is_optional = bool(rule.text.get("optionalOldSelf"))
        if rule.compiled.uses_old_self and subject.lineage.old is None and not is_optional:
            return
        try:
            result = self._evaluate(program, subject.bindings(optional=is_optional), subject, _NO_BUDGET)
        except CelError as error:
            self._tell_failure(error, rule, subject)
            return
        if result is not True:
            self.tell_violation(rule, subject)

    def _evaluate(self, program: Program, bindings: dict[str, Value], subject: Subject, no_budget: str) -> Value:
        """The value of an expression, charged. Raises `CelError`, and stops where the budget does not suffice."""
        limit = DEFAULT_LIMIT
        if self._least is not None:
            limit = min(limit, max(self.outcome.budget - self._least, 0))
        failure: CelError | None = None
        result: Value = None
        try:
            result, cost = program.evaluate(bindings, limit)
        except CelError as error:
            if isinstance(error, CostLimitExceeded) and limit < DEFAULT_LIMIT:
                raise Impatient from error
            failure, cost = error, error.cost
        if cost > self.outcome.budget:
            raise _OutOfBudget(no_budget)
        self.outcome.budget -= cost
        if failure is not None:
            raise failure
        return result

    def _tell(self, at: FieldPath, value: Json, detail: str) -> None:
        self.outcome.errors.append(errors.invalid(at, value, detail))

    def _tell_failure(self, error: CelError, rule: Rule, subject: Subject) -> None:
        text, named = str(error), _named(rule.text)
        if text.startswith("no such overload"):
            told = f"'{text}': call arguments did not match a supported operator, function or macro signature for rule: {named}"
        elif isinstance(error, CostLimitExceeded):
            told = f"'{text}': no further validation rules will be run due to call cost exceeds limit for rule: {named}"
        elif isinstance(error, _OutOfBudget):
            told = text
        else:
            told = f"{text} evaluating rule: {named}"
        self._tell(subject.at, subject.plan.node.type, told)
        if isinstance(error, CostLimitExceeded | _OutOfBudget):
            raise Stopped

    def tell_violation(self, rule: Rule, subject: Subject) -> None:
        """A rule does not hold of a value."""
        path = rule.compiled.field_path
        at = subject.at / path if path else subject.at
        type_ = subject.plan.node.type
        detail = None
        if rule.compiled.message is not None:
            try:
                detail = self._message(rule.compiled.message, rule, subject)
            except (CostLimitExceeded, _OutOfBudget) as error:
                source = golang.quote(rule.text["messageExpression"])
                told = f"no further validation rules will be run due to call cost exceeds limit for messageExpression: {source}"
                self._add(errors.invalid(at, type_, str(error) if isinstance(error, _OutOfBudget) else told), rule, subject)
                raise Stopped from error
        if detail is None:
            detail = _trimmed(rule.text["message"]) if rule.text.get("message") else f"failed rule: {_named(rule.text)}"
        value = type_ if self._kube < VALUES_TOLD else OMITTED if type_ in _CONTAINERS else subject.value
        self._add(_error(rule.text.get("reason"), at, value, detail), rule, subject)

    def _message(self, program: Program, rule: Rule, subject: Subject) -> str | None:
        """The text of a messageExpression; None, which is logged, if it comes to none that may be told."""
        try:
            found = self._evaluate(program, subject.bindings(optional=False), subject, _NO_BUDGET_FOR_MESSAGE)
        except (CostLimitExceeded, _OutOfBudget):
            raise
        except CelError as error:
            logger.warning("%s: messageExpression %r failed: %s", subject.at, rule.text["messageExpression"], error)
            return None
        text = _trimmed(found)
        if not text or "\n" in text or len(text.encode(errors="surrogatepass")) > _LONGEST_MESSAGE:
            why = "is too long" if text and "\n" not in text else "has line breaks" if text else "is empty"
            logger.warning("%s: the text of messageExpression %r %s", subject.at, rule.text["messageExpression"], why)
            return None
        return text

    def _add(self, error: FieldError, rule: Rule, subject: Subject) -> None:
        if not rule.compiled.uses_old_self and subject.lineage.is_unchanged():
            self.outcome.warnings.append(error)
        else:
            self.outcome.errors.append(error)


class _OutOfBudget(CelError):
    """What is left for the object does not pay for an expression that was evaluated."""


_NOT_CONVERTED: Final = "unsupported conversion to ref.Val: (*errors.errorString)"
"""What the real server tells before the fault of an old value when it is taken out of the optional oldSelf."""


class Subject:
    """A value whose rules are run, and what their expressions see of it."""

    def __init__(self, plan: Plan, value: Json, at: FieldPath, lineage: Lineage) -> None:
        self.plan = plan
        self.value = value
        self.at = at
        self.lineage = lineage

    @cached_property
    def _bindings(self) -> tuple[dict[str, Value], dict[str, Value]]:
        """The variables, and the same with an optional oldSelf."""
        plain: dict[str, Value] = {SELF: self._read(self.value)}
        if not self.plan.knows_old_self:
            return plain, plain
        old = self.lineage.old
        if old is None:
            return plain, {**plain, OLD_SELF: NONE}
        value = self._read(old)
        held = EvaluationError(f"{_NOT_CONVERTED}{value}") if isinstance(value, EvaluationError) else value
        return {**plain, OLD_SELF: value}, {**plain, OLD_SELF: Optional(held)}

    def _read(self, raw: Json) -> Value:
        """JSON as a value; an error, which expressions meet when they look at it, where it is none."""
        try:
            return self.plan.read(raw)
        except EvaluationError as error:
            return error

    def bindings(self, *, optional: bool) -> dict[str, Value]:
        """The variables of an expression."""
        return self._bindings[optional]


def _named(rule: JsonObject) -> str:
    """How errors name a rule."""
    return _trimmed(rule.get("message") or rule["rule"])


def _trimmed(text: str) -> str:
    return text.strip(golang.SPACE)


def _error(reason: str | None, at: FieldPath, value: Json, detail: str) -> FieldError:
    match reason:
        case "FieldValueForbidden":
            return errors.forbidden(at, detail)
        case "FieldValueRequired":
            return errors.required(at, detail)
        case "FieldValueDuplicate":
            return errors.duplicate(at, value)
        case _:
            return errors.invalid(at, value, detail)
