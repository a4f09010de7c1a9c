"""The expressions of webhooks and policies: what they may refer to, and how they are compiled (apiserver's admission/plugin/cel)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Final

from crdkit.builtin.admission import messages
from crdkit.cel.declarations import Library
from crdkit.cel.environment import Environment, Expression, environment
from crdkit.cel.errors import CompileError, ProgramError
from crdkit.cel.libraries import libraries
from crdkit.cel.libraries.authorization import AUTHORIZER, RESOURCE_CHECK
from crdkit.cel.program import Program
from crdkit.cel.types import (
    BOOL,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    Kind,
    Type,
    list_of,
    map_of,
    object_type,
)
from crdkit.cel.values import Value
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

OBJECT: Final = messages.OBJECT
PATCHES: Final = list_of(messages.JSON_PATCH)

_KIND: Final = object_type("kubernetes.GroupVersionKind")
_RESOURCE: Final = object_type("kubernetes.GroupVersionResource")
_USER: Final = object_type("kubernetes.UserInfo")
_REQUEST: Final = object_type("kubernetes.AdmissionRequest")
_NAMESPACE: Final = object_type("kubernetes.Namespace")
_METADATA: Final = object_type("kubernetes.NamespaceMetadata")
_SPEC: Final = object_type("kubernetes.NamespaceSpec")
_STATUS: Final = object_type("kubernetes.NamespaceStatus")
_CONDITION: Final = object_type("kubernetes.NamespaceCondition")
_VARIABLES: Final = object_type("kubernetes.variables")
_STRINGS: Final = list_of(STRING)
_FIELDS: Final[Mapping[str, Mapping[str, Type]]] = {
    _KIND.name: {"group": STRING, "version": STRING, "kind": STRING},
    _RESOURCE.name: {"group": STRING, "version": STRING, "resource": STRING},
    _USER.name: {"username": STRING, "uid": STRING, "groups": _STRINGS, "extra": map_of(STRING, _STRINGS)},
    _REQUEST.name: {
        "kind": _KIND,
        "resource": _RESOURCE,
        "subResource": STRING,
        "requestKind": _KIND,
        "requestResource": _RESOURCE,
        "requestSubResource": STRING,
        "name": STRING,
        "namespace": STRING,
        "operation": STRING,
        "userInfo": _USER,
        "dryRun": BOOL,
        "options": DYN,
    },
    _NAMESPACE.name: {"metadata": _METADATA, "spec": _SPEC, "status": _STATUS},
    _METADATA.name: {
        "name": STRING,
        "generateName": STRING,
        "namespace": STRING,
        "labels": map_of(STRING, STRING),
        "annotations": map_of(STRING, STRING),
        "UID": STRING,
        "creationTimestamp": TIMESTAMP,
        "deletionGracePeriodSeconds": INT,
        "deletionTimestamp": TIMESTAMP,
        "generation": INT,
        "resourceVersion": STRING,
        "finalizers": _STRINGS,
    },
    _SPEC.name: {"finalizers": _STRINGS},
    _STATUS.name: {"conditions": list_of(_CONDITION), "phase": STRING},
    _CONDITION.name: {"status": STRING, "type": STRING, "lastTransitionTime": TIMESTAMP, "message": STRING, "reason": STRING},
}
_MUTATIONS: Final[Mapping[str, Type]] = {"op": STRING, "from": STRING, "path": STRING, "value": DYN}
_ESCAPES: Final = str.maketrans({"/": "~1", "~": "~0"})

_JSON_PATCH: Final = Library("kubernetes.jsonpatch")


@_JSON_PATCH.function("jsonpatch.escapeKey", (STRING,), STRING, id="string_jsonpatch_escapeKey_string")
def escape_key(key: str) -> str:
    """A key as it stands in a path: ``jsonpatch.escapeKey('a/b') == 'a~1b'``."""
    return key.translate(_ESCAPES)


class ExpressionError(ValueError):
    """An expression does not compile; ``str()`` is what a client is told."""


@record
class Scope:
    """What an expression may refer to beside the request and its objects."""

    params: bool = False
    authorizer: bool = True
    mutates: bool = False
    """Whether it may write objects and patches."""
    variables: dict[str, Type] | None = None
    """The types of the policy's variables known so far; None where there are no such things."""


ANY: Final = ()
"""Any type will do."""
BOOLEAN: Final = (BOOL,)
TEXT: Final = (STRING,)
ANNOTATION: Final = (STRING, NULL)
MUTATIONS: Final[Mapping[str, Sequence[Type]]] = {"ApplyConfiguration": (OBJECT,), "JSONPatch": (PATCHES,)}
"""What the mutations of a policy evaluate to, by their ``patchType``."""


def compile_expression(text: str, scope: Scope, returns: Sequence[Type], kube: KubeVersion, *, stored: bool) -> Program:
    """Compile an expression whose value is of one of these types. Raises `ExpressionError`."""
    return compile_typed(text, scope, returns, kube, stored=stored)[0]


def compile_typed(text: str, scope: Scope, returns: Sequence[Type], kube: KubeVersion, *, stored: bool) -> tuple[Program, Type]:
    """The same, and the type of the value."""
    expression = _compile(text, scope, kube, stored=stored)
    if returns and expression.type not in returns:
        raise ExpressionError(_unfit(expression.type, returns))
    try:
        return expression.program(), expression.type
    except ProgramError as error:
        msg = f"program instantiation failed: {error}"
        raise ExpressionError(msg) from error


def _compile(text: str, scope: Scope, kube: KubeVersion, *, stored: bool) -> Expression:
    provider = _Mutable(scope.variables or {}) if scope.mutates else _Types(scope.variables or {})
    chosen = _mutating(kube, stored=stored) if scope.mutates else environment(kube, stored=stored)
    try:
        return chosen.compile(text, _declared(scope), provider)
    except CompileError as error:
        msg = f"compilation failed: {error}"
        raise ExpressionError(msg) from error


