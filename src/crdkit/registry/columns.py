"""Printer columns: from a definition's columns to the cells of its objects, as kubectl's server-side printing fills them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from crdkit.definitions import definition as definitions
from crdkit.meta import golang
from crdkit.meta.types import Json, JsonObject
from crdkit.registry.durations import since
from crdkit.registry.jsonpath import Path, PathError
from crdkit.registry.tables import NAME, Column, Table

_INT64_MIN: Final = -(1 << 63)
_INT64_MAX: Final = (1 << 63) - 1
Cell = Callable[[JsonObject], Json]


def custom_table(columns: Sequence[definitions.Column]) -> Table:
    """The table of a version: its name first. A column whose path is none is left out, and so are those after it."""
    heads: list[Column] = [NAME]
    cells: list[Cell] = [_name]
    for column in columns:
        try:
            path = Path(column.json_path)
        except PathError:
            break
        description = column.description or f"Custom resource definition column (in JSONPath format): {column.json_path}"
        heads.append(Column(column.name, column.type, column.format, description, column.priority))
        cells.append(_cell(path, column.type))
    return Table(heads, lambda obj: [cell(obj) for cell in cells])


def _name(obj: JsonObject) -> Json:
    return obj["metadata"].get("name", "")


def _cell(path: Path, kind: str) -> Cell:
    convert = _CONVERSIONS[kind]

    def cell(obj: JsonObject) -> Json:
        found, value = path.first(obj)
        return convert(value) if found else None

    return cell


def _text(value: Json) -> Json:
    if value is None:
        return "<no value>"
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        return golang.to_json(value)
    return golang.to_text(value)


def _integer(value: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value
    whole = math.trunc(value)
    return whole if _INT64_MIN <= whole <= _INT64_MAX else _INT64_MIN


def _number(value: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def _boolean(value: Json) -> Json:
    return value if isinstance(value, bool) else None


_NO_TIME: Final = frozenset(("", "null"))
"""Texts that Go reads as the zero time."""


def _date(value: Json) -> Json:
    if not isinstance(value, str):
        return None
    if value in _NO_TIME:
        return "<unknown>"
    try:
        moment = datetime.fromisoformat(value) if "T" in value else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        return "<invalid>"
    return since((datetime.now(UTC) - moment).total_seconds())


def age(obj: JsonObject) -> str:
    """How long an object has been there."""
    return elapsed(obj["metadata"].get("creationTimestamp") or "")


def elapsed(moment: str) -> str:
    """How long ago a moment was; ``<unknown>`` for none."""
    return str(_date(moment))


_CONVERSIONS: Final[dict[str, Callable[[Json], Json]]] = {
    "string": _text,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "date": _date,
}
