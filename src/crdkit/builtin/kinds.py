"""The table of built-in kinds: their names, verbs and places in storage, one row per kind and version."""

from __future__ import annotations

import base64
import hashlib
from typing import Final, NamedTuple

from crdkit.meta.records import record
from crdkit.meta.version import V1_33, V1_36, KubeVersion

READ_WRITE: Final = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")
NO_COLLECTION_DELETE: Final = ("create", "delete", "get", "list", "patch", "update", "watch")
CREATE_ONLY: Final = ("create",)
STATUS_VERBS: Final = ("get", "patch", "update")


class Subresource(NamedTuple):
    """A part of a resource under a path of its own; its kind is that of the resource."""

    name: str
    verbs: tuple[str, ...] = STATUS_VERBS


STATUS: Final = Subresource("status")


class StorageKind(NamedTuple):
    """The group and version that objects are stored in where these are not the served ones."""

    group: str
    version: str


@record(kw_only=True)
class BuiltinKind:
    """A built-in kind in one version.

    ``prefix`` is where its objects stand in storage (empty: they are answered and forgotten), ``since`` the first Kubernetes
    version that serves it without being told to.
    """

    group: str
    version: str
    kind: str
    plural: str
    prefix: str
    namespaced: bool = False
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    verbs: tuple[str, ...] = READ_WRITE
    subresources: tuple[Subresource, ...] = ()
    stored_as: StorageKind | None = None
    since: KubeVersion = V1_33

    @property
    def list_kind(self) -> str:
        return f"{self.kind}List"

    @property
    def singular(self) -> str:
        return self.kind.lower()

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def storage_version_hash(self) -> str:
        """What discovery tells of the storage version; empty for kinds that are not stored."""
        if not self.prefix:
            return ""
        group, version = self.stored_as or (self.group, self.version)
        return storage_version_hash(group, version, self.kind)


def storage_version_hash(group: str, version: str, kind: str) -> str:
    """The text that changes with the version objects are stored in."""
    digest = hashlib.sha256(f"{group}/{version}/{kind}".encode()).digest()
    return base64.b64encode(digest[:8]).decode()


def _core(kind: str, plural: str, *short_names: str, namespaced: bool = True) -> BuiltinKind:
    return BuiltinKind(
        group="", version="v1", kind=kind, plural=plural, prefix=f"/registry/{plural}/", namespaced=namespaced, short_names=short_names
    )


def _rbac(kind: str, plural: str, *, namespaced: bool) -> BuiltinKind:
    return BuiltinKind(
        group="rbac.authorization.k8s.io",
        version="v1",
        kind=kind,
        plural=plural,
        prefix=f"/registry/{plural}/",
        namespaced=namespaced,
    )


def _admission(kind: str, plural: str, *subresources: Subresource, since: KubeVersion = V1_33) -> BuiltinKind:
    return BuiltinKind(
        group="admissionregistration.k8s.io",
        version="v1",
        kind=kind,
        plural=plural,
        prefix=f"/registry/{plural}/",
        categories=("api-extensions",),
        subresources=subresources,
        since=since,
    )


def _review(group: str, kind: str, plural: str, *, namespaced: bool = False) -> BuiltinKind:
    return BuiltinKind(group=group, version="v1", kind=kind, plural=plural, prefix="", namespaced=namespaced, verbs=CREATE_ONLY)


