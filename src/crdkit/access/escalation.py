"""Nobody can give rights that he does not have: what is asked of those who write roles and bindings."""

from __future__ import annotations

from typing import Final

from crdkit.access import rules
from crdkit.access.actions import Action, ResourceAction
from crdkit.access.authorization import Authorizer
from crdkit.access.roles import RoleMissing, Roles
from crdkit.access.rules import EVERYTHING, Rule
from crdkit.access.user import MASTERS, User
from crdkit.meta.golang import quote
from crdkit.meta.status import GroupResource, Refusal, forbidden, not_found
from crdkit.meta.types import JsonObject

_ROLE_RESOURCES: Final = {"Role": "roles", "ClusterRole": "clusterroles"}


class Escalation:
    """Judges what a user wants to give by what he holds. Each check raises a `Refusal`."""

    def __init__(self, roles: Roles, authorizer: Authorizer) -> None:
        self._roles, self._authorizer = roles, authorizer

    def check_role(self, user: User, action: Action, about: GroupResource, role: JsonObject, old: JsonObject | None) -> None:
        """Only rules that the user holds may be written, unless he has the verb ``escalate``.

        Aggregation may gather anything, so it takes everything; ``action`` is what the request is.
        """
        if self._may_escalate(user, action):
            return
        name = role["metadata"].get("name") or ""
        self._check_held(user, action.namespace, about, name, tuple(Rule.of(rule) for rule in role.get("rules") or ()))
        if role.get("aggregationRule") or (old or {}).get("aggregationRule"):
            try:
                self._check_held(user, action.namespace, about, name, EVERYTHING)
            except Refusal as refusal:
                why = str(refusal).partition(" is forbidden: ")[2]
                raise forbidden(about, name, f"must have cluster-admin privileges to use the aggregationRule: {why}") from refusal

    def check_binding(self, user: User, about: GroupResource, binding: JsonObject, namespace: str) -> None:
        """Only a role whose rules the user holds may be bound, unless he has the verb ``bind`` for it."""
        role = binding.get("roleRef") or {}
        kind, name = role.get("kind") or "", role.get("name") or ""
        if MASTERS in user.groups or kind not in _ROLE_RESOURCES:  # of another kind, validation has to tell
            return
        action = ResourceAction("bind", role.get("apiGroup") or "", _ROLE_RESOURCES[kind], namespace, name)
        if self._authorizer.decide(user, action).allowed:
            return
        try:
            wanted = self._roles.rules_of(kind, name, namespace)
        except RoleMissing as error:
            raise not_found(about, name) from error
        self._check_held(user, namespace, about, binding["metadata"].get("name") or "", wanted)

    def _may_escalate(self, user: User, action: Action) -> bool:
        if MASTERS in user.groups:
            return True
        asked = ResourceAction("escalate", action.group, action.resource, action.namespace, action.name)
        return self._authorizer.decide(user, asked).allowed

    def _check_held(self, user: User, namespace: str, about: GroupResource, name: str, wanted: tuple[Rule, ...]) -> None:
        grants = self._roles.grants(user, namespace)
        lacking = rules.missing([grant.rule for grant in grants.rules], wanted)
        if not lacking:
            return
        told = "\n".join(sorted({rules.described(rule) for rule in rules.compacted(lacking)}))
        why = f"user {quote(user.name)} (groups={rules.quoted(user.groups)}) is attempting to grant RBAC permissions not currently held:\n{told}"
        if grants.problems:
            why += f"; resolution errors: [{grants.problem}]"
        raise forbidden(about, name, why)
