"""The annotation in which a client-side ``kubectl apply`` kept what it last applied: what it set, a server-side apply may change."""

from __future__ import annotations

from typing import Final

from crdkit.meta import golang, json
from crdkit.meta.json import JsonError
from crdkit.meta.types import Json, JsonObject
from crdkit.ownership import fieldsets
from crdkit.ownership.comparison import compare
from crdkit.ownership.conflicts import Conflict
from crdkit.ownership.conformity import NotOfType, require
from crdkit.ownership.extraction import fields_of
from crdkit.ownership.fieldsets import EMPTY, FieldSet
from crdkit.ownership.typed import Typed

KUBECTL: Final = "kubectl"
"""The only manager for whom any of this is done."""
ANNOTATION: Final = "kubectl.kubernetes.io/last-applied-configuration"
_ANNOTATIONS_LIMIT: Final = 256 << 10


def left_over(conflicts: list[Conflict], live: Typed) -> list[Conflict]:
    """The conflicts that are not about fields which still are as they were last applied on the client's side."""
    allowed = _still_as_applied(live)
    return [conflict for conflict in conflicts if not fieldsets.has(allowed, conflict.path)]


def _still_as_applied(live: Typed) -> FieldSet:
    text = _annotation(live.value)
    if not text:
        return EMPTY
    try:
        last = json.decode(text.encode())
        require(live.type, live.value, duplicates=False)
        if not isinstance(last, dict) or last.get("apiVersion") != live.api_version or not last.get("kind"):
            return EMPTY
        require(live.type, last, duplicates=False)
    except (JsonError, NotOfType):
        return EMPTY
    fields = fields_of(live.type, last)
    for changed in compare(live.type, last, live.value):
        fields = fieldsets.difference(fields, changed)
    return fields


def keep_up(obj: JsonObject, config: JsonObject) -> None:
    """Write the applied configuration down, in place, in an object that has the annotation; it is dropped if there is no room."""
    annotations = _annotations(obj)
    if annotations is None or not annotations.get(ANNOTATION):
        return
    annotations[ANNOTATION] = _without_annotation(config)
    if sum(len(name.encode()) + len(text.encode()) for name, text in annotations.items()) > _ANNOTATIONS_LIMIT:
        del annotations[ANNOTATION]
    obj["metadata"]["annotations"] = annotations


def has_annotation(obj: JsonObject) -> bool:
    """Whether there is something to be kept up in an object."""
    return _annotation(obj) != ""


def _without_annotation(config: JsonObject) -> str:
    metadata = config.get("metadata")
    if isinstance(metadata, dict) and "annotations" in metadata:
        annotations = _annotations(config)
        metadata = {name: value for name, value in metadata.items() if name != "annotations"}
        if annotations is not None:
            metadata["annotations"] = {name: text for name, text in annotations.items() if name != ANNOTATION}
        config = {**config, "metadata": metadata}
    return golang.to_json(config) + "\n"


def _annotations(obj: Json) -> dict[str, str] | None:
    """The annotations, of which one that is null counts as empty."""
    annotations = (obj.get("metadata") or {}).get("annotations")
    if not isinstance(annotations, dict):
        return None
    return {name: text or "" for name, text in annotations.items()}


def _annotation(obj: Json) -> str:
    return (_annotations(obj) or {}).get(ANNOTATION, "")
