"""Path elements: how a set of fields names a field, an item of a map list or set, or a position in a list.

An element is the text that fieldsV1 spells it with (``f:spec``, ``k:{"port":80}``, ``v:"a"``, ``i:0``), in one form only: no
blanks, keys sorted, numbers as Go writes them. So equal elements are equal texts, and a set can be used as it was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from crdkit.meta import golang, json
from crdkit.meta.json import JsonError
from crdkit.meta.types import Json
from crdkit.ownership.foreign import Foreign

Element: TypeAlias = str
Rank: TypeAlias = tuple[int, object]

_TEXTS_KEPT: Final = 8192
_FIELD, _KEY, _VALUE, _INDEX = "f:", "k:", "v:", "i:"
_RANKS: Final = {_FIELD: 0, _KEY: 1, _VALUE: 2, _INDEX: 3}
_controls = re.compile("([\b\f])")
_is_integer = re.compile(r"[+-]?[0-9]+").fullmatch


class UnknownElement(ValueError):
    """A text of a kind that no element has; what a later version may know is overlooked, not refused."""


class InvalidElement(ValueError):
    """A text that is no element."""


def field(name: str) -> Element:
    """The field of that name."""
    return _FIELD + name


def value(item: Json) -> Element:
    """The item of a set."""
    return _VALUE + scalar_text(item)


def keyed(keys: Iterable[tuple[str, Json]]) -> Element:
    """The item of a map list that has these keys, which come in the order of their names."""
    return "k:{" + ",".join([f"{_string(name)}:{scalar_text(key)}" for name, key in keys]) + "}"


@lru_cache(_TEXTS_KEPT)
def named(name: str, key: str) -> Element:
    """The item of a map list that has only this key, a text: the most common one."""
    return f"k:{{{_string(name)}:{_string(key)}}}"


def scalar_text(item: Json) -> str:
    """The JSON text of a value within an element."""
    if item.__class__ is str:
        return _string(item)
    if item.__class__ is int:
        return str(item)
    if item.__class__ is float:
        return golang.format_float(item, low=-6, high=21)  # unlike encoding/json, with two digits of the exponent: 1e-07
    return golang.to_json(item)


@lru_cache(_TEXTS_KEPT)
def _string(text: str) -> str:
    """As jsoniter writes a string: unlike encoding/json, backspace and form feed have no short form."""
    if "\b" not in text and "\f" not in text:
        return golang.json_string(text)
    parts = [f"\\u{ord(part):04x}" if part in ("\b", "\f") else golang.json_string(part)[1:-1] for part in _controls.split(text)]
    return f'"{"".join(parts)}"'


def canonical(text: str) -> Element:
    """The one form of an element that a client wrote.

    Raises `UnknownElement` for a kind there is not, `InvalidElement` for what cannot be read.
    """
    if text.encode("utf-8", "replace")[1:2] != b":":
        msg = f"missing colon: {text}"
        raise InvalidElement(msg)
    kind, content = text[:2], text[2:]
    if kind == _FIELD:
        return text
    if kind == _INDEX:
        if not _is_integer(content):
            msg = f"strconv.Atoi: parsing {golang.quote(content)}: invalid syntax"
            raise InvalidElement(msg)
        return f"{_INDEX}{int(content)}"
    if kind not in _RANKS:
        raise UnknownElement(text)
    decoded = _decode(content)
    if kind == _VALUE:
        return value(_as_read(decoded))
    if decoded is not None and not isinstance(decoded, dict):
        msg = f"expect {{ or n, but found {content[:1]}"
        raise InvalidElement(msg)
    keys = decoded or {}
    return keyed((name, _as_read(keys[name])) for name in sorted(keys))


def _decode(text: str) -> Json:
    try:
        return json.decode(text.encode("utf-8", "surrogatepass"))
    except JsonError as error:
        raise InvalidElement(str(error)) from error


def _as_read(item: Json) -> Json:
    """A real server reads all numbers of a set as floats."""
    return float(item) if item.__class__ is int else item


def rank(element: Element) -> Rank:
    """What elements are ordered by: fields, then keys, values and positions, each by what it holds."""
    kind = _RANKS.get(element[:2], 4)
    content = element[2:]
    if kind == 0:
        return kind, content
    if kind == 3:
        return kind, int(content)
    decoded = _decode(content)
    if kind == 1:
        return kind, [(name, _value_rank(item)) for name, item in (decoded or {}).items()]
    return kind, _value_rank(decoded)


def _value_rank(item: Json) -> tuple[int, object]:
    if isinstance(item, bool):
        return 2, item
    if isinstance(item, int | float):
        return 0, item
    if isinstance(item, str):
        return 1, item
    if isinstance(item, list):
        return 3, [_value_rank(part) for part in item]
    if isinstance(item, dict):
        return 4, [(name, _value_rank(item[name])) for name in sorted(item)]
    return 5, 0


def shown(element: Element) -> str:
    """The element as error texts show it: ``.spec``, ``[name="a",port=80]``, ``[="x"]``, ``[0]``; numbers as the floats they are read as."""
    kind, content = element[:2], element[2:]
    if kind == _FIELD:
        return f".{content}"
    if kind == _INDEX:
        return f"[{content}]"
    decoded = _decode(content)
    if kind == _VALUE:
        return f"[={shown_value(_as_read(decoded))}]"
    return shown_keys((name, _as_read(item)) for name, item in (decoded or {}).items())


def shown_keys(keys: Iterable[tuple[str, Json]]) -> str:
    return "[" + ",".join(f"{name}={shown_value(item)}" for name, item in keys) + "]"


def shown_value(item: Json) -> str:
    """A value within a path that is shown."""
    if item is None:
        return "null"
    if isinstance(item, Foreign):
        return "{{undefined}}"
    if isinstance(item, str):
        return golang.quote(item)
    if isinstance(item, list):
        return "[" + ",".join(shown_value(part) for part in item) + "]"
    if isinstance(item, dict):
        return "".join(f"{name}={shown_value(item[name])}" for name in sorted(item))
    return golang.to_text(item)
