"""A converted object must be one, of the version wanted, and the same as before: the checks that every converter's result passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crdkit.conversion.converter import ConversionFailed, failed
from crdkit.conversion.metadata import BadMetadata, changed_identity, restore
from crdkit.meta.gostruct import sort_of
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

_ALONE: Final = ("object at index 0", "object", "metadata")
_ONE_OF_MANY: Final = ("converted object at index {index}", "converted object at index {index}", "metadata in object at index {index}")
"""What is said to be invalid: the object's type, its identity, its metadata."""


def accepted(
    before: JsonObject, after: Json, wanted: str, *, text: Callable[[], str], kube: KubeVersion, index: int | None = None
) -> JsonObject:
    """The converted object with its metadata restored; it is changed in place. Raises `ConversionFailed`.

    ``text`` gives what was answered, for errors; ``index`` is the object's place where several were converted in one go.
    """
    kind = before["kind"]
    as_type, as_whole, as_metadata = (words.format(index=index) for words in (_ALONE if index is None else _ONE_OF_MANY))
    try:
        obj = _object(after, text)
    except _NoObject as error:
        raise ConversionFailed(str(error)) if index is None else failed(before, kind, f"returned invalid {as_type}: {error}") from error
    if (version := obj.get("apiVersion") or "") != wanted:
        raise failed(before, kind, f"returned invalid {as_type}: invalid groupVersion (expected {wanted}, received {version})")
    if obj["kind"] != kind:
        raise failed(before, kind, f"returned invalid {as_type}: invalid kind (expected {kind}, received {obj['kind']})")
    if fault := changed_identity(before, obj):
        raise failed(before, kind, f"returned invalid {as_whole}: {fault}")
    try:
        restore(before, obj, kube)
    except BadMetadata as error:
        raise failed(before, kind, f"returned invalid {as_metadata}: {error}") from error
    return obj


class _NoObject(ValueError):
    """What was answered is no object at all."""


def _object(value: Json, text: Callable[[], str]) -> JsonObject:
    """The value as an object that has a kind."""
    if value is None:
        raise _NoObject("unexpected end of JSON input")
    if type(value) is not dict:
        raise _NoObject(f"json: cannot unmarshal {sort_of(value)} into Go value of type map[string]interface {{}}")
    version, kind = value.get("apiVersion"), value.get("kind")
    well_formed = version is None or (isinstance(version, str) and version.count("/") <= 1)
    if not isinstance(kind, str) or not kind or not well_formed:
        raise _NoObject(f"Object 'Kind' is missing in '{text()}'")
    return value
