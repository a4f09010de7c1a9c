"""The Event that tells of an owner in another namespace."""

from __future__ import annotations

from typing import Final

from crdkit.meta import golang, time
from crdkit.meta.types import JsonObject

COMPONENT: Final = "garbage-collector-controller"
REASON: Final = "OwnerRefInvalidNamespace"
_DEFAULT: Final = "default"
"""Where Events about objects in no namespace go."""


def message(reference: JsonObject, namespace: str) -> str:
    """What is wrong with a reference of an object in that namespace."""
    kind = f"{reference.get('apiVersion', '')}/{reference.get('kind', '')}"
    owner = f"[{kind}, namespace: {namespace}, name: {reference.get('name', '')}, uid: {reference.get('uid', '')}]"
    return f"ownerRef {owner} does not exist in namespace {golang.quote(namespace)}"


def event(obj: JsonObject, reference: JsonObject, *, serial: int) -> JsonObject:
    """The Event about an object and one of its references; ``serial`` makes its name its own."""
    metadata, now = obj["metadata"], time.now()
    namespace = metadata.get("namespace", "")
    about = {
        "kind": obj["kind"],
        "namespace": namespace,
        "name": metadata["name"],
        "uid": metadata.get("uid", ""),
        "apiVersion": obj["apiVersion"],
    }
    return {
        "kind": "Event",
        "apiVersion": "v1",
        "metadata": {"name": f"{metadata['name']}.{serial:016x}", "namespace": namespace or _DEFAULT},
        "involvedObject": {field: value for field, value in about.items() if value},
        "reason": REASON,
        "message": message(reference, namespace),
        "source": {"component": COMPONENT},
        "firstTimestamp": now,
        "lastTimestamp": now,
        "count": 1,
        "type": "Warning",
        "reportingComponent": COMPONENT,
    }
