"""The smallest definition, of which each test states only what differs; and whole errors as texts, the way a client reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crdkit.definitions import decoding, defaulting, preparing, validation
from crdkit.meta.version import V1_36, KubeVersion

Change = Callable[[dict[str, Any]], object]
NOW = "2026-01-31T12:00:00Z"


def version(name: str = "v1", **fields: Any) -> dict[str, Any]:
    return {"name": name, "served": True, "storage": name == "v1", "schema": {"openAPIV3Schema": {"type": "object"}}, **fields}


def widget(*versions: dict[str, Any], names: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """A definition as a client sends it. ``names`` are added to its names, ``spec`` to its spec."""
    full = {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget", **(names or {})},
        "versions": list(versions) or [version()],
        **spec,
    }
    name = f"{full['names']['plural']}.{full['group']}"
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": name}, "spec": full}


def created(sent: dict[str, Any], *, kube: KubeVersion = V1_36) -> dict[str, Any]:
    """A definition as it is checked when it is created."""
    definition = decoding.decode(sent, kube=kube).value
    defaulting.default(definition)
    preparing.prepare_create(definition)
    return definition


def stored(sent: dict[str, Any], *, kube: KubeVersion = V1_36, established: bool = False) -> dict[str, Any]:
    """A definition as it is stored, after the controllers if ``established``."""
    definition = decoding.written(created(sent, kube=kube), kube=kube)
    definition["metadata"]["resourceVersion"] = "101"
    if established:
        status = definition["status"]
        status["acceptedNames"] = dict(definition["spec"]["names"])
        status["conditions"] = [{"type": kind, "status": "True", "lastTransitionTime": NOW} for kind in ("NamesAccepted", "Established")]
    return definition


def create_errors(sent: dict[str, Any], *, kube: KubeVersion = V1_36) -> list[str]:
    """What is wrong with a definition that is created."""
    return [error.text(kube) for error in validation.validate_create(created(sent, kube=kube), kube=kube)]


def update_errors(old: dict[str, Any], change: Change, *, kube: KubeVersion = V1_36) -> list[str]:
    """What is wrong when a stored definition is sent again, changed."""
    new = decoding.decode(old, kube=kube).value
    change(new)
    defaulting.default(new)
    preparing.prepare_update(new, old, kube=kube)
    return [error.text(kube) for error in validation.validate_update(new, old, kube=kube)]
