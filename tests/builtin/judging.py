"""Judging objects of built-in kinds as the registry does: decoded, defaulted, checked."""

from __future__ import annotations

from typing import Any

from crdkit.builtin.behaviour import Behaviour
from crdkit.meta.version import V1_36, KubeVersion


def read(behaviour: Behaviour, kind: str, obj: dict[str, Any], kube: KubeVersion = V1_36) -> dict[str, Any]:
    """The object as it stands after decoding and defaulting."""
    value: dict[str, Any] = behaviour.fields.decode(kind, {"kind": kind, "metadata": {"name": "a"}, **obj}, kube=kube).value
    behaviour.default(value)
    return value


def faults(behaviour: Behaviour, kind: str, obj: dict[str, Any], kube: KubeVersion = V1_36) -> list[str]:
    """What is wrong with a new object."""
    return [error.text(kube) for error in behaviour.check(read(behaviour, kind, obj, kube), kube)]


def change_faults(behaviour: Behaviour, kind: str, old: dict[str, Any], new: dict[str, Any], kube: KubeVersion = V1_36) -> list[str]:
    """What is wrong with a change."""
    before, after = read(behaviour, kind, old, kube), read(behaviour, kind, new, kube)
    return [error.text(kube) for error in behaviour.check_change(after, before, kube)]
