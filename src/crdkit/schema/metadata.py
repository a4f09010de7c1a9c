"""An object's metadata as a real server keeps it: decoded into Go's ObjectMeta and written back."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

from crdkit.meta import golang, gotime
from crdkit.meta.changes import REMOVED, Changes
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.objectmeta_fields import OBJECT_META
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

_OBJECT_META: Final = "ObjectMeta"
_CACHED_TIMES: Final = 4096
_TEXT: Final = frozenset((str,))
_ABSENT: Final = object()
"""Is no value: a null differs from a field that is not there."""


class Metadata(NamedTuple):
    """Metadata without what a real server does not know or would not write, and the paths of the fields it does not know."""

    value: JsonObject
    unknown: list[str]


def read_metadata(metadata: Json, kube: KubeVersion, *, drop_invalid: bool = False) -> Metadata:
    """Read what an object has as its metadata; what is already as it would be written is returned as it is.

    Raises `DecodeError` with Go's text where a field is of a wrong type; with ``drop_invalid`` such a field is dropped,
    unless the whole is no object.
    """
    if metadata.__class__ is dict and is_plain(metadata):
        return Metadata(metadata, [])
    try:
        return _decode(metadata, kube)
    except DecodeError:
        if not drop_invalid or not isinstance(metadata, dict):
            raise
    return _decode({name: value for name, value in metadata.items() if _is_readable(name, value, kube)}, kube)


def _decode(metadata: Json, kube: KubeVersion) -> Metadata:
    """A real server decodes what it wrote of a map, so it meets the fields in the order of their names, and whole numbers without a point."""
    metadata = _rewritten(metadata)
    try:
        decoded = OBJECT_META.decode(_OBJECT_META, metadata, kube=kube)
    except DecodeError:
        decoded = OBJECT_META.decode(_OBJECT_META, _sorted(metadata), kube=kube)
    unknown = decoded.paths
    if len(unknown) > 1:
        unknown = OBJECT_META.decode(_OBJECT_META, _sorted(metadata), kube=kube).paths
    return Metadata(decoded.value, unknown)


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _rewritten(value: Json) -> Json:
    """A value with its numbers as encoding/json writes them: ``1.0`` as ``1``."""
    if isinstance(value, dict):
        return {name: _rewritten(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_rewritten(item) for item in value]
    if isinstance(value, float):
        text = golang.json_float(value)
        return int(text) if text.lstrip("-").isdigit() else value
    return value


def _is_readable(name: str, value: Json, kube: KubeVersion) -> bool:
    try:
        OBJECT_META.decode(_OBJECT_META, {name: value}, kube=kube)
    except DecodeError:
        return False
    return True


def is_plain(metadata: JsonObject) -> bool:
    """Whether decoding and writing would change nothing. Only sure of what is common; False costs no more than a decoding."""
    for name, value in metadata.items():
        kind = value.__class__
        if kind is str and value and name in _TEXTS:
            continue
        if kind is dict and value and name in _TEXT_MAPS and _TEXT.issuperset(map(type, value.values())):
            continue
        check = _PLAIN.get(name)
        if check is None or not check(value):
            return False
    return True


def is_plain_beside(metadata: Json, known: JsonObject) -> bool:
    """The same for what stands in the place of metadata and shares much with some that was read or is plain itself."""
    if metadata.__class__ is not dict:
        return False
    for name, value in metadata.items():
        if value is known.get(name, _ABSENT):
            continue
        check = _PLAIN.get(name)
        if check is None or not check(value):
            return False
    return True


def is_plain_changed(metadata: JsonObject, changes: Changes) -> bool:
    """The same for metadata that was made of some that is plain, where it differs."""
    for name, below in changes.items():
        if below is REMOVED:
            continue
        check = _PLAIN.get(name)
        if check is None or not check(metadata[name]):
            return False
    return True


def _is_text(value: Json) -> bool:
    return value.__class__ is str and value != ""


def _is_text_map(value: Json) -> bool:
    return value.__class__ is dict and bool(value) and _TEXT.issuperset(map(type, value.values()))


def _is_text_list(value: Json) -> bool:
    return value.__class__ is list and bool(value) and _TEXT.issuperset(map(type, value))


def _is_count(value: Json) -> bool:
    return value.__class__ is int and 0 < value < 1 << 63


def _is_time(value: Json) -> bool:
    return value.__class__ is str and _is_canonical(value)


@functools.lru_cache(maxsize=_CACHED_TIMES)
def _is_canonical(text: str) -> bool:
    try:
        return gotime.canonical(text) == text
    except gotime.TimeError:
        return False


def _is_manager_list(value: Json) -> bool:
    return value.__class__ is list and bool(value) and all(entry.__class__ is dict and _is_manager(entry) for entry in value)


def _is_manager(entry: JsonObject) -> bool:
    for name, value in entry.items():
        check = _PLAIN_MANAGER.get(name)
        if check is None or not check(value):
            return False
    return True


_TEXTS: Final = frozenset(("name", "namespace", "generateName", "uid", "resourceVersion"))
_TEXT_MAPS: Final = frozenset(("labels", "annotations"))
_PLAIN: Final[dict[str, Callable[[Json], bool]]] = {
    "name": _is_text,
    "namespace": _is_text,
    "generateName": _is_text,
    "labels": _is_text_map,
    "annotations": _is_text_map,
    "finalizers": _is_text_list,
    "uid": _is_text,
    "resourceVersion": _is_text,
    "generation": _is_count,
    "creationTimestamp": _is_time,
    "managedFields": _is_manager_list,
}
_PLAIN_MANAGER: Final[dict[str, Callable[[Json], bool]]] = {
    "manager": _is_text,
    "operation": _is_text,
    "apiVersion": _is_text,
    "time": _is_time,
    "fieldsType": _is_text,
    "fieldsV1": lambda value: value is not None,
    "subresource": _is_text,
}
