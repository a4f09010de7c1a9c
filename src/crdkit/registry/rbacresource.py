"""Roles and their bindings: kinds that give rights, which only who has these rights may write."""

from __future__ import annotations

from crdkit.access.actions import ResourceAction
from crdkit.access.escalation import Escalation
from crdkit.builtin.behaviour import Behaviour
from crdkit.builtin.kinds import BuiltinKind
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.comparison import same_but_for_metadata
from crdkit.registry.plainresource import PlainResource
from crdkit.registry.request import Request


class RbacResource(PlainResource):
    """Roles, cluster roles, and their bindings."""

    def __init__(self, kind: BuiltinKind, behaviour: Behaviour, kube: KubeVersion, escalation: Escalation | None) -> None:
        super().__init__(kind, behaviour, kube)
        self._escalation = escalation

    def check_rights(self, request: Request, new: JsonObject, old: JsonObject | None) -> None:
        if self._escalation is None or (old is not None and _frees(new, old)):
            return
        if "roleRef" in new:
            self._escalation.check_binding(request.user, self.about, new, request.namespace)
        else:
            action = ResourceAction(request.verb, self.group, self.plural, request.namespace, request.name)
            self._escalation.check_role(request.user, action, self.about, new, old)


def _frees(new: JsonObject, old: JsonObject) -> bool:
    """Whether a change does nothing but take away what keeps an object from being collected."""
    kept = ("finalizers", "ownerReferences", "managedFields", "resourceVersion")
    before, after = ({name: value for name, value in obj["metadata"].items() if name not in kept} for obj in (old, new))
    return before == after and same_but_for_metadata(new, old)
