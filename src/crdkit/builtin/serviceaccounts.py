"""ServiceAccounts (core/v1): names that programs in the cluster go by."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.behaviour import CORE_RULES, Behaviour
from crdkit.builtin.common_fields import CORE, HEAD
from crdkit.meta.gostruct import StructTable
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

_MOUNTABLE: Final = "kubernetes.io/enforce-mountable-secrets"

FIELDS: Final = StructTable(
    package="v1",
    structs={
        "ServiceAccount": {
            **HEAD,
            "secrets": "[]ObjectReference?",
            "imagePullSecrets": "[]LocalObjectReference?",
            "automountServiceAccountToken": "*bool?",
        }
    },
    includes=(CORE,),
)


def keep_names_of_secrets(obj: JsonObject) -> None:
    """Of a reference to a secret nothing but the name counts."""
    if secrets := obj.get("secrets"):
        obj["secrets"] = [{"name": secret["name"]} if secret.get("name") else {} for secret in secrets]


def _is_limited(account: JsonObject) -> bool:
    return _MOUNTABLE in (account["metadata"].get("annotations") or {})


def warnings(new: JsonObject, old: JsonObject | None, kube: KubeVersion) -> list[str]:
    """The annotation that limits what may be mounted is told of when it is new."""
    del kube
    if not _is_limited(new) or (old is not None and _is_limited(old)):
        return []
    return [f"metadata.annotations[{_MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"]


SERVICE_ACCOUNT: Final = Behaviour(
    fields=FIELDS,
    metadata=CORE_RULES,
    prepare_create=keep_names_of_secrets,
    prepare_update=lambda new, _: keep_names_of_secrets(new),
    warnings=warnings,
    answers_deleted=True,
)
