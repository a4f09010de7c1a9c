"""Policies of admission and their bindings, which refer to parameters. ValidatingAdmissionPolicies are the one kind of admission
that has a status, in which the server tells what its type checker found.
"""

from __future__ import annotations

from crdkit.builtin.admission import policies
from crdkit.builtin.behaviour import Behaviour
from crdkit.builtin.kinds import VALIDATING_POLICY, BuiltinKind
from crdkit.meta.errors import FieldError
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import metadata
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.paramrights import Judge
from crdkit.registry.plainresource import PlainEndpoint, PlainResource
from crdkit.registry.request import Request


class PolicyResource(PlainResource):
    """Policies and bindings; ``judge`` tells what of their parameters may not be read."""

    def __init__(self, kind: BuiltinKind, behaviour: Behaviour, kube: KubeVersion, judge: Judge) -> None:
        super().__init__(kind, behaviour, kube)
        self.main = PolicyEndpoint(self, judge)


class PolicyEndpoint(PlainEndpoint):
    """They as a whole."""

    def __init__(self, resource: PolicyResource, judge: Judge) -> None:
        super().__init__(resource)
        self._judge = judge

    def check_references(self, request: Request, new: JsonObject, old: JsonObject | None) -> list[FieldError]:
        return self._judge(request.user, new["spec"], None if old is None else old["spec"])


class ValidatingPolicyResource(PolicyResource):
    """ValidatingAdmissionPolicies."""

    has_status = True

    def __init__(self, kube: KubeVersion, judge: Judge) -> None:
        super().__init__(VALIDATING_POLICY, policies.VALIDATING_POLICY, kube, judge)
        self._status = PolicyStatusEndpoint(self)

    def endpoint(self, subresource: str) -> Endpoint | None:
        return {"": self.main, "status": self._status}.get(subresource)


class PolicyStatusEndpoint(PlainEndpoint):
    """Their status; metadata stays as it is."""

    subresource = "status"

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        new["spec"] = old["spec"]
        metadata.keep_but_owners(new, old)

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        found = self.resource.check_common_metadata(new, old)
        return [*found, *policies.check_status(new["status"], self.resource.kube)]
