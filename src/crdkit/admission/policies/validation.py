"""What one ValidatingAdmissionPolicy says about an object (apiserver's policy/validating/validator.go)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from crdkit.admission.conditions import ConditionFailed
from crdkit.admission.evaluation import Compiled, Evaluation, Failed, OutOfBudget, Sight
from crdkit.admission.policies.policy import Policy
from crdkit.builtin.admission.expressions import ANNOTATION, BOOLEAN, TEXT, Scope
from crdkit.cel.values import Value
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject

INVALID: Final = "Invalid"
_LONGEST_MESSAGE: Final = 5 * 1024
_LONGEST_ANNOTATION: Final = 10 * 1024


@record
class Objection:
    """What a policy has against an object. ``index`` is that of the validation."""

    message: str
    reason: str = INVALID
    index: int = 0


@record(frozen=False)
class Opinion:
    """All that a policy says about an object. ``faults`` deny the request whatever the binding's actions are."""

    objections: list[Objection] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


class _Validation(NamedTuple):
    raw: JsonObject
    expression: Compiled
    message: Compiled | None


@dataclass(frozen=True)
class ValidatingPolicy(Policy):
    """A policy that judges."""

    @cached_property
    def _validations(self) -> list[_Validation]:
        scope = Scope(self.has_params, variables=self.variables.types)
        told = Scope(self.has_params, authorizer=False, variables=self.variables.types)
        return [
            _Validation(
                raw,
                Compiled.of(raw["expression"], scope, BOOLEAN, self.kube),
                Compiled.of(text, told, TEXT, self.kube) if (text := raw.get("messageExpression")) else None,
            )
            for raw in self.spec.get("validations") or ()
        ]

    @cached_property
    def _annotations(self) -> list[tuple[str, Compiled]]:
        scope = Scope(self.has_params, variables=self.variables.types)
        return [
            (raw["key"], Compiled.of(raw["valueExpression"], scope, ANNOTATION, self.kube))
            for raw in self.spec.get("auditAnnotations") or ()
        ]

    def judge(self, sight: Sight) -> Opinion:
        """What the policy says about a request."""
        opinion = Opinion()
        try:
            if self.conditions is not None and not self.conditions.hold(sight):
                return opinion
            self._validate(sight, opinion)
            self._annotate(sight, opinion)
        except (ConditionFailed, OutOfBudget) as error:
            opinion.objections = [] if self.ignores_failures else [Objection(str(error))]
        return opinion

    def _validate(self, sight: Sight, opinion: Opinion) -> None:
        evaluation = Evaluation(sight, self.variables)
        failed: list[tuple[int, _Validation]] = []
        for index, validation in enumerate(self._validations):
            try:
                if evaluation.evaluate(validation.expression) is not True:
                    failed.append((index, validation))
            except Failed as error:
                if not self.ignores_failures:
                    opinion.objections.append(Objection(str(error), index=index))
        if not failed:
            return
        messages = Evaluation(sight._replace(authorizer=None), self.variables, evaluation.budget)
        for index, validation in failed:
            reason = validation.raw.get("reason") or INVALID
            opinion.objections.append(Objection(_message(validation, messages), reason, index))
        opinion.objections.sort(key=lambda objection: objection.index)

    def _annotate(self, sight: Sight, opinion: Opinion) -> None:
        evaluation = Evaluation(sight._replace(authorizer=None), self.variables)
        for key, compiled in self._annotations:
            try:
                value: Value = evaluation.evaluate(compiled)
            except Failed as error:
                if not self.ignores_failures:
                    opinion.faults.append(str(error))
                continue
            if isinstance(value, str) and (text := value.strip()):
                opinion.annotations[key] = text[:_LONGEST_ANNOTATION]


def _message(validation: _Validation, evaluation: Evaluation) -> str:
    """What is told of a validation that failed: an expression's text if it is one line, else a fixed one, else the expression itself."""
    text = ""
    if validation.message is not None:
        try:
            value = evaluation.evaluate(validation.message)
        except Failed:
            value = ""
        except OutOfBudget as error:
            return f"failed messageExpression: {error}"
        text = value.strip() if isinstance(value, str) else ""
        if "\n" in text or len(text.encode(errors="surrogatepass")) > _LONGEST_MESSAGE:
            text = ""
    return text or validation.raw.get("message", "").strip() or f"failed expression: {validation.raw['expression'].strip()}"
