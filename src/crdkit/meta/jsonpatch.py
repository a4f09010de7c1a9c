"""JSON patch (RFC 6902) as evanphx/json-patch applies it: negative indexes count from the end, a missing value is null."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from crdkit.meta import gonumbers, json
from crdkit.meta.copying import copied
from crdkit.meta.godecoding import TYPE_META, sort_of
from crdkit.meta.golang import Rendered, quote, to_json
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import DEFAULT, KubeVersion

_integer: Final = re.compile(r"[+-]?[0-9]+").fullmatch

_APPENDED: Final = "-"
"""The index after the last item."""
_MISSING: Final[Any] = object()
_ABSENT: Final = "missing value"
_TELLING_OF_PATHS: Final = ("replace", "move", "test")
_BAD_INDEX: Final = "invalid index referenced"
_NO_DOCUMENT: Final = "replace operation value must be object or array: %!w(<nil>)"
_COPIES_TOO_MUCH: Final = "the accumulated size of all that is copied is beyond the limit"
COPIES_LIMIT: Final = 3 * 1024 * 1024
"""Bytes that the copies of one patch may have together: each may double a document."""
REFUSES_SCALARS: Final = KubeVersion(1, 34)
"""From here on a document cannot be replaced by what is neither object nor list; before, it stays as it is."""


class PatchFailed(ValueError):
    """The patch does not fit the document; ``str()`` is the library's text."""


class TestFailed(PatchFailed):
    """A value is not what the patch expects."""

    __test__ = False


class NoPatch(ValueError):
    """A JSON value is no patch; ``str()`` is Go's text."""


def operations_of(value: Json) -> list[JsonObject]:
    """A JSON value as a patch. Raises `NoPatch`."""
    if value is None:
        return []
    if type(value) is not list:
        msg = f"json: cannot unmarshal {sort_of(value)} into Go value of type jsonpatch.Patch"
        raise NoPatch(msg)
    for position, operation in enumerate(value):
        if operation is not None and type(operation) is not dict:
            msg = f"json: cannot unmarshal {sort_of(operation)} into Patch.{position} of type jsonpatch.Operation"
            raise NoPatch(msg)
    return [operation or {} for operation in value]


def patched(document: JsonObject, operations: list[JsonObject], kube: KubeVersion = DEFAULT) -> JsonObject:
    """The document with the operations applied in order. It may change in place: the caller gives it away.

    Raises `PatchFailed` at the first operation that does not fit.
    """
    root: Json = document
    room = COPIES_LIMIT
    for operation in operations:
        kind = operation.get("op")
        apply = _OPERATIONS.get(kind) if isinstance(kind, str) else None
        if apply is None:
            msg = f"Unexpected kind: {kind if isinstance(kind, str) else 'unknown'}"
            raise PatchFailed(msg)
        if kind == "replace" and operation.get("path") == "" and type(operation.get("value")) not in (dict, list):
            if kube >= REFUSES_SCALARS:
                raise PatchFailed(_NO_DOCUMENT)
            continue
        if kind == "copy" and (room := room - _size_of_source(root, operation)) < 0:
            raise PatchFailed(_COPIES_TOO_MUCH)
        root = apply(root, operation)
    if type(root) is not dict:
        raise PatchFailed(f"couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type {TYPE_META}")
    return root


def _size_of_source(root: Json, operation: JsonObject) -> int:
    """The bytes of what is to be copied; 0 where the copy will fail anyway."""
    source = operation.get("from")
    holder, key = _find(root, source) if isinstance(source, str) else (_MISSING, "")
    if holder is _MISSING:
        return 0
    try:
        return len(json.encode(_get(holder, key)))
    except PatchFailed:
        return 0


def _path(operation: JsonObject, field: str = "path") -> str:
    """Where an operation is to take place, or takes from."""
    pointer = operation.get(field)
    if not isinstance(pointer, str):
        msg = f"{operation['op']} operation failed to decode {field}: {_no_pointer(operation['op'], pointer, field)}"
        raise PatchFailed(msg)
    return pointer


def _no_pointer(kind: str, value: Json, field: str) -> str:
    """Why a value is no path; some operations do not say."""
    if field == "path" and kind not in _TELLING_OF_PATHS:
        return _ABSENT
    if value is not None:
        return f"json: cannot unmarshal {sort_of(value)} into Go value of type string"
    return f"operation missing path field: {_ABSENT}" if field == "path" else f"operation, missing from field: {_ABSENT}"


def _find(root: Json, path: str) -> tuple[Json, str]:
    """What holds the place that a path leads to, and the key there; `_MISSING` if nothing does.

    What stands before the first slash is overlooked.
    """
    if "/" not in path:
        return _MISSING, ""
    *parents, key = (token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:])
    for token in parents:
        try:
            root = _get(root, token)
        except PatchFailed:
            return _MISSING, ""
        if type(root) not in (dict, list):
            return _MISSING, ""
    return root, key


def _holder(root: Json, path: str, missing: str) -> tuple[Json, str]:
    """The same, where there must be something."""
    holder, key = _find(root, path)
    if holder is _MISSING:
        msg = f"{missing}: {_ABSENT}"
        raise PatchFailed(msg)
    return holder, key


def _number(token: str) -> int:
    if not _integer(token):
        msg = f"strconv.Atoi: parsing {quote(token)}: invalid syntax"
        raise PatchFailed(msg)
    number = gonumbers.of_digits(token)
    if not -(2**63) <= number < 2**63:
        msg = f"strconv.Atoi: parsing {quote(token)}: value out of range"
        raise PatchFailed(msg)
    return number


