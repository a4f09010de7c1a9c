"""What rules could ask an authorizer. No variable of a definition's rules is one, but the names are taken."""

from __future__ import annotations

from typing import Final

from crdkit.cel.costs import CONSTANT, Cost, fixed
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.types import BOOL, STRING, Type, object_type

LIBRARY: Final = Library("kubernetes.authorization")
SELECTORS: Final = Library("kubernetes.authorization.selectors")

AUTHORIZER: Final = object_type("kubernetes.authorization.Authorizer")
PATH_CHECK: Final = object_type("kubernetes.authorization.PathCheck")
GROUP_CHECK: Final = object_type("kubernetes.authorization.GroupCheck")
RESOURCE_CHECK: Final = object_type("kubernetes.authorization.ResourceCheck")
DECISION: Final = object_type("kubernetes.authorization.Decision")
_CHECK: Final = fixed(350_000)
"""Two checks fit into the limit of an expression."""


def _member(library: Library, name: str, id: str, arguments: tuple[Type, ...], result: Type, *, cost: Cost = CONSTANT) -> None:
    library.named(name).overloads.append(Overload(id, arguments, result, member=True, cost=cost))


for _type in (AUTHORIZER, PATH_CHECK, GROUP_CHECK, RESOURCE_CHECK, DECISION):
    LIBRARY.types.append(_type)
_member(LIBRARY, "path", "authorizer_path", (AUTHORIZER, STRING), PATH_CHECK)
_member(LIBRARY, "group", "authorizer_group", (AUTHORIZER, STRING), GROUP_CHECK)
_member(LIBRARY, "serviceAccount", "authorizer_serviceaccount", (AUTHORIZER, STRING, STRING), AUTHORIZER)
_member(LIBRARY, "resource", "groupcheck_resource", (GROUP_CHECK, STRING), RESOURCE_CHECK)
_member(LIBRARY, "subresource", "resourcecheck_subresource", (RESOURCE_CHECK, STRING), RESOURCE_CHECK)
_member(LIBRARY, "namespace", "resourcecheck_namespace", (RESOURCE_CHECK, STRING), RESOURCE_CHECK)
_member(LIBRARY, "name", "resourcecheck_name", (RESOURCE_CHECK, STRING), RESOURCE_CHECK)
_member(LIBRARY, "check", "pathcheck_check", (PATH_CHECK, STRING), DECISION, cost=_CHECK)
_member(LIBRARY, "check", "resourcecheck_check", (RESOURCE_CHECK, STRING), DECISION, cost=_CHECK)
_member(LIBRARY, "errored", "decision_errored", (DECISION,), BOOL)
_member(LIBRARY, "error", "decision_error", (DECISION,), STRING)
_member(LIBRARY, "allowed", "decision_allowed", (DECISION,), BOOL)
_member(LIBRARY, "reason", "decision_reason", (DECISION,), STRING)
_member(SELECTORS, "fieldSelector", "authorizer_fieldselector", (RESOURCE_CHECK, STRING), RESOURCE_CHECK)
_member(SELECTORS, "labelSelector", "authorizer_labelselector", (RESOURCE_CHECK, STRING), RESOURCE_CHECK)
