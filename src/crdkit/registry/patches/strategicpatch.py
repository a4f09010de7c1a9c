"""Strategic merge patch: a merge patch that knows which lists of a kind are merged by a key, and has directives (apimachinery's strategicpatch).

``$patch`` in a map or an item of a list replaces or deletes; ``$retainKeys``, ``$setElementOrder/…`` and ``$deleteFromPrimitiveList/…`` stand
beside the fields they are about. Lists whose type names no merge key are replaced whole, as in a JSON merge patch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crdkit.meta import golang
from crdkit.meta.jsonpatch import equal
from crdkit.meta.types import Json, JsonObject

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


class MalformedPatch(BadPatch):
    """A directive has not the form that it must have."""


def merged(target: Json, patch: JsonObject, keys: MergeKeys, at: str = "") -> JsonObject:
    """The target with the patch applied; it stays as it is, but shares what the patch does not touch. Raises `BadPatch`.

    The patch is used up: directives are taken out of it.
    """
    if _DIRECTIVE in patch:
        return _directed(patch)
    result: JsonObject = dict(target) if type(target) is dict else {}
    if _RETAIN in patch:
        result = _retained(result, patch)
    for name in [name for name in patch if name.startswith(_ORDER)]:
        _put_in_order(result, patch, name.removeprefix(_ORDER), patch.pop(name), keys=keys, at=at)
    for name, value in patch.items():
        if name.startswith(_DELETE):
            field = name.removeprefix(_DELETE)
            if type(result.get(field)) is list and type(value) is list:
                result[field] = [item for item in result[field] if not _among(item, value)]
        else:
            _put(result, name, value, keys, f"{at}.{name}" if at else name)
    return result


def _directed(patch: JsonObject) -> JsonObject:
    directive = patch[_DIRECTIVE]
    if directive == "replace":
        del patch[_DIRECTIVE]
        return patch
    if directive == "delete":
        return {}
    raise _unknown_directive(directive, patch)


def _retained(target: JsonObject, patch: JsonObject) -> JsonObject:
    """Of the target, the fields that ``$retainKeys`` names; it names all that the patch sets."""
    retained = patch.pop(_RETAIN)
    if type(retained) is not list or any(
        value is not None and name not in retained and not name.startswith((_DELETE, _ORDER)) for name, value in patch.items()
    ):
        raise MalformedPatch("invalid patch format of retainKeys")
    return {name: value for name, value in target.items() if name in retained}


def _put(result: JsonObject, name: str, value: Json, keys: MergeKeys, at: str) -> None:
    if value is None:
        result.pop(name, None)
        return
    old = result.get(name)
    if type(value) is dict and type(old) is dict:
        result[name] = merged(old, value, keys, at)
    elif type(value) is list and type(old) is list:
        key = keys.get(at)
        result[name] = value if key is None else _merged_list(old, value, key, keys, at)
    elif _is_directive(value):
        result.pop(name, None)
    else:
        result[name] = _plain(value)


def _plain(value: Json) -> Json:
    """A value without directives and nulls, as it is stored where it meets nothing."""
    if type(value) is dict:
        return {name: _plain(item) for name, item in value.items() if item is not None and not _is_directive(item)}
    if type(value) is list:
        return [_plain(item) for item in value if not _is_directive(item)]
    return value


def _is_directive(value: Json) -> bool:
    return type(value) is dict and _DIRECTIVE in value


def _merged_list(old: list[Json], patch: list[Json], key: str, keys: MergeKeys, at: str) -> list[Json]:
    """A list with a patch merged into it, by a key or (where that is empty) by value: what the patch names comes in its order."""
    if len({type(item) for item in (*old, *patch)}) > 1:
        raise BadPatch(f"list element types are not identical: [{golang.to_text(old)} {golang.to_text(patch)}]")
    if not key:
        return _ordered(_distinct([*old, *patch]), patch, old, key)
    old, patch = _without_deleted(old, patch, key)
    items = list(old)
    for item in patch:
        _merge_item(items, item, key, keys, at)
    return _ordered(items, patch, old, key)


def _without_deleted(old: list[Json], patch: list[Json], key: str) -> tuple[list[Json], list[Json]]:
    """What is left of a list when the directives of a patch are carried out, and of the patch without them."""
    kept, plain, replaces = list(old), [], False
    for item in patch:
        if not _is_directive(item):
            plain.append(item)
        elif (directive := item[_DIRECTIVE]) == "replace":
            replaces = True
        elif directive == "merge":
            raise BadPatch("merging lists cannot yet be specified in the patch")
        elif directive == "delete":
            kept = [known for known in kept if not _same(known, _key_of(item, key), key)]
        else:
            raise _unknown_directive(directive, item)
    return (plain, []) if replaces else (kept, plain)


def _merge_item(items: list[Json], item: Json, key: str, keys: MergeKeys, at: str) -> None:
    wanted = _key_of(item, key)
    place = next((index for index, known in enumerate(items) if _same(known, wanted, key)), None)
    if place is None:
        items.append(item)
    else:
        items[place] = merged(items[place], item, keys, at)


def _key_of(item: Json, key: str) -> Json:
    if type(item) is not dict:
        raise BadPatch(f"expected a map[string]interface {{}}, but received a {golang.type_of(item)}")
    if key not in item:
        raise BadPatch(f"map: {golang.to_text(item)} does not contain declared merge key: {key}")
    return item[key]


def _same(item: Json, wanted: Json, key: str) -> bool:
    return type(item) is dict and equal(item.get(key, _MISSING), wanted)


def _put_in_order(result: JsonObject, patch: JsonObject, field: str, order: Json, *, keys: MergeKeys, at: str) -> None:
    """Merge a list and bring it into the order that the patch gives."""
    place = f"{at}.{field}" if at else field
    key = keys.get(place)
    order, old, given = _list(order), _list(result.get(field, [])), _list(patch.pop(field, []))
    _check_order(given, order, key or "")
    if given:
        _put(result, field, given, keys, place)
    if field in result:
        result[field] = _ordered(result[field], order, old, key or "")


def _list(value: Json) -> list[Json]:
    if type(value) is not list:
        raise BadPatch(f"expected a []interface {{}}, but received a {golang.type_of(value)}")
    return value


def _check_order(patch: list[Json], order: list[Json], key: str) -> None:
    """An order names what a patch sets, in the patch's own order. Raises `BadPatch`."""
    if not patch or not order:
        return
    rest = iter(order)
    for item in patch:
        if not _is_directive(item) and not any(_is_named(item, entry, key) for entry in rest):
            texts = golang.to_text(patch), golang.to_text(order)
            raise BadPatch("The order in patch list:\n{}\n doesn't match $setElementOrder list:\n{}\n".format(*texts))


