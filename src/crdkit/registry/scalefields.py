"""The fields of custom objects that the scale subresource reads and writes: counts of replicas and a label selector."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from crdkit.definitions.definition import Scale
from crdkit.meta import errors, golang
from crdkit.meta.changes import Changes
from crdkit.meta.errors import FieldError
from crdkit.meta.types import Json, JsonObject

if TYPE_CHECKING:
    from crdkit.schema.compiled import CompiledSchema

Question = Callable[[JsonObject], bool]

INT32_MAX: Final = (1 << 31) - 1
_NOTHING: Final = object()


class AccessError(ValueError):
    """A field is not of the type it is read as; ``str()`` is the real server's text."""


@functools.lru_cache(maxsize=1024)
def parts(path: str) -> tuple[str, ...]:
    """The names on a path such as ``.spec.replicas``."""
    return tuple(path.removeprefix(".").split("."))


def find(obj: JsonObject, path: str) -> tuple[bool, Json]:
    """Whether there is a value at a path, and the value. Raises `AccessError` where the path leads through no object."""
    value: Json = obj
    names = parts(path)
    for position, name in enumerate(names):
        if value is None and position:
            return False, None
        if type(value) is not dict:
            raise _wrong(names[: position + 1], value, "map[string]interface{}")
        if name not in value:
            return False, None
        value = value[name]
    return True, value


def integer(obj: JsonObject, path: str) -> tuple[bool, int]:
    """Whether there is a number at a path, and the number; 0 if there is none."""
    found, value = find(obj, path)
    if not found:
        return False, 0
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(parts(path), value, "int64")
    return True, value


def text(obj: JsonObject, path: str) -> str:
    found, value = find(obj, path)
    if not found:
        return ""
    if not isinstance(value, str):
        raise _wrong(parts(path), value, "string")
    return value


def put(obj: JsonObject, path: str, value: Json) -> JsonObject:
    """The object with the value at a path, objects on the way made as needed; what is changed is copied, all else shared."""
    result = dict(obj)
    names, place = parts(path), result
    for position, name in enumerate(names[:-1]):
        below = place.get(name)
        if name in place and type(below) is not dict:
            msg = f"value cannot be set because .{'.'.join(names[: position + 1])} is not a map[string]interface{{}}"
            raise AccessError(msg)
        place[name] = dict(below) if type(below) is dict else {}
        place = place[name]
    place[names[-1]] = value
    return result


def _wrong(names: Sequence[str], value: Json, wanted: str) -> AccessError:
    return AccessError(f".{'.'.join(names)} accessor error: {golang.to_text(value)} is of the type {_go_type(value)}, expected {wanted}")


def _go_type(value: Json) -> str:
    if isinstance(value, bool):
        return "bool"
    names = {str: "string", int: "int64", float: "float64", dict: "map[string]interface {}", list: "[]interface {}"}
    return names.get(type(value), "<nil>")


def check_all(obj: JsonObject, scale: Scale) -> list[FieldError]:
    """What is wrong with the fields of an object that its scale reads."""
    selector = scale.label_selector_path
    if _is_count(obj, scale.spec_path) and _is_count(obj, scale.status_path) and (selector is None or _has_text(obj, selector)):
        return []
    return [*_check_count(obj, scale.spec_path), *check_status(obj, scale)]


def open_questions(scale: Scale, schema: CompiledSchema) -> tuple[Question, ...]:
    """What is to be asked of a new object without status that is valid by its schema: whether the fields that its scale reads are in order.

    Much is answered by the schema. A no may be wrong.
    """
    counts = [path for path in (scale.spec_path, scale.status_path) if not schema.surely_counts(parts(path), INT32_MAX)]
    texts = [path for path in (scale.label_selector_path,) if path is not None]
    asked = [*((_is_count, path) for path in counts), *((_has_text, path) for path in texts)]
    return tuple([partial(question, path=path) for question, path in asked if parts(path)[0] != "status"])


def keeps_valid(obj: JsonObject, scale: Scale, changes: Changes) -> bool:
    """Whether a change leaves valid what the scale of an object reads, which was so before. A no may be wrong."""
    for path in (scale.spec_path, scale.status_path):
        if parts(path)[0] in changes and not _is_count(obj, path):
            return False
    selector = scale.label_selector_path
    return selector is None or parts(selector)[0] not in changes or _has_text(obj, selector)


def check_status(obj: JsonObject, scale: Scale) -> list[FieldError]:
    found = _check_count(obj, scale.status_path)
    if scale.label_selector_path is not None:
        try:
            text(obj, scale.label_selector_path)
        except AccessError as error:
            found.append(errors.invalid(scale.label_selector_path, "", str(error)))
    return found


def _is_count(obj: JsonObject, path: str) -> bool:
    """Whether there is nothing at a path, or a number in range. A no may be wrong."""
    value = _look_up(obj, path)
    return value is _NOTHING or (value.__class__ is int and 0 <= value <= INT32_MAX)


def _has_text(obj: JsonObject, path: str) -> bool:
    """The same for a text."""
    value = _look_up(obj, path)
    return value is _NOTHING or value.__class__ is str


def _look_up(obj: JsonObject, path: str) -> Json:
    """The value at a path; null also where the path leads through no object."""
    value: Json = obj
    for name in parts(path):
        if value.__class__ is not dict:
            return None
        if name not in value:
            return _NOTHING
        value = value[name]
    return value


def _check_count(obj: JsonObject, path: str) -> list[FieldError]:
    try:
        count = integer(obj, path)[1]
    except AccessError as error:
        return [errors.invalid(path, 0, str(error))]
    if count < 0:
        return [errors.invalid(path, count, "should be a non-negative integer")]
    if count > INT32_MAX:
        return [errors.invalid(path, count, f"should be less than or equal to {INT32_MAX}")]
    return []
