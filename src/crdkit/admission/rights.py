"""The authorizer as expressions ask it, on behalf of a request's user."""

from __future__ import annotations

from typing import Final

from crdkit.access.actions import Action, PathAction, ResourceAction
from crdkit.access.authorization import Authorizer
from crdkit.access.user import AUTHENTICATED, User
from crdkit.cel.libraries.authorization import Answer, Decider, ResourceCheck
from crdkit.meta.records import record

_SERVICE_ACCOUNT: Final = "system:serviceaccount"


@record
class Rights:
    """What one user may do."""

    authorizer: Authorizer
    user: User

    def on_path(self, verb: str, path: str) -> Answer:
        return self._answer(PathAction(verb, path))

    def on_resource(self, verb: str, check: ResourceCheck) -> Answer:
        action = ResourceAction(verb, check.group, check.resource, check.namespace, check.name, check.subresource)
        return self._answer(action)

    def as_service_account(self, namespace: str, name: str) -> Decider:
        groups = (f"{_SERVICE_ACCOUNT}s", f"{_SERVICE_ACCOUNT}s:{namespace}", AUTHENTICATED)
        return Rights(self.authorizer, User(f"{_SERVICE_ACCOUNT}:{namespace}:{name}", groups))

    def _answer(self, action: Action) -> Answer:
        decision = self.authorizer.decide(self.user, action)
        return Answer(decision.allowed, decision.reason)
