"""One rule, compiled: its expression and that of its message, or what a client is told where they do not compile."""

from __future__ import annotations

import functools
import time
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from typing import Final, NamedTuple, Protocol

from crdkit.cel.ast import Ident, walk
from crdkit.cel.environment import Environment, Expression, environment
from crdkit.cel.errors import CompileError, ProgramError
from crdkit.cel.openapi.declared import Declarations, Declared, declare
from crdkit.cel.program import Program
from crdkit.cel.types import BOOL, STRING, Type, optional_of
from crdkit.meta import json
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema import fieldpaths
from crdkit.schema.checks.places import NOTHING_KNOWN, KnownRules
from crdkit.schema.structural import Structural

SELF: Final = "self"
OLD_SELF: Final = "oldSelf"
MOST_TYPES: Final = 64
"""The types of so many nodes with rules are remembered; what is compiled of a rule takes some 30 KiB."""
MOST_RULES: Final = 100
"""And so many rules over the same types."""


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

    @property
    def failed(self) -> bool:
        """Whether one of its expressions does not compile."""
        return bool(self.error or self.message_error)


class _Work(NamedTuple):
    """What makes a rule of some types what it is once it is compiled."""

    text: str
    environment: Environment
    message: str
    for_message: Environment | None
    optional: bool


class Types:
    """The types that the rules of a node see: those of self, of what is below it, and of oldSelf."""

    def __init__(self, schema: JsonObject, name: str = "") -> None:
        self._schema = schema
        self._name = name
        self.compiled: dict[_Work, Compiled] = {}
        """The rules that were compiled over these types."""

    @cached_property
    def declared(self) -> Declared:
        """The type of self; without a name it gets one that is made up, so that no rule can rely on it."""
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


class _Described:
    """A schema, told from others by its text."""

    __slots__ = ("_digest", "schema")

    def __init__(self, schema: JsonObject) -> None:
        self.schema = schema
        self._digest = blake2b(json.encode(schema), digest_size=16).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Described) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)


@functools.lru_cache(maxsize=MOST_TYPES)
def _types(described: _Described) -> Types:
    return Types(described.schema)


def types_of(schema: JsonObject) -> Types:
    """The types of a schema, with the rules that were compiled over them.

    A definition's rules are compiled when it is checked, and again when it is served, and those of its other versions are often the same.
    """
    return _types(_Described(schema))


def compile_rule(rule: JsonObject, node: Structural, types: Types, environments: Environments) -> Compiled:
    """Compile a rule of a node, and its messageExpression unless the rule itself fails. Nobody may change the result: it may be another's too."""
    text, message = rule.get("rule") or "", rule.get("messageExpression") or ""
    if not text.strip():
        return Compiled()
    work = _Work(
        text,
        environments.for_rule(text),
        message,
        environments.for_message(message) if message else None,
        bool(rule.get("optionalOldSelf")),
    )
    compiled = types.compiled.get(work)
    if compiled is None:
        if len(types.compiled) >= MOST_RULES:
            types.compiled.clear()
        compiled = types.compiled[work] = _compile(work, types)
    path = rule.get("fieldPath")
    return compiled if not path or compiled.failed else replace(compiled, field_path=_field_path(path, node))


def _compile(work: _Work, types: Types) -> Compiled:
    compiled = Compiled()
    variables = types.variables(optional=work.optional)
    try:
        _compile_expression(compiled, work.environment.compile(work.text, variables, types.provider))
    except CompileError as error:
        compiled.error = f"compilation failed: {error}"
    if compiled.error or work.for_message is None:
        return compiled
    try:
        _compile_message(compiled, work.for_message.compile(work.message, variables, types.provider))
    except CompileError as error:
        compiled.message_error = f"messageExpression compilation failed: {error}"
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