NAMESPACE: Final = BuiltinKind(
    group="",
    version="v1",
    kind="Namespace",
    plural="namespaces",
    prefix="/registry/namespaces/",
    short_names=("ns",),
    verbs=NO_COLLECTION_DELETE,
    subresources=(Subresource("finalize", ("update",)), STATUS),
)
CONFIG_MAP: Final = _core("ConfigMap", "configmaps", "cm")
EVENT: Final = _core("Event", "events", "ev")
SECRET: Final = _core("Secret", "secrets")
SERVICE_ACCOUNT: Final = _core("ServiceAccount", "serviceaccounts", "sa")
EVENT_OF_EVENTS: Final = BuiltinKind(
    group="events.k8s.io",
    version="v1",
    kind="Event",
    plural="events",
    prefix=EVENT.prefix,
    namespaced=True,
    short_names=EVENT.short_names,
    stored_as=StorageKind("", "v1"),
)
SELF_SUBJECT_REVIEW: Final = _review("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews")
TOKEN_REVIEW: Final = _review("authentication.k8s.io", "TokenReview", "tokenreviews")
LOCAL_SUBJECT_ACCESS_REVIEW: Final = _review(
    "authorization.k8s.io", "LocalSubjectAccessReview", "localsubjectaccessreviews", namespaced=True
)
SELF_SUBJECT_ACCESS_REVIEW: Final = _review("authorization.k8s.io", "SelfSubjectAccessReview", "selfsubjectaccessreviews")
SELF_SUBJECT_RULES_REVIEW: Final = _review("authorization.k8s.io", "SelfSubjectRulesReview", "selfsubjectrulesreviews")
SUBJECT_ACCESS_REVIEW: Final = _review("authorization.k8s.io", "SubjectAccessReview", "subjectaccessreviews")
CLUSTER_ROLE_BINDING: Final = _rbac("ClusterRoleBinding", "clusterrolebindings", namespaced=False)
CLUSTER_ROLE: Final = _rbac("ClusterRole", "clusterroles", namespaced=False)
ROLE_BINDING: Final = _rbac("RoleBinding", "rolebindings", namespaced=True)
ROLE: Final = _rbac("Role", "roles", namespaced=True)
MUTATING_POLICY: Final = _admission("MutatingAdmissionPolicy", "mutatingadmissionpolicies", since=V1_36)
MUTATING_POLICY_BINDING: Final = _admission("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", since=V1_36)
MUTATING_WEBHOOKS: Final = _admission("MutatingWebhookConfiguration", "mutatingwebhookconfigurations")
VALIDATING_POLICY: Final = _admission("ValidatingAdmissionPolicy", "validatingadmissionpolicies", STATUS)
VALIDATING_POLICY_BINDING: Final = _admission("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings")
VALIDATING_WEBHOOKS: Final = _admission("ValidatingWebhookConfiguration", "validatingwebhookconfigurations")
DEFINITION: Final = BuiltinKind(
    group="apiextensions.k8s.io",
    version="v1",
    kind="CustomResourceDefinition",
    plural="customresourcedefinitions",
    prefix="/registry/apiextensions.k8s.io/customresourcedefinitions/",
    short_names=("crd", "crds"),
    categories=("api-extensions",),
    subresources=(STATUS,),
    stored_as=StorageKind("apiextensions.k8s.io", "v1beta1"),
)
LEASE: Final = BuiltinKind(
    group="coordination.k8s.io", version="v1", kind="Lease", plural="leases", prefix="/registry/leases/", namespaced=True
)
MIGRATION: Final = BuiltinKind(
    group="storagemigration.k8s.io",
    version="v1beta1",
    kind="StorageVersionMigration",
    plural="storageversionmigrations",
    prefix="/registry/storageversionmigrations/",
    subresources=(STATUS,),
    since=V1_36,
)

KINDS: Final = (
    CONFIG_MAP,
    EVENT,
    NAMESPACE,
    SECRET,
    SERVICE_ACCOUNT,
    EVENT_OF_EVENTS,
    SELF_SUBJECT_REVIEW,
    TOKEN_REVIEW,
    LOCAL_SUBJECT_ACCESS_REVIEW,
    SELF_SUBJECT_ACCESS_REVIEW,
    SELF_SUBJECT_RULES_REVIEW,
    SUBJECT_ACCESS_REVIEW,
    CLUSTER_ROLE_BINDING,
    CLUSTER_ROLE,
    ROLE_BINDING,
    ROLE,
    MUTATING_POLICY,
    MUTATING_POLICY_BINDING,
    MUTATING_WEBHOOKS,
    VALIDATING_POLICY,
    VALIDATING_POLICY_BINDING,
    VALIDATING_WEBHOOKS,
    DEFINITION,
    LEASE,
    MIGRATION,
)
"""Groups in the order in which ``/apis`` lists them, kinds by their plurals within."""


def kinds(kube: KubeVersion) -> tuple[BuiltinKind, ...]:
    """The built-in kinds that a server of that version serves."""
    return tuple(kind for kind in KINDS if kind.since <= kube)
