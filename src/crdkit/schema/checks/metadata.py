"""What a schema may say of kind, apiVersion and metadata, which every object has anyway."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final

from crdkit.meta.errors import FieldError, forbidden, invalid
from crdkit.meta.paths import FieldPath
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.documentation import without_overlooked
from crdkit.schema.structural import ABSENT, Structural

_RESTRICTABLE: Final = frozenset(("name", "generateName"))
_NOTHING_SET: Final = Structural()


def check_metadata(node: Structural, at: FieldPath, *, is_root: bool, kube: KubeVersion) -> Iterator[FieldError]:
    """Check the three properties, where ``node`` is the root or an embedded resource."""
    if not (is_root or node.embedded_resource):
        return
    for name, expected in (("kind", "string"), ("apiVersion", "string"), ("metadata", "object")):
        child = node.properties.get(name)
        if child is not None and child.type != expected:
            yield invalid((at / "properties").key(name) / "type", child.type, f"must be {expected}")
    metadata = node.properties.get("metadata")
    if is_root and metadata is not None and not _only_restricts_names(metadata, kube):
        detail = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        yield forbidden((at / "properties").key("metadata"), detail)


def _only_restricts_names(metadata: Structural, kube: KubeVersion) -> bool:
    if not metadata.properties.keys() <= _RESTRICTABLE:
        return False
    empty = metadata.given_empty - {"properties"}
    rest = dataclasses.replace(without_overlooked(metadata, kube), properties={}, type="", default=ABSENT, given_empty=empty)
    return rest == _NOTHING_SET
