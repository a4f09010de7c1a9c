"""What makes a schema structural: each node has its type, and junctors only validate."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Final

from crdkit.meta.errors import FieldError, forbidden, invalid, required
from crdkit.meta.paths import FieldPath
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks import junctors, metadata
from crdkit.schema.checks.completeness import check_completeness
from crdkit.schema.structural import Structural


class Level(enum.Enum):
    """Where a node stands; the value is what a missing type is told with."""

    ROOT = "must not be empty at the root"
    ITEM = "must not be empty for specified array items"
    FIELD = "must not be empty for specified object fields"


_WITHOUT_INT_OR_STRING: Final = "must be false if x-kubernetes-int-or-string is true"


def check_structure(root: Structural, at: FieldPath, *, kube: KubeVersion) -> list[FieldError]:
    """All that keeps a schema from being structural, in the order of the texts."""
    errors = [*_check_node(root, Level.ROOT, at, kube), *check_completeness(root, at)]
    return sorted(errors, key=lambda error: error.text(kube))


def _check_node(node: Structural, level: Level, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    yield from _check_children(node, level, at, kube)
    yield from _check_extensions(node, at)
    yield from junctors.check_value_validation(node, at, kube=kube)
    yield from _check_type(node, level, at)
    yield from metadata.check_metadata(node, at, is_root=level is Level.ROOT, kube=kube)
    if node.embedded_resource:
        yield from _check_embedded(node, at)


def _check_children(node: Structural, level: Level, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    if node.items is not None:
        yield from _check_node(node.items, Level.ITEM, at / "items", kube)
    elif node.type == "array":
        yield required(at / "items", "must be specified")
    for name, child in node.properties.items():
        yield from _check_node(child, Level.FIELD, (at / "properties").key(name), kube)
    if node.additional_properties is not None and level is Level.ROOT:
        yield forbidden(at / "additionalProperties", "must not be used at the root")
    if node.values is not None:
        yield from _check_node(node.values, Level.FIELD, at / "additionalProperties", kube)


def _check_extensions(node: Structural, at: FieldPath) -> Iterator[FieldError]:
    if not node.int_or_string:
        return
    if node.preserve_unknown_fields:
        yield invalid(at / "x-kubernetes-preserve-unknown-fields", True, _WITHOUT_INT_OR_STRING)
    if node.embedded_resource:
        yield invalid(at / "x-kubernetes-embedded-resource", True, _WITHOUT_INT_OR_STRING)


def _check_type(node: Structural, level: Level, at: FieldPath) -> Iterator[FieldError]:
    if node.embedded_resource and node.type != "object":
        detail = "must be object if x-kubernetes-embedded-resource is true"
        yield invalid(at / "type", node.type, detail) if node.type else required(at / "type", detail)
    elif not (node.type or node.int_or_string or node.preserve_unknown_fields):
        yield required(at / "type", level.value)
    if level is Level.ROOT and node.type not in ("", "object"):
        yield invalid(at / "type", node.type, "must be object at the root")


def _check_embedded(node: Structural, at: FieldPath) -> Iterator[FieldError]:
    if node.additional_properties is not None:
        yield forbidden(at / "additionalProperties", "must not be used if x-kubernetes-embedded-resource is set")
    if not node.preserve_unknown_fields and not node.properties:
        detail = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"
        yield required(at / "properties", detail)