def _index(token: str, size: int) -> int:
    """An index into a list of so many items."""
    index = _number(token)
    if not -size <= index < size:
        msg = f"Unable to access invalid index: {index}: {_BAD_INDEX}"
        raise PatchFailed(msg)
    return index + size if index < 0 else index


def _get(holder: Json, key: str) -> Json:
    """What an object does not have is null."""
    return holder[_index(key, len(holder))] if type(holder) is list else holder.get(key)


def _put(holder: Json, key: str, value: Json) -> None:
    if type(holder) is dict:
        holder[key] = value
    elif key == _APPENDED:
        holder.append(value)
    else:
        try:
            _number(key)
        except PatchFailed as error:
            msg = f"value was not a proper array index: '{key}': {error}"
            raise PatchFailed(msg) from error
        holder.insert(_index(key, len(holder) + 1), value)


def _take(holder: Json, key: str) -> Json:
    if type(holder) is list:
        return holder.pop(_index(key, len(holder)))
    if key not in holder:
        msg = f"Unable to remove nonexistent key: {key}: {_ABSENT}"
        raise PatchFailed(msg)
    return holder.pop(key)


def _wrapped(error: PatchFailed, context: str) -> PatchFailed:
    return PatchFailed(f"{context}: {error}")


def _add(root: Json, operation: JsonObject) -> Json:
    path, value = _path(operation), copied(operation.get("value"))
    holder, key = _holder(root, path, f'add operation does not apply: doc is missing path: "{path}"')
    try:
        _put(holder, key, value)
    except PatchFailed as error:
        raise _wrapped(error, f"error in add for path: '{path}'") from error
    return root


def _remove(root: Json, operation: JsonObject) -> Json:
    path = _path(operation)
    holder, key = _holder(root, path, f'remove operation does not apply: doc is missing path: "{path}"')
    try:
        _take(holder, key)
    except PatchFailed as error:
        raise _wrapped(error, f"error in remove for path: '{path}'") from error
    return root


def _replace(root: Json, operation: JsonObject) -> Json:
    path, value = _path(operation), copied(operation.get("value"))
    if not path:
        return value
    holder, key = _holder(root, path, f"replace operation does not apply: doc is missing path: {path}")
    try:
        _get(holder, key)
    except PatchFailed as error:
        msg = f"replace operation does not apply: doc is missing key: {path}: {_ABSENT}"
        raise PatchFailed(msg) from error
    holder[key if type(holder) is dict else _index(key, len(holder))] = value
    return root


def _move(root: Json, operation: JsonObject) -> Json:
    source = _path(operation, "from")
    holder, key = _holder(root, source, f"move operation does not apply: doc is missing from path: {source}")
    try:
        value = _get(holder, key)
        _take(holder, key)
    except PatchFailed as error:
        raise _wrapped(error, f"error in move for path: '{key}'") from error
    return _place(root, operation, value, "move", "error in move for path: '{path}'")


def _duplicate(root: Json, operation: JsonObject) -> Json:
    source = _path(operation, "from")
    holder, key = _holder(root, source, f"copy operation does not apply: doc is missing from path: {source}")
    try:
        value = copied(_get(holder, key))
    except PatchFailed as error:
        raise _wrapped(error, f"error in copy for from: '{source}'") from error
    return _place(root, operation, value, "copy", "error while adding value during copy")


def _place(root: Json, operation: JsonObject, value: Json, what: str, context: str) -> Json:
    """Put a value that has been found elsewhere."""
    path = _path(operation)
    holder, key = _holder(root, path, f"{what} operation does not apply: doc is missing destination path: {path}")
    try:
        _put(holder, key, value)
    except PatchFailed as error:
        raise _wrapped(error, context.format(path=path)) from error
    return root


def _test(root: Json, operation: JsonObject) -> Json:
    path, wanted = _path(operation), operation.get("value")
    if path:
        holder, key = _holder(root, path, f"test operation does not apply: is missing path: {path}")
        found = _tested(holder, key, path)
    else:
        found = root
    if not (wanted is None and found is _MISSING) and not equal(found, wanted):
        msg = f"testing value {path} failed: test failed"
        raise TestFailed(msg)
    return root


def _tested(holder: Json, key: str, path: str) -> Json:
    if type(holder) is dict:
        return holder.get(key, _MISSING)
    try:
        return _get(holder, key)
    except PatchFailed as error:
        raise _wrapped(error, f"error in test for path: '{path}'") from error


def equal(one: Json, other: Json) -> bool:
    """Equality of JSON values, of numbers by their text: neither true nor 1.0 is 1. What comes as a text equals what Go writes so."""
    if type(one) is dict and type(other) is dict:
        return one.keys() == other.keys() and all(equal(value, other[key]) for key, value in one.items())
    if type(one) is list and type(other) is list:
        return len(one) == len(other) and all(map(equal, one, other))
    if type(one) is not type(other):
        return Rendered in (type(one), type(other)) and to_json(one) == to_json(other)
    return bool(one == other)


_OPERATIONS: Final[dict[str, Callable[[Json, JsonObject], Json]]] = {
    "add": _add,
    "remove": _remove,
    "replace": _replace,
    "move": _move,
    "copy": _duplicate,
    "test": _test,
}