def _is_named(item: Json, entry: Json, key: str) -> bool:
    return equal(_key_of(item, key), _key_of(entry, key)) if key else equal(item, entry)


def _ordered(items: list[Json], order: list[Json], old: list[Json], key: str) -> list[Json]:
    """The items that an order names, in that order, and the others as they stood in the old list.

    Of two that both stood in the old list the one that stood first comes first; else what the order names does.
    """
    named = sorted((item for item in items if _rank(item, order, key) >= 0), key=lambda item: _rank(item, order, key))
    others = sorted((item for item in items if _rank(item, order, key) < 0), key=lambda item: _rank(item, old, key))
    result: list[Json] = []
    while named and others:
        one, other = _rank(named[0], old, key), _rank(others[0], old, key)
        result.append(others.pop(0) if 0 <= other < one else named.pop(0))
    return result + named + others


def _rank(item: Json, order: list[Json], key: str) -> int:
    """Where an order names an item; -1 if it does not."""
    for index, entry in enumerate(order):
        if _same(entry, item.get(key, _MISSING), key) if type(item) is dict else equal(entry, item):
            return index
    return -1


def _among(item: Json, items: list[Json]) -> bool:
    return any(equal(item, known) for known in items)


def _distinct(items: list[Json]) -> list[Json]:
    found: list[Json] = []
    for item in items:
        if not _among(item, found):
            found.append(item)
    return found


def _unknown_directive(directive: Json, patch: JsonObject) -> BadPatch:
    return BadPatch(f"unknown patch type: {golang.to_text(directive)} in map: {golang.to_text(patch)}")
