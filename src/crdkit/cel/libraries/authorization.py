"""What expressions of admission may ask an authorizer: ``authorizer.group('').resource('pods').check('get').allowed()``.

No variable of a definition's rules is an authorizer, but the names are taken there too. Who decides is told by whoever binds the variable.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final, NamedTuple, Protocol

from crdkit.cel.costs import CONSTANT, Cost, fixed
from crdkit.cel.declarations import Code, Library, Overload
from crdkit.cel.errors import EvaluationError
from crdkit.cel.types import BOOL, STRING, Type, object_type
from crdkit.cel.values import Opaque, Value
from crdkit.meta import names
from crdkit.meta.records import record

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


@record
class Authorizer(_Known):
    """Where questions begin."""

    cel_type: ClassVar[Type] = AUTHORIZER
    decider: Decider


@record
class PathCheck(_Known):
    """A question about a path that is no resource."""

    cel_type: ClassVar[Type] = PATH_CHECK
    decider: Decider
    path: str


@record
class GroupCheck(_Known):
    """A group, whose resource is still to be named."""

    cel_type: ClassVar[Type] = GROUP_CHECK
    decider: Decider
    group: str


@record
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


@record
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


def _member(library: Library, name: str, id: str, code: Code, *types: Type, cost: Cost = CONSTANT) -> None:
    """Declare a member; its result's type comes last."""
    library.named(name).overloads.append(Overload(id, types[:-1], types[-1], member=True, cost=cost, code=code))


_member(LIBRARY, "path", "authorizer_path", _path, AUTHORIZER, STRING, PATH_CHECK)
_member(LIBRARY, "group", "authorizer_group", lambda asked, group: GroupCheck(asked.decider, group), AUTHORIZER, STRING, GROUP_CHECK)
_member(LIBRARY, "serviceAccount", "authorizer_serviceaccount", _service_account, AUTHORIZER, STRING, STRING, AUTHORIZER)
_member(LIBRARY, "resource", "groupcheck_resource", _resource, GROUP_CHECK, STRING, RESOURCE_CHECK)
_PART: Final = (RESOURCE_CHECK, STRING, RESOURCE_CHECK)
_member(LIBRARY, "subresource", "resourcecheck_subresource", lambda check, value: replace(check, subresource=value), *_PART)
_member(LIBRARY, "namespace", "resourcecheck_namespace", lambda check, value: replace(check, namespace=value), *_PART)
_member(LIBRARY, "name", "resourcecheck_name", lambda check, value: replace(check, name=value), *_PART)
_member(SELECTORS, "fieldSelector", "authorizer_fieldselector", lambda check, value: replace(check, field_selector=value), *_PART)
_member(SELECTORS, "labelSelector", "authorizer_labelselector", lambda check, value: replace(check, label_selector=value), *_PART)


def _check_path(check: PathCheck, verb: str) -> Value:
    return Decision(check.decider.on_path(verb, check.path))


def _check_resource(check: ResourceCheck, verb: str) -> Value:
    return Decision(check.decider.on_resource(verb, check))


_member(LIBRARY, "check", "pathcheck_check", _check_path, PATH_CHECK, STRING, DECISION, cost=_CHECK)
_member(LIBRARY, "check", "resourcecheck_check", _check_resource, RESOURCE_CHECK, STRING, DECISION, cost=_CHECK)
_member(LIBRARY, "errored", "decision_errored", lambda decision: bool(decision.answer.error), DECISION, BOOL)
_member(LIBRARY, "error", "decision_error", lambda decision: decision.answer.error, DECISION, STRING)
_member(LIBRARY, "allowed", "decision_allowed", lambda decision: decision.answer.allowed, DECISION, BOOL)
_member(LIBRARY, "reason", "decision_reason", lambda decision: decision.answer.reason, DECISION, STRING)
