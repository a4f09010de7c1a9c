"""All built-in kinds that are served, as resources."""

from __future__ import annotations

from typing import Final

from crdkit.access.gate import Gate
from crdkit.builtin import configmaps, events, kinds, leases, rbac, secrets, serviceaccounts
from crdkit.builtin.admission import policies, webhooks
from crdkit.builtin.behaviour import Behaviour
from crdkit.builtin.kinds import BuiltinKind
from crdkit.builtin.runtimeconfig import RuntimeConfig
from crdkit.meta.version import KubeVersion
from crdkit.registry.definitionresource import DefinitionResource
from crdkit.registry.eventresource import EventResource
from crdkit.registry.migrationresource import MigrationResource
from crdkit.registry.namespaces import NamespaceResource
from crdkit.registry.paramrights import ParamRights, find_nothing
from crdkit.registry.plainresource import PlainResource
from crdkit.registry.policyresource import PolicyResource, ValidatingPolicyResource
from crdkit.registry.rbacresource import RbacResource
from crdkit.registry.resource import Resource
from crdkit.registry.reviewresource import review_resources

_PLAIN: Final[tuple[tuple[BuiltinKind, Behaviour], ...]] = (
    (kinds.CONFIG_MAP, configmaps.CONFIG_MAP),
    (kinds.EVENT, events.CORE_EVENT),
    (kinds.SECRET, secrets.SECRET),
    (kinds.SERVICE_ACCOUNT, serviceaccounts.SERVICE_ACCOUNT),
    (kinds.LEASE, leases.LEASE),
    (kinds.MUTATING_WEBHOOKS, webhooks.MUTATING),
    (kinds.VALIDATING_WEBHOOKS, webhooks.VALIDATING),
)
RBAC: Final[tuple[tuple[BuiltinKind, Behaviour], ...]] = (
    (kinds.CLUSTER_ROLE_BINDING, rbac.CLUSTER_ROLE_BINDING),
    (kinds.CLUSTER_ROLE, rbac.CLUSTER_ROLE),
    (kinds.ROLE_BINDING, rbac.ROLE_BINDING),
    (kinds.ROLE, rbac.ROLE),
)


def builtin_resources(
    kube: KubeVersion, gate: Gate, apis: RuntimeConfig, *, controllers: bool, rights: ParamRights | None = None
) -> list[Resource]:
    """The built-in resources of a server of that version, which asks the gate where it has to.

    Without ``controllers`` nobody migrates, so migrations are only served to whoever asks for them. ``rights`` are asked who may
    refer to what parameters; without them everybody may.
    """
    migrates = kinds.MIGRATION.since <= kube and apis.serves(kinds.MIGRATION, by_itself=controllers)
    return [
        DefinitionResource(kube),
        NamespaceResource(kube),
        EventResource(kube),
        *(PlainResource(kind, behaviour, kube) for kind, behaviour in _PLAIN if kind.since <= kube),
        *(RbacResource(kind, behaviour, kube, gate.escalation) for kind, behaviour in RBAC),
        *_policy_resources(kube, rights),
        *([MigrationResource(kube)] if migrates else []),
        *review_resources(kube, gate),
    ]


def _policy_resources(kube: KubeVersion, rights: ParamRights | None) -> list[Resource]:
    policy = rights.check_policy if rights else find_nothing
    binding = rights.check_validating_binding if rights else find_nothing
    mutating_binding = rights.check_mutating_binding if rights else find_nothing
    plain = (
        (kinds.VALIDATING_POLICY_BINDING, policies.VALIDATING_BINDING, binding),
        (kinds.MUTATING_POLICY, policies.MUTATING_POLICY, policy),
        (kinds.MUTATING_POLICY_BINDING, policies.MUTATING_BINDING, mutating_binding),
    )
    found = [PolicyResource(kind, behaviour, kube, judge) for kind, behaviour, judge in plain if kind.since <= kube]
    return [*found, ValidatingPolicyResource(kube, policy)]
