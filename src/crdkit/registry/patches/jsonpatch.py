"""JSON patch (RFC 6902) as evanphx/json-patch applies it: negative indexes count from the end, a missing value is null."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from crdkit.meta.types import Json, JsonObject
from crdkit.registry.copying import copied

_APPENDED: Final = "-"
"""The index after the last item."""
_MISSING: Final[Any] = object()


class PatchFailed(ValueError):
    """The patch does not fit the document."""


def patched(document: JsonObject, operations: list[JsonObject]) -> JsonObject:
    """The document with the operations applied in order. It may change in place: the caller gives it away.

    Raises `PatchFailed` at the first operation that does not fit.
    """
    root: Json = document
    for operation in operations:
        apply = _OPERATIONS.get(operation.get("op") or "")
        if apply is None:
            msg = f"Unexpected kind: {operation.get('op')}"
            raise PatchFailed(msg)
        root = apply(root, operation)
    if type(root) is not dict:
        msg = "the document is no object"
        raise PatchFailed(msg)
    return root


def _tokens(pointer: Json) -> list[str]:
    if not isinstance(pointer, str):
        msg = "missing path"
        raise PatchFailed(msg)
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        msg = f"no leading slash: {pointer}"
        raise PatchFailed(msg)
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def _child(container: Json, token: str) -> Json:
    if type(container) is dict:
        if token in container:
            return container[token]
    elif type(container) is list:
        return container[_position(container, token)]
    msg = f"missing: {token}"
    raise PatchFailed(msg)


def _position(items: list[Json], token: str) -> int:
    """The index of an item that is there."""
    try:
        index = int(token)
    except ValueError as error:
        msg = f"not an index: {token}"
        raise PatchFailed(msg) from error
    if not -len(items) <= index < len(items):
        msg = f"index out of range: {token}"
        raise PatchFailed(msg)
    return index


def _container(root: Json, tokens: list[str]) -> Json:
    for token in tokens[:-1]:
        root = _child(root, token)
    if type(root) not in (dict, list):
        msg = f"no container: {tokens}"
        raise PatchFailed(msg)
    return root


def _get(root: Json, tokens: list[str]) -> Json:
    for token in tokens:
        root = _child(root, token)
    return root


def _insert(root: Json, tokens: list[str], value: Json) -> Json:
    if not tokens:
        return value
    container, token = _container(root, tokens), tokens[-1]
    if type(container) is dict:
        container[token] = value
    elif token == _APPENDED:
        container.append(value)
    else:
        container.insert(_insertion(container, token), value)
    return root


def _insertion(items: list[Json], token: str) -> int:
    try:
        index = int(token)
    except ValueError as error:
        msg = f"not an index: {token}"
        raise PatchFailed(msg) from error
    size = len(items) + 1
    if not -size <= index < size:
        msg = f"index out of range: {token}"
        raise PatchFailed(msg)
    return index + size if index < 0 else index


def _cut(root: Json, tokens: list[str]) -> Json:
    """Take out what stands there, and give it back."""
    if not tokens:
        msg = "the whole document cannot be removed"
        raise PatchFailed(msg)
    container, token = _container(root, tokens), tokens[-1]
    if type(container) is dict:
        if token not in container:
            msg = f"missing: {token}"
            raise PatchFailed(msg)
        return container.pop(token)
    return container.pop(_position(container, token))


def _add(root: Json, operation: JsonObject) -> Json:
    return _insert(root, _tokens(operation.get("path")), copied(operation.get("value")))


def _remove(root: Json, operation: JsonObject) -> Json:
    _cut(root, _tokens(operation.get("path")))
    return root


def _replace(root: Json, operation: JsonObject) -> Json:
    tokens = _tokens(operation.get("path"))
    value = copied(operation.get("value"))
    if not tokens:
        return value
    container, token = _container(root, tokens), tokens[-1]
    _child(container, token)
    if type(container) is dict:
        container[token] = value
    else:
        container[_position(container, token)] = value
    return root


def _move(root: Json, operation: JsonObject) -> Json:
    value = _cut(root, _tokens(operation.get("from")))
    return _insert(root, _tokens(operation.get("path")), value)


def _duplicate(root: Json, operation: JsonObject) -> Json:
    value = copied(_get(root, _tokens(operation.get("from"))))
    return _insert(root, _tokens(operation.get("path")), value)


def _test(root: Json, operation: JsonObject) -> Json:
    tokens, wanted = _tokens(operation.get("path")), operation.get("value")
    container = _container(root, tokens) if tokens else root
    absent = bool(tokens) and type(container) is dict and tokens[-1] not in container
    found = _MISSING if absent else _get(root, tokens)
    if not (wanted is None and found is _MISSING) and not equal(found, wanted):
        msg = f"test failed: {operation.get('path')}"
        raise PatchFailed(msg)
    return root


def equal(one: Json, other: Json) -> bool:
    """Equality of JSON values: no boolean equals a number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if type(one) is dict and type(other) is dict:
        return one.keys() == other.keys() and all(equal(value, other[key]) for key, value in one.items())
    if type(one) is list and type(other) is list:
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


_OPERATIONS: Final[dict[str, Callable[[Json, JsonObject], Json]]] = {
    "add": _add,
    "remove": _remove,
    "replace": _replace,
    "move": _move,
    "copy": _duplicate,
    "test": _test,
}
