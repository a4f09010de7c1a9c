"""Namespaces as selectors and expressions see them."""

from __future__ import annotations

from typing import Final

from crdkit.admission.attributes import DELETE, Attributes
from crdkit.builtin.kinds import NAMESPACE
from crdkit.meta import json
from crdkit.meta.status import GroupResource, not_found
from crdkit.meta.types import JsonObject
from crdkit.storage.cache import Cache

_ABOUT: Final = GroupResource("", "namespaces")
_SHOWN: Final = (
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "finalizers",
)


class Namespaces:
    """Reads namespaces from the cache."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def labels(self, attributes: Attributes) -> dict[str, str]:
        """The labels of a request's namespace, or of the namespace that it writes. Raises a `Refusal` (404) if there is none."""
        if attributes.is_about_namespaces and not attributes.subresource and attributes.operation != DELETE:
            return _labels(attributes.obj or {})
        return _labels(self._get(attributes.namespace))

    def shown(self, attributes: Attributes) -> JsonObject | None:
        """The namespace of a request as an expression sees it; None where it is for none. Raises a `Refusal` (404)."""
        if not attributes.namespace or attributes.is_about_namespaces:
            return None
        namespace = self._get(attributes.namespace)
        metadata = namespace["metadata"]
        return {
            "metadata": {name: metadata[name] for name in _SHOWN if name in metadata},
            "spec": namespace.get("spec") or {},
            "status": namespace.get("status") or {},
        }

    def _get(self, name: str) -> JsonObject:
        entry = self._cache.get(NAMESPACE.prefix + name)
        if entry is None:
            raise not_found(_ABOUT, name)
        namespace: JsonObject = json.decode(entry.value)
        namespace["metadata"]["resourceVersion"] = str(entry.revision)
        return namespace


def _labels(obj: JsonObject) -> dict[str, str]:
    labels: dict[str, str] = (obj.get("metadata") or {}).get("labels") or {}
    return labels
