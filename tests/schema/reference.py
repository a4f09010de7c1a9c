"""What happens to values, as slow and obvious walks over the schema as it is written: what the compiled code is compared with."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

JSON_TYPES = {bool: "boolean", str: "string", int: "integer", float: "number", list: "array", dict: "object", type(None): "null"}


def child(schema: dict[str, Any] | None, name: str) -> dict[str, Any] | None:
    """The schema of a field; None where there is none."""
    if schema is None:
        return None
    if name in schema.get("properties", {}):
        return schema["properties"][name]
    values = schema.get("additionalProperties")
    return values if isinstance(values, dict) else None


def is_named(schema: dict[str, Any] | None, name: str) -> bool:
    return schema is not None and (name in schema.get("properties", {}) or "additionalProperties" in schema)


def prune(schema: dict[str, Any] | None, value: Any, path: str = "", *, keep: bool = False) -> Iterator[str]:
    """Drop unknown fields; ``keep`` once a list lies within a value whose unknown fields stay."""
    keep = keep or bool(schema and schema.get("x-kubernetes-preserve-unknown-fields"))
    if isinstance(value, dict):
        for name in list(value):
            place = f"{path}.{name}" if path else name
            if is_named(schema, name):
                yield from prune(child(schema, name), value[name], place)
            elif not keep:
                yield place
                del value[name]
    elif isinstance(value, list):
        items = (schema or {}).get("items")
        for index, item in enumerate(value):
            if keep and items is None:
                continue
            yield from prune(items, item, f"{path}[{index}]", keep=keep)


def drop_nulls(schema: dict[str, Any] | None, value: Any) -> None:
    if isinstance(value, dict):
        for name in list(value):
            below = child(schema, name)
            if value[name] is None and below is not None and not below.get("nullable") and below.get("default") is None:
                del value[name]
            else:
                drop_nulls(below, value[name])
    elif isinstance(value, list):
        for item in value:
            drop_nulls((schema or {}).get("items"), item)


def fill(schema: dict[str, Any] | None, value: Any) -> None:
    if schema is None:
        return
    if isinstance(value, dict):
        for name, below in schema.get("properties", {}).items():
            if below.get("default") is not None and (name not in value or (value[name] is None and not below.get("nullable"))):
                value[name] = copy.deepcopy(below["default"])
        for name in value:
            below = child(schema, name)
            if below is not None:
                if value[name] is None and not below.get("nullable"):
                    value[name] = copy.deepcopy(below.get("default"))
                fill(below, value[name])
    elif isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            if item is None and not schema["items"].get("nullable"):
                value[index] = copy.deepcopy(schema["items"].get("default"))
            fill(schema["items"], value[index])


def equals(value: Any, item: Any) -> bool:
    """A number is made into the type of an enum's item first, as a real server does: 2.5 is taken for 2."""
    if type(value) is float and type(item) is int:
        return int(value) == item
    if type(value) is int and type(item) is float:
        return float(value) == item
    return type(value) is type(item) and value == item


def is_valid(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value is valid by the keywords that `strategies` makes schemas of."""
    if value is None:
        return ("type" not in schema or schema.get("nullable", False)) and "enum" not in schema
    kind = JSON_TYPES[type(value)]
    if "type" in schema and kind != schema["type"] and not (kind == "integer" and schema["type"] == "number"):
        return False
    if "enum" in schema and not any(equals(value, item) for item in schema["enum"]):
        return False
    return all(check(schema, value) for check in CHECKS.get(kind, ())) and junctors(schema, value)


def junctors(schema: dict[str, Any], value: Any) -> bool:
    return (
        all(is_valid(branch, value) for branch in schema.get("allOf", ()))
        and ("anyOf" not in schema or any(is_valid(branch, value) for branch in schema["anyOf"]))
        and ("oneOf" not in schema or sum(is_valid(branch, value) for branch in schema["oneOf"]) == 1)
        and ("not" not in schema or not is_valid(schema["not"], value))
    )


def text(schema: dict[str, Any], value: str) -> bool:
    return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))


def number(schema: dict[str, Any], value: float) -> bool:
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    inside = low <= value <= high
    return inside and not (schema.get("exclusiveMinimum") and value == schema.get("minimum"))


def array(schema: dict[str, Any], value: list[Any]) -> bool:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    if schema.get("x-kubernetes-list-type") == "set" and any(item in value[:index] for index, item in enumerate(value)):
        return False
    return all(is_valid(schema.get("items", {}), item) for item in value)


def fields(schema: dict[str, Any], value: dict[str, Any]) -> bool:
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        return False
    if any(name not in value for name in schema.get("required", ())):
        return False
    return all(is_valid(child(schema, name) or {}, item) for name, item in value.items())


CHECKS = {"string": (text,), "integer": (number,), "number": (number,), "array": (array,), "object": (fields,)}
