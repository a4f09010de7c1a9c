"""Evaluating expressions about a request: what they see, and what they may cost altogether (apiserver's plugin/cel)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from crdkit.access.authorization import Authorizer
from crdkit.admission import review
from crdkit.admission.attributes import Attributes, Variant
from crdkit.admission.rights import Rights
from crdkit.builtin.admission.expressions import (
    ANY,
    ExpressionError,
    Scope,
    compile_expression,
    compile_typed,
    variable_type,
)
from crdkit.cel.errors import CelError, EvaluationError
from crdkit.cel.libraries import authorization
from crdkit.cel.program import Program
from crdkit.cel.types import DYN, Type
from crdkit.cel.values import MISSING, MapValue, Value
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

BUDGET: Final = 10_000_000
"""What the expressions of one policy may cost for one request."""
CONDITIONS_BUDGET: Final = BUDGET // 4
OUT_OF_BUDGET: Final = "validation failed due to running out of cost budget, no further validation rules will be run"


class OutOfBudget(Exception):
    """The expressions cost more than they may; ``str()`` is the real server's text."""

    def __init__(self) -> None:
        super().__init__(OUT_OF_BUDGET)


class Failed(Exception):
    """An expression has no value; ``str()`` is the real server's text."""


@dataclass(frozen=True)
class Compiled:
    """An expression, or why it is none."""

    text: str
    program: Program | None
    fault: str = ""

    @classmethod
    def of(cls, text: str, scope: Scope, returns: Sequence[Type], kube: KubeVersion) -> Compiled:
        """Compile an expression that is stored."""
        try:
            return cls(text, compile_expression(text, scope, returns, kube, stored=True))
        except ExpressionError as error:
            return cls(text, None, str(error))


class Variables:
    """A policy's variables, compiled in order: each may refer to those before."""

    def __init__(self, variables: Sequence[JsonObject], kube: KubeVersion, *, params: bool) -> None:
        self.types: dict[str, Type] = {}
        self.compiled: dict[str, Compiled] = {}
        for variable in variables:
            name, text = variable["name"], variable["expression"]
            try:
                program, found = compile_typed(text, Scope(params, variables=self.types), ANY, kube, stored=True)
            except ExpressionError as error:
                self.types[name] = DYN
                self.compiled[name] = Compiled(text, None, str(error))
            else:
                self.types[name] = variable_type(found)
                self.compiled[name] = Compiled(text, program)


class Sight(NamedTuple):
    """What the expressions about one request see."""

    attributes: Attributes
    variant: Variant
    obj: JsonObject | None
    old: JsonObject | None
    authorizer: Authorizer | None = None
    namespace: JsonObject | None = None
    params: JsonObject | None = None

    def bindings(self) -> dict[str, Value]:
        attributes = self.attributes
        found: dict[str, Value] = {
            "object": self.obj,
            "oldObject": self.old,
            "request": review.request_of(attributes, self.variant),
            "namespaceObject": self.namespace,
            "params": self.params,
        }
        if self.authorizer is not None:
            rights = Rights(self.authorizer, attributes.user)
            place = attributes.target.variant.place
            found["authorizer"] = authorization.Authorizer(rights)
            found["authorizer.requestResource"] = authorization.ResourceCheck(
                rights, place.group, place.resource, attributes.subresource, attributes.namespace, attributes.name
            )
        return found


@dataclass(slots=True)
class Evaluation:
    """Evaluates expressions about one request, until they have cost too much. Variables are worked out once, when they are looked at."""

    sight: Sight
    variables: Variables | None = None
    budget: int = BUDGET
    spent_on_variables: int = 0
    _bindings: dict[str, Value] = field(init=False)

    def __post_init__(self) -> None:
        self._bindings = self.sight.bindings()
        if self.variables is not None:
            self._bindings["variables"] = _VariableMap(self, self.variables.compiled, self._bindings)

    def evaluate(self, compiled: Compiled) -> Value:
        """The value of an expression. Raises `Failed` or `OutOfBudget`."""
        if compiled.program is None:
            msg = f"compilation error: {compiled.fault}"
            raise Failed(msg)
        error: CelError | None = None
        value: Value = None
        try:
            value, cost = compiled.program.evaluate(self._bindings)
        except CelError as failure:
            error, cost = failure, failure.cost
        self._spend(self.spent_on_variables + cost)
        self.spent_on_variables = 0
        if error is not None:
            msg = f"expression '{compiled.text}' resulted in error: {error}"
            raise Failed(msg) from error
        return value

    def _spend(self, cost: int) -> None:
        if cost > self.budget:
            raise OutOfBudget
        self.budget -= cost


class _VariableMap(MapValue):
    """The variables of a policy, evaluated when they are looked at first."""

    __slots__ = ("_bindings", "_compiled", "_evaluation", "_found")

    def __init__(self, evaluation: Evaluation, compiled: Mapping[str, Compiled], bindings: Mapping[str, Value]) -> None:
        self._evaluation = evaluation
        self._compiled = compiled
        self._bindings = bindings
        self._found: dict[str, Value | EvaluationError] = {}

    def __len__(self) -> int:
        return len(self._compiled)

    def __iter__(self) -> Iterator[Value]:
        return iter(self._compiled)

    def find(self, key: Value) -> Value:
        if key not in self._compiled:
            return MISSING
        if key not in self._found:
            self._found[key] = self._evaluated(key, self._compiled[key])
        found = self._found[key]
        if isinstance(found, EvaluationError):
            raise found
        return found

    def _evaluated(self, name: str, compiled: Compiled) -> Value | EvaluationError:
        if compiled.program is None:
            return EvaluationError(f'composited variable "{name}" fails to compile: {compiled.fault}')
        try:
            value, cost = compiled.program.evaluate(self._bindings)
        except CelError as error:
            self._evaluation.spent_on_variables += error.cost
            return EvaluationError(f'composited variable "{name}" fails to evaluate: {error}')
        self._evaluation.spent_on_variables += cost
        return value
