"""JSONPath as printer columns and selectable fields use it: kubectl's dialect, of which the first result counts.

Compiled into a chain of steps; a path that cannot be compiled is a `PathError`, one that leads nowhere gives no results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from crdkit.meta.types import Json

Step = Callable[[Iterable[Json]], list[Json]]


class PathError(ValueError):
    """The text is no JSONPath."""


class LookupFailed(Exception):
    """The path does not fit the object: an index out of range, an item of what is no list."""


_NAME: Final = re.compile(r"(?:\\.|[^\s.,\[\]$@{}\\])*", re.DOTALL)
_ARRAY: Final = re.compile(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?\Z")
_UNION: Final = re.compile(r"-?[0-9]+(,-?[0-9]+)+\Z")
_QUOTED: Final = re.compile(r"'((?:\\.|[^'\\])*)'\Z")
_FILTER: Final = re.compile(r"\?\((.*)\)\Z", re.DOTALL)
_COMPARISON: Final = re.compile(r"(==|!=|<=|>=|<|>)")


class Path:
    """A compiled path. ``find`` gives every result, in order; missing fields give none."""

    __slots__ = ("_steps",)

    def __init__(self, text: str) -> None:
        self._steps = tuple(_compile(text))

    def find(self, value: Json) -> list[Json]:
        """The values the path leads to. Raises `LookupFailed` where it does not fit the object."""
        found = [value]
        for step in self._steps:
            found = step(found)
        return found

    def first(self, value: Json) -> tuple[bool, Json]:
        """Whether there is a result, and the first."""
        try:
            found = self.find(value)
        except LookupFailed:
            return False, None
        return (True, found[0]) if found else (False, None)


def _compile(text: str) -> Iterator[Step]:
    position = 0
    while position < len(text):
        char = text[position]
        if text.startswith("..", position):
            yield _recursive
            position += 2
            if text[position : position + 1].isalnum():
                step, position = _field_step(text, position)
                yield step
        elif char == "[":
            inside, position = _bracket(text, position)
            yield from _bracket_steps(inside)
        elif char == ".":
            step, position = _field_step(text, position + 1)
            yield step
        elif char in " @$":
            position += 1
        else:
            msg = f"unrecognized character in action: {char!r}"
            raise PathError(msg)


def _field_step(text: str, position: int) -> tuple[Step, int]:
    match = _NAME.match(text, position)
    assert match is not None
    name = match.group().replace("\\", "")
    if name == "*":
        return _wildcard, match.end()
    return _field(name) if name else list, match.end()


def _bracket(text: str, position: int) -> tuple[str, int]:
    """What stands between a bracket and its match, and the position after it."""
    depth, quote = 0, ""
    for index in range(position, len(text)):
        char = text[index]
        if quote:
            if char == quote and text[index - 1] != "\\":
                quote = ""
        elif char in "'\"":
            quote = char
        elif char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
            if not depth:
                return text[position + 1 : index], index + 1
    msg = "unterminated array"
    raise PathError(msg)


def _bracket_steps(inside: str) -> Iterator[Step]:
    if inside in ("*", "'*'"):
        yield _wildcard
    elif match := _QUOTED.match(inside):
        yield _field(re.sub(r"\\(.)", r"\1", match[1]))
    elif _UNION.match(inside):
        yield _union([int(part) for part in inside.split(",")])
    elif match := _FILTER.match(inside):
        yield _filter(match[1])
    elif inside and (match := _ARRAY.match(inside)):
        yield _slice(match)
    else:
        msg = f"invalid array index {inside}"
        raise PathError(msg)


def _field(name: str) -> Step:
    def step(values: Iterable[Json]) -> list[Json]:
        return [value[name] for value in values if type(value) is dict and name in value]

    return step


def _wildcard(values: Iterable[Json]) -> list[Json]:
    found: list[Json] = []
    for value in values:
        if type(value) is dict:
            found += value.values()
        elif type(value) is list:
            found += value
    return found


def _recursive(values: Iterable[Json]) -> list[Json]:
    found: list[Json] = []
    for value in values:
        if type(value) is dict:
            found.append(value)
            found += _recursive(value.values())
        elif type(value) is list:
            found.append(value)
            found += _recursive(value)
    return found


def _slice(match: re.Match[str]) -> Step:
    if match[2] is None:
        return _index(int(match[1]))
    start = int(match[1]) if match[1] else None
    end = int(match[2][1:]) if match[2][1:] else None
    stride = int(match[3][1:]) if match[3] and match[3][1:] else None
    if stride is not None and stride <= 0:
        msg = "step must be > 0"
        raise PathError(msg)

    def step(values: Iterable[Json]) -> list[Json]:
        found: list[Json] = []
        for value in values:
            if value is None:
                continue
            if type(value) is not list:
                raise LookupFailed("array")
            found += _bounded(value, start, end)[::stride]
        return found

    return step


def _bounded(value: list[Json], start: int | None, end: int | None) -> list[Json]:
    size = len(value)
    first = 0 if start is None else start + size if start < 0 else start
    last = size if end is None else end + size if end < 0 else end
    if first == last:
        return []
    if not 0 <= first < size or not 0 <= last <= size or first > last:
        raise LookupFailed("array index out of bounds")
    return value[first:last]


def _index(index: int) -> Step:
    def step(values: Iterable[Json]) -> list[Json]:
        found = []
        for value in values:
            if value is None:
                continue
            if type(value) is not list or not -len(value) <= index < len(value):
                raise LookupFailed(str(index))
            found.append(value[index])
        return found

    return step


def _union(indexes: list[int]) -> Step:
    steps = [_index(index) for index in indexes]

    def step(values: Iterable[Json]) -> list[Json]:
        kept = list(values)
        return [item for one in steps for item in one(kept)]

    return step


def _filter(text: str) -> Step:
    """``?(@.a == "b")``, or ``?(@.a)`` for items that have the field."""
    parts = _COMPARISON.split(text, maxsplit=1)
    left = _operand(parts[0].strip())
    if len(parts) == 1:

        def keeps(item: Json) -> bool:
            return bool(left(item))
    else:
        operator, right = parts[1], _operand(parts[2].strip())

        def keeps(item: Json) -> bool:
            return _compare(left(item), operator, right(item))

    def step(values: Iterable[Json]) -> list[Json]:
        found: list[Json] = []
        for value in values:
            if type(value) is list:
                found += [item for item in value if keeps(item)]
        return found

    return step


def _operand(text: str) -> Callable[[Json], list[Json]]:
    if text.startswith("@"):
        return Path(text).find
    constant = _constant(text)
    return lambda _: [constant]


def _constant(text: str) -> Json:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text) if "." in text else int(text)
    except ValueError as error:
        msg = f"unrecognized operand {text}"
        raise PathError(msg) from error


def _compare(left: list[Json], operator: str, right: list[Json]) -> bool:
    if not left or not right:
        return False
    first, second = left[0], right[0]
    if operator == "==":
        return bool(first == second)
    if operator == "!=":
        return bool(first != second)
    if type(first) is not type(second):
        raise LookupFailed("incompatible types for comparison")
    if operator in ("<", "<="):
        return bool(first < second or (operator == "<=" and first == second))
    return bool(first > second or (operator == ">=" and first == second))
