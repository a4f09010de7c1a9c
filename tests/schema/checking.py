"""Whole errors as texts, the way a client reads them."""

from __future__ import annotations

from typing import Any

from crdkit.meta.version import V1_36, KubeVersion
from crdkit.schema.compiled import CompiledSchema


def schema_of(field: dict[str, Any], **root: Any) -> dict[str, Any]:
    """The smallest schema with a field ``v`` in ``spec``."""
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": {"v": field}}}, **root}


def errors_of(field: dict[str, Any], value: Any, *, kube: KubeVersion = V1_36) -> list[str]:
    """What is wrong with a value of ``spec.v``."""
    found = CompiledSchema(schema_of(field), kube=kube).validate({"spec": {"v": value}})
    return [error.text(kube) for error in found]


def update_errors(field: dict[str, Any], old: Any, new: Any, *, kube: KubeVersion = V1_36) -> list[str]:
    """What is wrong with ``spec.v`` when it changes."""
    found = CompiledSchema(schema_of(field), kube=kube).validate({"spec": {"v": new}}, {"spec": {"v": old}})
    return [error.text(kube) for error in found]
