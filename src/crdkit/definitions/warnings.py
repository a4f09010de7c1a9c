"""What a client is warned of when a definition is written."""

from __future__ import annotations

from crdkit.definitions.schemas import schemas_of
from crdkit.meta import golang
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion


def create_warnings(definition: JsonObject, *, kube: KubeVersion) -> list[str]:
    """Warnings about a new definition."""
    return [_warning(name) for name in _formats(definition, kube)]


def update_warnings(new: JsonObject, old: JsonObject, *, kube: KubeVersion) -> list[str]:
    """Warnings about a changed definition: only of what it did not have before."""
    known = set(_formats(old, kube))
    return [_warning(name) for name in _formats(new, kube) if name not in known]


def _formats(definition: JsonObject, kube: KubeVersion) -> list[str]:
    from crdkit.schema.formats_known import unrecognized_formats  # noqa: PLC0415 (not needed before a definition is written)

    names = (name for schema in schemas_of(definition) for name in unrecognized_formats(schema, kube=kube))
    return list(dict.fromkeys(names))


def _warning(name: str) -> str:
    return f"unrecognized format {golang.quote(name)}"
