"""What expressions of admission may ask an authorizer: ``authorizer.group('').resource('pods').check('get').allowed()``.

No variable of a definition's rules is an authorizer, but the names are taken there too. Who decides is told by whoever binds the variable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple, Protocol

from crdkit.cel.costs import CONSTANT, Cost, fixed
from crdkit.cel.declarations import Code, Library, Overload
from crdkit.cel.errors import EvaluationError
from crdkit.cel.types import BOOL, STRING, Type, object_type
from crdkit.cel.values import Opaque, Value
from crdkit.meta import names

LIBRARY: Final = Library("kubernetes.authorization")
SELECTORS: Final = Library("kubernetes.authorization.selectors")

AUTHORIZER: Final = object_type("kubernetes.authorization.Authorizer")
PATH_CHECK: Final = object_type("kubernetes.authorization.PathCheck")
GROUP_CHECK: Final = object_type("kubernetes.authorization.GroupCheck")
RESOURCE_CHECK: Final = object_type("kubernetes.authorization.ResourceCheck")
DECISION: Final = object_type("kubernetes.authorization.Decision")
_CHECK: Final = fixed(350_000)
"""Two checks fit into the limit of an expression."""


class Answer(NamedTuple):
    """What was decided, and why."""

    allowed: bool
    reason: str = ""
    error: str = ""


class Decider(Protocol):
    """Decides for one user."""

    def on_path(self, verb: str, path: str) -> Answer: ...

    def on_resource(self, verb: str, check: ResourceCheck) -> Answer: ...

    def as_service_account(self, namespace: str, name: str) -> Decider: ...


class _Known(Opaque):
    """Values that can only be asked; two are equal if they ask the same."""

    __slots__ = ()

    def equals(self, other: Value) -> bool:
        return bool(self == other)


@dataclass(frozen=True, slots=True)
class Authorizer(_Known):
    """Where questions begin."""

    cel_type: ClassVar[Type] = AUTHORIZER
    decider: Decider


@dataclass(frozen=True, slots=True)
class PathCheck(_Known):
    """A question about a path that is no resource."""

    cel_type: ClassVar[Type] = PATH_CHECK
    decider: Decider
    path: str


@dataclass(frozen=True, slots=True)
class GroupCheck(_Known):
    """A group, whose resource is still to be named."""

    cel_type: ClassVar[Type] = GROUP_CHECK
    decider: Decider
    group: str


@dataclass(frozen=True, slots=True)
class ResourceCheck(_Known):
    """A question about a resource."""

    cel_type: ClassVar[Type] = RESOURCE_CHECK
    decider: Decider
    group: str
    resource: str
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    field_selector: str = ""
    label_selector: str = ""


@dataclass(frozen=True, slots=True)
class Decision(_Known):
    """The answer to a question."""

    cel_type: ClassVar[Type] = DECISION
    answer: Answer


def _path(authorizer: Authorizer, path: str) -> Value:
    if not path.strip():
        msg = "path must not be empty"
        raise EvaluationError(msg)
    return PathCheck(authorizer.decider, path)


def _service_account(authorizer: Authorizer, namespace: str, name: str) -> Value:
    if names.dns1123_subdomain(name):
        msg = "Invalid service account name"
        raise EvaluationError(msg)
    if names.dns1123_label(namespace):
        msg = "Invalid service account namespace"
        raise EvaluationError(msg)
    return Authorizer(authorizer.decider.as_service_account(namespace, name))


def _resource(check: GroupCheck, resource: str) -> Value:
    if not resource.strip():
        msg = "resource must not be empty"
        raise EvaluationError(msg)
    return ResourceCheck(check.decider, check.group, resource)


def _with(field: str) -> Code:
    def code(check: ResourceCheck, value: str) -> Value:
        return replace(check, **{field: value})

    return code


def _member(
    library: Library, name: str, id: str, arguments: tuple[Type, ...], result: Type, code: Code, *, cost: Cost = CONSTANT
) -> None:
    library.named(name).overloads.append(Overload(id, arguments, result, member=True, cost=cost, code=code))


for _type in (AUTHORIZER, PATH_CHECK, GROUP_CHECK, RESOURCE_CHECK, DECISION):
    LIBRARY.types.append(_type)
_member(LIBRARY, "path", "authorizer_path", (AUTHORIZER, STRING), PATH_CHECK, _path)
_member(
    LIBRARY,
    "group",
    "authorizer_group",
    (AUTHORIZER, STRING),
    GROUP_CHECK,
    lambda authorizer, group: GroupCheck(authorizer.decider, group),
)
_member(LIBRARY, "serviceAccount", "authorizer_serviceaccount", (AUTHORIZER, STRING, STRING), AUTHORIZER, _service_account)
_member(LIBRARY, "resource", "groupcheck_resource", (GROUP_CHECK, STRING), RESOURCE_CHECK, _resource)
_member(LIBRARY, "subresource", "resourcecheck_subresource", (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _with("subresource"))
_member(LIBRARY, "namespace", "resourcecheck_namespace", (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _with("namespace"))
_member(LIBRARY, "name", "resourcecheck_name", (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _with("name"))
_member(
    LIBRARY,
    "check",
    "pathcheck_check",
    (PATH_CHECK, STRING),
    DECISION,
    lambda check, verb: Decision(check.decider.on_path(verb, check.path)),
    cost=_CHECK,
)
_member(
    LIBRARY,
    "check",
    "resourcecheck_check",
    (RESOURCE_CHECK, STRING),
    DECISION,
    lambda check, verb: Decision(check.decider.on_resource(verb, check)),
    cost=_CHECK,
)
_member(LIBRARY, "errored", "decision_errored", (DECISION,), BOOL, lambda decision: bool(decision.answer.error))
_member(LIBRARY, "error", "decision_error", (DECISION,), STRING, lambda decision: decision.answer.error)
_member(LIBRARY, "allowed", "decision_allowed", (DECISION,), BOOL, lambda decision: decision.answer.allowed)
_member(LIBRARY, "reason", "decision_reason", (DECISION,), STRING, lambda decision: decision.answer.reason)
_member(SELECTORS, "fieldSelector", "authorizer_fieldselector", (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _with("field_selector"))
_member(SELECTORS, "labelSelector", "authorizer_labelselector", (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _with("label_selector"))
