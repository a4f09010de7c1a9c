"""ValidatingAdmissionPolicies: the one kind of admission that has a status, in which the server tells what its type checker found."""

from __future__ import annotations

from crdkit.builtin.admission.policies import VALIDATING_POLICY
from crdkit.builtin.kinds import VALIDATING_POLICY as KIND
from crdkit.meta.errors import FieldError
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import metadata
from crdkit.registry.plainresource import PlainEndpoint, PlainResource
from crdkit.registry.resource import Endpoint


class PolicyResource(PlainResource):
    """ValidatingAdmissionPolicies."""

    has_status = True

    def __init__(self, kube: KubeVersion) -> None:
        super().__init__(KIND, VALIDATING_POLICY, kube)
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
        return self.resource.check_metadata_update(new, old)
