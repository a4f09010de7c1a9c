"""A converted object must be one, of the version wanted, and the same as before: the checks that every converter's result passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crdkit.conversion.converter import ConversionFailed, failed
from crdkit.conversion.metadata import BadMetadata, changed_identity, is_unchanged, restore
from crdkit.meta.godecoding import sort_of
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

_TYPE, _IDENTITY, _METADATA = "type", "identity", "metadata"
_ALONE: Final = {_TYPE: "object at index 0", _IDENTITY: "object", _METADATA: "metadata"}
_ONE_OF_MANY: Final = {
    _TYPE: "converted object at index {index}",
    _IDENTITY: "converted object at index {index}",
    _METADATA: "metadata in object at index {index}",
}
"""What is said to be invalid."""


def accepted(
    before: JsonObject, after: Json, wanted: str, *, text: Callable[[], str], kube: KubeVersion, index: int | None = None
) -> JsonObject:
    """The converted object with its metadata restored; it is changed in place. Raises `ConversionFailed`.

    ``text`` gives what was answered, for errors; ``index`` is the object's place where several were converted in one go.
    """
    if (
        type(after) is dict
        and after.get("apiVersion") == wanted
        and after.get("kind") == before["kind"] != ""
        and is_unchanged(before, after)
    ):
        after["metadata"] = dict(before["metadata"])
        return after
    return accepted_in_full(before, after, wanted, text=text, kube=kube, index=index)


def accepted_in_full(
    before: JsonObject, after: Json, wanted: str, *, text: Callable[[], str], kube: KubeVersion, index: int | None = None
) -> JsonObject:
    """The same for whatever was answered."""
    kind = before["kind"]

    def invalid(what: str, why: object) -> ConversionFailed:
        words = (_ALONE if index is None else _ONE_OF_MANY)[what]
        return failed(before, kind, f"returned invalid {words.format(index=index)}: {why}")

    try:
        obj = _object(after, text)
    except _NoObject as error:
        raise ConversionFailed(str(error)) if index is None else invalid(_TYPE, error) from error
    if obj.get("apiVersion") != wanted:
        raise invalid(_TYPE, f"invalid groupVersion (expected {wanted}, received {_group_version(obj)})")
    if obj["kind"] != kind:
        raise invalid(_TYPE, f"invalid kind (expected {kind}, received {obj['kind']})")
    if fault := changed_identity(before, obj):
        raise invalid(_IDENTITY, fault)
    try:
        restore(before, obj, kube)
    except BadMetadata as error:
        raise invalid(_METADATA, error) from error
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
    ill_formed = isinstance(version, str) and version.count("/") > 1
    if not isinstance(kind, str) or not kind or ill_formed:
        raise _NoObject(f"Object 'Kind' is missing in '{text()}'")
    return value


def _group_version(obj: JsonObject) -> str:
    """The apiVersion of an object as Go tells it: one that is no text is none, and a group without a name is left out."""
    version = obj.get("apiVersion")
    return version.removeprefix("/") if isinstance(version, str) else ""
