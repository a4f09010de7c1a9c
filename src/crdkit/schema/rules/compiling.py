"""One rule, compiled: its expression and that of its message, or what a client is told where they do not compile."""

from __future__ import annotations

import time
from functools import cached_property
from typing import Final, Protocol

from crdkit.cel.ast import Ident, walk
from crdkit.cel.environment import Environment, Expression, environment
from crdkit.cel.errors import CompileError, ProgramError
from crdkit.cel.openapi.declared import Declarations, Declared, declare
from crdkit.cel.program import Program
from crdkit.cel.types import BOOL, STRING, Type, optional_of
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema import fieldpaths
from crdkit.schema.checks.places import NOTHING_KNOWN, KnownRules
from crdkit.schema.structural import Structural

SELF: Final = "self"
OLD_SELF: Final = "oldSelf"


class Environments(Protocol):
    """Which functions an expression may use."""

    def for_rule(self, text: str) -> Environment:
        """What is there for a rule of this text."""
        ...

    def for_message(self, text: str) -> Environment:
        """What is there for a messageExpression of this text."""
        ...


class NewEnvironments:
    """For rules that a request adds, but for ``known`` ones, which were accepted before."""

    def __init__(self, kube: KubeVersion, known: KnownRules = NOTHING_KNOWN) -> None:
        self._kube = kube
        self._known = known

    def for_rule(self, text: str) -> Environment:
        """What came with the version before; all there is for a text that is known."""
        return environment(self._kube, stored=text in self._known.rules)

    def for_message(self, text: str) -> Environment:
        """Likewise."""
        return environment(self._kube, stored=text in self._known.message_expressions)


class StoredEnvironments:
    """For rules that were accepted before."""

    def __init__(self, kube: KubeVersion) -> None:
        self._kube = kube

    def for_rule(self, text: str) -> Environment:
        """All there is."""
        del text
        return environment(self._kube, stored=True)

    for_message = for_rule


class Types:
    """The types that the rules of a node see: those of self, of what is below it, and of oldSelf."""

    def __init__(self, schema: JsonObject, name: str = "") -> None:
        self._schema = schema
        self._name = name

    @cached_property
    def declared(self) -> Declared:
        """The type of self; without a name it gets one that is made up anew each time, so that no rule can rely on it."""
        declared = declare(self._schema, self._name or f"selfType{time.time_ns() % 1_000_000_000}")
        assert declared is not None
        return declared

    @cached_property
    def provider(self) -> Declarations:
        """The object types, and how large their values may get."""
        return Declarations(self.declared)

    def variables(self, *, optional: bool) -> dict[str, Type]:
        """``optional`` tells whether oldSelf may be missing."""
        type_ = self.declared.type
        return {SELF: type_, OLD_SELF: optional_of(type_) if optional else type_}


@record(frozen=False)
class Compiled:
    """What became of a rule. Without ``program`` it is empty, or ``error`` tells what is wrong with it; so for its messageExpression."""

    expression: Expression | None = None
    program: Program | None = None
    error: str = ""
    uses_old_self: bool = False
    message_expression: Expression | None = None
    message: Program | None = None
    message_error: str = ""
    field_path: str = ""


def compile_rule(rule: JsonObject, node: Structural, types: Types, environments: Environments) -> Compiled:
    """Compile a rule of a node, and its messageExpression unless the rule itself fails."""
    compiled = Compiled()
    text = rule.get("rule") or ""
    if not text.strip():
        return compiled
    variables = types.variables(optional=bool(rule.get("optionalOldSelf")))
    try:
        _compile_expression(compiled, environments.for_rule(text).compile(text, variables, types.provider))
    except CompileError as error:
        compiled.error = f"compilation failed: {error}"
    if compiled.error:
        return compiled
    if message := rule.get("messageExpression"):
        try:
            _compile_message(compiled, environments.for_message(message).compile(message, variables, types.provider))
        except CompileError as error:
            compiled.message_error = f"messageExpression compilation failed: {error}"
        if compiled.message_error:
            return compiled
    if path := rule.get("fieldPath"):
        compiled.field_path = _field_path(path, node)
    return compiled


def _compile_expression(compiled: Compiled, expression: Expression) -> None:
    if expression.type != BOOL:
        compiled.error = "cel expression must evaluate to a bool"
        return
    compiled.expression = expression
    compiled.uses_old_self = _names_old_self(expression)
    try:
        compiled.program = expression.program()
    except ProgramError as error:
        compiled.error = f"program instantiation failed: {error}"


def _names_old_self(expression: Expression) -> bool:
    """Any name counts, be it of a variable in a fold."""
    return any(isinstance(node, Ident) and node.name.removeprefix(".") == OLD_SELF for node in walk(expression.root))


def _compile_message(compiled: Compiled, expression: Expression) -> None:
    if expression.type != STRING:
        compiled.message_error = "messageExpression must evaluate to a string"
        return
    try:
        compiled.message = expression.program()
    except ProgramError as error:
        compiled.message_error = f"messageExpression instantiation failed: {error}"
    else:
        compiled.message_expression = expression


def _field_path(path: str, node: Structural) -> str:
    try:
        return str(fieldpaths.find(path, node).path)
    except fieldpaths.InvalidFieldPath:
        return ""
