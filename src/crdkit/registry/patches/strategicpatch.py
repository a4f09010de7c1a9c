"""Strategic merge patch: a merge patch that knows which lists of a kind are merged by a key, and has directives (``$patch``).

Lists whose type names no merge key are replaced whole, as in a JSON merge patch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crdkit.meta.types import Json, JsonObject
from crdkit.registry.patches.jsonpatch import equal

MergeKeys = Mapping[str, str]
"""By the path of a list, items left out (``spec.ports``): the field that its items are matched by; empty for lists of plain values."""

METADATA_KEYS: Final[MergeKeys] = {"metadata.ownerReferences": "uid", "metadata.finalizers": ""}
"""The lists that objects of all built-in kinds have."""

_DIRECTIVE: Final = "$patch"
_RETAIN: Final = "$retainKeys"
_ORDER: Final = "$setElementOrder/"
_DELETE: Final = "$deleteFromPrimitiveList/"
_MISSING: Final[Any] = object()


class BadPatch(ValueError):
    """The patch's directives make no sense; ``str()`` is the real server's text."""


def merged(target: Json, patch: JsonObject, keys: MergeKeys, at: str = "") -> JsonObject:
    """The target with the patch applied; it stays as it is, but shares what the patch does not touch. Raises `BadPatch`."""
    directive = patch.get(_DIRECTIVE)
    if directive == "replace":
        whole: JsonObject = _plain(patch)
        return whole
    if directive == "delete":
        return {}
    if directive not in (None, "merge"):
        raise _unknown_directive(directive, patch)
    result: JsonObject = dict(target) if type(target) is dict else {}
    if _RETAIN in patch:
        result = {name: value for name, value in result.items() if name in patch[_RETAIN]}
    for name, value in patch.items():
        if name.startswith(_DELETE):
            field = name.removeprefix(_DELETE)
            result[field] = [item for item in result.get(field) or [] if not any(equal(item, gone) for gone in value)]
    for name, value in patch.items():
        if not name.startswith("$"):
            _put(result, name, value, keys, f"{at}.{name}" if at else name)
    for name, order in patch.items():
        if name.startswith(_ORDER):
            field = name.removeprefix(_ORDER)
            if type(result.get(field)) is list:
                result[field] = _ordered(result[field], order, keys.get(f"{at}.{field}" if at else field, ""))
    return result


def _put(result: JsonObject, name: str, value: Json, keys: MergeKeys, at: str) -> None:
    if value is None:
        result.pop(name, None)
    elif type(value) is dict:
        if value.get(_DIRECTIVE) == "delete":
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value, keys, at)
    elif type(value) is list:
        result[name] = _merged_list(result.get(name), value, keys, at)
    else:
        result[name] = value


def _plain(value: Json) -> Json:
    """A value without directives and nulls, as it is stored where it meets nothing."""
    if type(value) is dict:
        return {name: _plain(item) for name, item in value.items() if not name.startswith("$") and item is not None}
    if type(value) is list:
        return [_plain(item) for item in value if not _is_directive(item)]
    return value


def _is_directive(item: Json) -> bool:
    return type(item) is dict and _DIRECTIVE in item and item[_DIRECTIVE] in ("replace", "delete")


def _merged_list(old: Json, patch: list[Json], keys: MergeKeys, at: str) -> list[Json]:
    key = keys.get(at)
    items: list[Json] = list(old) if type(old) is list else []
    if key is None or any(type(item) is dict and item.get(_DIRECTIVE) == "replace" for item in patch):
        return [_plain(item) for item in patch if not _is_directive(item)]
    if not key:
        return items + [item for item in patch if not any(equal(item, known) for known in items)]
    for item in patch:
        _merge_item(items, item, key, keys, at)
    return items


def _merge_item(items: list[Json], item: Json, key: str, keys: MergeKeys, at: str) -> None:
    if type(item) is not dict or key not in item:
        raise BadPatch(f"map: {item} does not contain declared merge key: {key}")
    place = next((index for index, known in enumerate(items) if type(known) is dict and equal(known.get(key, _MISSING), item[key])), None)
    if item.get(_DIRECTIVE) == "delete":
        if place is not None:
            del items[place]
    elif place is None:
        items.append(merged({}, item, keys, at))
    else:
        items[place] = merged(items[place], item, keys, at)


def _ordered(items: list[Json], order: list[Json], key: str) -> list[Json]:
    """The items that an order names in that order, each of the others after the one it followed."""

    def rank(item: Json) -> int | None:
        name = item.get(key) if key and type(item) is dict else item
        wanted = [entry.get(key) if key and type(entry) is dict else entry for entry in order]
        return next((index for index, entry in enumerate(wanted) if equal(entry, name)), None)

    named = sorted((item for item in items if rank(item) is not None), key=lambda item: rank(item) or 0)
    waiting = iter(named)
    return [item if rank(item) is None else next(waiting) for item in items]


def _unknown_directive(directive: Json, patch: JsonObject) -> BadPatch:
    return BadPatch(f"Unknown patch type: {directive} in map: {patch}")
