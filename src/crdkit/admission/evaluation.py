"""Evaluating expressions about a request: what they see, and what they may cost altogether (apiserver's plugin/cel)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

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
from crdkit.cel.errors import CelError, CostLimitExceeded, EvaluationError
from crdkit.cel.libraries import authorization
from crdkit.cel.program import DEFAULT_LIMIT as LIMIT
from crdkit.cel.program import Program
from crdkit.cel.types import DYN, Type
from crdkit.cel.values import MISSING, MapValue, Value
from crdkit.meta.offload import Impatient, offload
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

BUDGET: Final = 10_000_000
"""What the expressions of one policy may cost for one request."""
CONDITIONS_BUDGET: Final = BUDGET // 4
_ROOTS: Final = ("object", "oldObject", "request", "namespaceObject", "params")
PATIENCE: Final = 50_000
"""What may be evaluated at once: some milliseconds."""
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
    patience: int | None = None
    """What evaluating may cost at once; above it `Impatient` is raised."""

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


@record(frozen=False)
class Evaluation:
    """Evaluates expressions about one request, until they have cost too much. Variables are worked out once, when they are looked at."""

    sight: Sight
    variables: Variables | None = None
    budget: int = BUDGET
    spent_on_variables: int = 0
    spent: int = 0
    _bindings: dict[str, Value] = field(init=False)

    def __post_init__(self) -> None:
        self._bindings = self.sight.bindings()
        if self.variables is not None:
            self._bindings["variables"] = _VariableMap(self, self.variables.compiled)

    def evaluate(self, compiled: Compiled) -> Value:
        """The value of an expression. Raises `Failed` or `OutOfBudget`."""
        if compiled.program is None:
            msg = f"compilation error: {compiled.fault}"
            raise Failed(msg)
        value, cost, error = self.run(compiled.program)
        cost += self.spent_on_variables
        self.spent_on_variables = 0
        if cost > self.budget:
            raise OutOfBudget
        self.budget -= cost
        if error is not None:
            msg = f"expression '{compiled.text}' resulted in error: {error}"
            raise Failed(msg) from error
        return value

    def roots(self) -> list[Value]:
        """What of all that expressions see stands for objects."""
        return [self._bindings[name] for name in _ROOTS]

    def run(self, program: Program) -> tuple[Value, int, CelError | None]:
        """The value or the error, and the cost. Raises `Impatient`."""
        patience = self.sight.patience
        limit = LIMIT if patience is None else min(LIMIT, patience - self.spent)
        error: CelError | None = None
        value: Value = None
        try:
            value, cost = program.evaluate(self._bindings, limit)
        except CostLimitExceeded as failure:
            if limit < LIMIT:
                raise Impatient from failure
            error, cost = failure, failure.cost
        except CelError as failure:
            error, cost = failure, failure.cost
        self.spent += cost
        return value, cost, error


class _VariableMap(MapValue):
    """The variables of a policy, evaluated when they are looked at first."""

    __slots__ = ("_compiled", "_evaluation", "_found")

    def __init__(self, evaluation: Evaluation, compiled: Mapping[str, Compiled]) -> None:
        self._evaluation = evaluation
        self._compiled = compiled
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
        value, cost, error = self._evaluation.run(compiled.program)
        self._evaluation.spent_on_variables += cost
        return value if error is None else EvaluationError(f'composited variable "{name}" fails to evaluate: {error}')


T = TypeVar("T")


async def in_time(run: Callable[[Sight], T], sight: Sight) -> T:
    """Evaluate at once, or if that takes long in a worker thread: then all of it anew."""
    try:
        return run(sight._replace(patience=PATIENCE))
    except Impatient:
        return await offload(run, sight)
