"""Shorthands of these tests: compile and evaluate a text as a server of the default version does."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.cel.environment import Expression, environment
from crdkit.cel.errors import CelError, CompileError, EvaluationError
from crdkit.cel.openapi.data import reader
from crdkit.cel.openapi.declared import Declarations, declare
from crdkit.cel.types import Type
from crdkit.cel.values import Value
from crdkit.meta.types import JsonObject
from crdkit.meta.version import DEFAULT, KubeVersion


def compiled(text: str, kube: KubeVersion = DEFAULT, **variables: Type) -> Expression:
    return environment(kube).compile(text, variables)


def evaluated(text: str) -> Value:
    return compiled(text).program().evaluate({})[0]


def cost(text: str) -> int:
    return compiled(text).program().evaluate({})[1]


def failure(text: str) -> tuple[str, int]:
    """The error of an evaluation, and what it cost."""
    with pytest.raises(EvaluationError) as failed:
        compiled(text).program().evaluate({})
    return str(failed.value), failed.value.cost


def refusal(text: str, kube: KubeVersion = DEFAULT, **variables: Type) -> str:
    """The text of all compile errors."""
    with pytest.raises(CompileError) as refused:
        compiled(text, kube, **variables)
    return str(refused.value)


def first_message(text: str, **variables: Type) -> str:
    """The first compile error without its place."""
    return refusal(text, **variables).split("\n")[0].split(": ", 2)[2]


class Rule:
    """An expression over JSON that a schema describes."""

    def __init__(self, schema: JsonObject, text: str, kube: KubeVersion = DEFAULT) -> None:
        declared = declare(schema, "Item")
        assert declared is not None
        self.declarations = Declarations(declared)
        self.read = reader(schema, kube)
        self.expression = environment(kube).compile(text, {"self": declared.type}, self.declarations)

    def evaluate(self, raw: Any) -> tuple[Value, int]:
        return self.expression.program().evaluate({"self": self.read(raw)})

    def value(self, raw: Any) -> Value:
        return self.evaluate(raw)[0]

    def failure(self, raw: Any) -> str:
        with pytest.raises(CelError) as failed:
            self.evaluate(raw)
        return str(failed.value)

    def estimate(self) -> tuple[int, int]:
        low, high = self.expression.estimate(self.declarations)
        return low, high
