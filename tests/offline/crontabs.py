"""A small definition, of which a test says what differs."""

from __future__ import annotations

from typing import Any

SPEC = {
    "type": "object",
    "required": ["schedule"],
    "properties": {
        "schedule": {"type": "string", "maxLength": 20},
        "replicas": {"type": "integer", "minimum": 1, "default": 1},
        "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    },
}


def schema(spec: dict[str, Any] = SPEC, **more: Any) -> dict[str, Any]:
    status = {"type": "object", "properties": {"ready": {"type": "integer"}}}
    return {"type": "object", "properties": {"spec": spec, "status": status}, **more}


def version(name: str = "v1", openapi: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    made = {"name": name, "served": True, "storage": True, "schema": {"openAPIV3Schema": openapi or schema()}}
    return {**made, "subresources": {"status": {}}, **more}


def definition(*versions: dict[str, Any], names: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "crontabs.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "crontabs", "kind": "CronTab", **(names or {})},
            "versions": list(versions) or [version()],
            **spec,
        },
    }


def crontab(name: str = "a", *, api: str = "example.com/v1", status: Any = None, **spec: Any) -> dict[str, Any]:
    made = {"apiVersion": api, "kind": "CronTab", "metadata": {"name": name}, "spec": {"schedule": "* *", **spec}}
    return made if status is None else {**made, "status": status}
