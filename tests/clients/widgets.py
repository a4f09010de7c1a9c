"""The resource that the clients work with."""

from __future__ import annotations

from typing import Any, Final

GROUP: Final = "example.com"
VERSION: Final = "v1"
PLURAL: Final = "widgets"
OF_WIDGETS: Final = {"group": GROUP, "version": VERSION, "plural": PLURAL}
WIDGETS: Final = {**OF_WIDGETS, "namespace": "default"}

PART: Final = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "count": {"type": "integer"}}}
SPEC: Final = {
    "size": {"type": "integer", "minimum": 0},
    "color": {"type": "string", "default": "grey"},
    "parts": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": PART},
}
STATUS: Final = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"size": {"type": "integer"}}}
SCHEMA: Final = {"type": "object", "properties": {"spec": {"type": "object", "properties": SPEC}, "status": STATUS}}
SUBRESOURCES: Final = {"status": {}, "scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}}
DEFINITION: Final[dict[str, Any]] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"{PLURAL}.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {"plural": PLURAL, "singular": "widget", "kind": "Widget", "listKind": "WidgetList", "shortNames": ["wd"]},
        "versions": [
            {"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA}, "subresources": SUBRESOURCES}
        ],
    },
}


def widget(name: str, labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "labels": labels} if labels else {"name": name}
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": "Widget", "metadata": metadata, "spec": spec}
