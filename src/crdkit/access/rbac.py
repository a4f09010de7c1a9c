"""Role-based access control: what roles and their bindings allow (kube-apiserver's ``--authorization-mode RBAC``)."""

from __future__ import annotations

from crdkit.access.actions import Action
from crdkit.access.authorization import ALLOWED, NO_OPINION, Decision, Permissions
from crdkit.access.roles import Roles
from crdkit.access.user import MASTERS, User


class RbacAuthorizer:
    """Asks the roles that are bound to a user. Members of ``system:masters`` are not asked for any."""

    def __init__(self, roles: Roles) -> None:
        self._roles = roles

    def decide(self, user: User, action: Action) -> Decision:
        if MASTERS in user.groups:
            return ALLOWED
        grants = self._roles.grants(user, action.namespace)
        grant = grants.allowing(action)
        if grant is not None:
            return Decision(allowed=True, reason=f"RBAC: allowed by {grant.source}")
        return Decision(allowed=False, reason=f"RBAC: {grants.problem}") if grants.problems else NO_OPINION

    def permissions(self, user: User, namespace: str) -> Permissions:
        """What roles give: membership in ``system:masters`` is none."""
        grants = self._roles.grants(user, namespace)
        return Permissions([grant.rule for grant in grants.rules], grants.problem)
