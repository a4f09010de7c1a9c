"""What a converter may do to metadata: labels and annotations are its own, all else is as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from crdkit.meta import objectmeta
from crdkit.meta.errors import FieldError, aggregate
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

Check = Callable[[dict[str, str], FieldPath, KubeVersion], Iterator[FieldError]]

CHANGEABLE: Final[Mapping[str, tuple[Check, FieldPath]]] = {
    "labels": (objectmeta.check_labels, ROOT / "metadata" / "labels"),
    "annotations": (objectmeta.check_annotations, ROOT / "metadata" / "annotation"),
}
"""The fields that a converter may change, with the path that a real server gives for them."""
_IDENTITY: Final = (("name", "name"), ("namespace", "namespace"), ("uid", "UID"))
_COMPARED: Final = (*(field for field, _ in _IDENTITY), *CHANGEABLE)


def is_unchanged(before: JsonObject, after: JsonObject) -> bool:
    """Whether a converted object surely has the metadata that it had, which was in order, so far as that counts."""
    old, new = before.get("metadata"), after.get("metadata")
    if type(old) is not dict or type(new) is not dict:
        return False
    for field in _COMPARED:
        was = old.get(field)
        if was != new.get(field) or (was is None and field in old):
            return False
    return True


def changed_identity(before: JsonObject, after: JsonObject) -> str:
    """In what a converted object is another than the one before; an empty text if it is the same."""
    old, new = _metadata(before), _metadata(after)
    for field, shown in _IDENTITY:
        was, now = old.get(field), new.get(field)
        if was != now and (was := _text(was)) != (now := _text(now)):
            return f"must have the same {shown}: {was} != {now}"
    return ""


def _metadata(obj: JsonObject) -> JsonObject:
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


class BadMetadata(ValueError):
    """The converted metadata cannot be taken over; ``str()`` is the real server's text."""


def restore(before: JsonObject, after: JsonObject, kube: KubeVersion) -> None:
    """Give a converted object, in place, its metadata back, but for labels and annotations. Raises `BadMetadata`."""
    if "metadata" not in after:
        raise BadMetadata("missing metadata in converted object")
    given = after["metadata"]
    if not isinstance(given, dict):
        raise BadMetadata(f"invalid metadata of type {type_of(given)} in converted object")
    metadata = dict(before.get("metadata") or {})
    for field in CHANGEABLE:
        if (value := given.get(field)) is None:
            metadata.pop(field, None)
        else:
            metadata[field] = _checked(field, value, metadata.get(field) or {}, kube)
    after["metadata"] = metadata


def _checked(field: str, value: Json, before: JsonObject, kube: KubeVersion) -> JsonObject:
    if not isinstance(value, dict):
        raise BadMetadata(f"invalid metadata.{field} of type {type_of(value)} in converted object")
    for key in sorted(value):
        if not isinstance(value[key], str):
            raise BadMetadata(f"metadata.{field}[{key}] must be a string, but is {type_of(value[key])} in converted object")
    check, at = CHANGEABLE[field]
    if value != before and (found := list(check(value, at, kube))):
        raise BadMetadata(aggregate(found, kube))
    return value


def type_of(value: Json) -> str:
    """The Go type of a decoded JSON value."""
    match value:
        case None:
            return "<nil>"
        case bool():
            return "bool"
        case str():
            return "string"
        case int():
            return "int64"
        case float():
            return "float64"
        case list():
            return "[]interface {}"
    return "map[string]interface {}"