@functools.cache
def _mutating(kube: KubeVersion, *, stored: bool) -> Environment:
    known = kube if stored else KubeVersion(kube.major, kube.minor - 1)
    return Environment([*libraries(known, kube), _JSON_PATCH])


def _declared(scope: Scope) -> Mapping[str, Type]:
    declared = {"object": DYN, "oldObject": DYN, "namespaceObject": _NAMESPACE, "request": _REQUEST}
    if scope.params:
        declared["params"] = DYN
    if scope.authorizer:
        declared |= {"authorizer": AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK}
    if scope.variables is not None:
        declared["variables"] = _VARIABLES
    return declared


def _unfit(found: Type, wanted: Sequence[Type]) -> str:
    shown = [declared_name(type_) for type_ in wanted]
    choice = shown[0] if len(shown) == 1 else f"one of [{' '.join(shown)}]"
    return f"must evaluate to {choice} but got {declared_name(found)}"


def declared_name(type_: Type) -> str:
    """A type as Go prints it outside of the checker's messages."""
    if not type_.parameters:
        return type_.name
    return f"{type_.name}({', '.join(map(declared_name, type_.parameters))})"


def variable_type(type_: Type) -> Type:
    """The type under which a variable of that type is known to what refers to it: those with fields are dynamic."""
    if type_.kind is Kind.LIST or type_.kind is Kind.MAP:
        return Type(type_.kind, type_.name, tuple(map(variable_type, type_.parameters)))
    return DYN if type_.kind in (Kind.OBJECT, Kind.OPAQUE, Kind.WRAPPER, Kind.TYPE, Kind.PARAMETER) else type_


class _Types:
    """The types of the request, of namespaces, and of a policy's variables."""

    def __init__(self, variables: Mapping[str, Type]) -> None:
        self._variables = variables

    def find_type(self, name: str) -> Type | None:
        return object_type(name) if name in _FIELDS or name == _VARIABLES.name else None

    def find_field(self, type_name: str, field: str) -> Type | None:
        if type_name == _VARIABLES.name:
            return self._variables.get(field)
        return _FIELDS.get(type_name, {}).get(field)


class _Mutable(_Types):
    """The same, and objects and patches, which are written as messages."""

    def find_type(self, name: str) -> Type | None:
        if name == messages.JSON_PATCH.name or _is_object(name):
            return object_type(name)
        return super().find_type(name)

    def find_field(self, type_name: str, field: str) -> Type | None:
        if _is_object(type_name):
            return DYN
        if type_name == messages.JSON_PATCH.name:
            return _MUTATIONS.get(field, DYN)
        return super().find_field(type_name, field)

    def make(self, type_name: str, fields: Mapping[str, Value]) -> Value:
        return messages.make(type_name, fields)


def _is_object(name: str) -> bool:
    return name == OBJECT.name or name.startswith(f"{OBJECT.name}.")


@record(frozen=False)
class Compilation:
    """Compiles the expressions of one object. Those among ``known`` were there before, and may use all that is served."""

    kube: KubeVersion
    known: frozenset[str] = frozenset()
    variables: dict[str, Type] | None = field(default_factory=dict)
    """None where expressions cannot speak of variables."""

    def check_condition(self, text: str, *, params: bool) -> str:
        """What is wrong with a condition for a webhook or policy to be asked, which cannot refer to variables; empty if nothing is."""
        return self._fault(text, BOOLEAN, Scope(params))

    def check_condition_of_policy(self, text: str, *, params: bool) -> str:
        """The same of a validation."""
        return self._fault(text, BOOLEAN, Scope(params, variables=self.variables))

    def check_message(self, text: str, *, params: bool) -> str:
        """The same of a message, which cannot ask for rights."""
        return self._fault(text, TEXT, Scope(params, authorizer=False, variables=self.variables))

    def check_annotation(self, text: str, *, params: bool) -> str:
        return self._fault(text, ANNOTATION, Scope(params, variables=self.variables))

    def check_mutation(self, text: str, kind: str, *, params: bool) -> str:
        return self._fault(text, MUTATIONS[kind], Scope(params, mutates=True, variables=self.variables))

    def check_variable(self, name: str, text: str, *, params: bool) -> str:
        """What is wrong with a variable. What comes after it may refer to it, whether it compiles or not."""
        assert self.variables is not None
        scope = Scope(params, variables=self.variables)
        try:
            _, found = compile_typed(text, scope, ANY, self.kube, stored=text in self.known)
        except ExpressionError as error:
            self.variables[name] = DYN
            return str(error)
        self.variables[name] = variable_type(found)
        return ""

    def _fault(self, text: str, returns: Sequence[Type], scope: Scope) -> str:
        try:
            compile_expression(text, scope, returns, self.kube, stored=text in self.known)
        except ExpressionError as error:
            return str(error)
        return ""


def expressions_of(spec: JsonObject) -> frozenset[str]:
    """All expressions of a policy."""
    return frozenset(_expressions(spec))


def _expressions(spec: JsonObject) -> Iterable[str]:
    for part in ("matchConditions", "variables", "validations"):
        yield from (item["expression"] for item in spec.get(part) or ())
    yield from (item.get("messageExpression", "") for item in spec.get("validations") or ())
    yield from (item["valueExpression"] for item in spec.get("auditAnnotations") or ())
    for mutation in spec.get("mutations") or ():
        yield from (part.get("expression", "") for part in (mutation.get("applyConfiguration"), mutation.get("jsonPatch")) if part)
