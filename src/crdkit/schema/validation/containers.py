"""What a schema asks of lists and objects: how many items or fields, which fields, and the validity of what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from crdkit.meta import errors
from crdkit.meta.types import Json, JsonObject
from crdkit.schema.equality import same
from crdkit.schema.structural import Structural
from crdkit.schema.validation.faults import Fault, Report
from crdkit.schema.validation.reading import Reading

Descend: TypeAlias = Callable[[str | int, Structural, Json, str], Report]
"""Validates a child: its key or index, schema, value and name."""


def check_list(schema: Structural, value: list[Json], name: str, reading: Reading, descend: Descend) -> Report:
    report = Report()
    if schema.items is not None:
        for index, item in enumerate(value):
            report.merge(descend(index, schema.items, item, f"{name}[{index}]"))
    report.add(_list_length(schema, len(value), name, reading))
    if schema.unique_items:
        report.add(_repeated(value, name))
    report.passed += 1
    return report


def _list_length(schema: Structural, size: int, name: str, reading: Reading) -> Iterator[Fault]:
    if schema.min_items is not None and size < schema.min_items:
        yield _invalid(name, size, f"{name} in body should have at least {schema.min_items} items")
    if schema.max_items is not None and size > schema.max_items:
        text = f"{name} in body should have at most {schema.max_items} items"
        yield Fault(name, text, errors.too_many("", size, schema.max_items, reading.kube))


def _repeated(items: list[Json], name: str) -> Iterator[Fault]:
    """Only a default can be asked for this: no schema with uniqueItems is accepted."""
    if any(same(item, other) for index, item in enumerate(items) for other in items[:index]):
        yield _invalid(name, "", f"{name} in body shouldn't contain duplicates")


def check_object(schema: Structural, value: JsonObject, name: str, reading: Reading, descend: Descend) -> Report:
    report = Report()
    report.add(_object_size(schema, len(value), name, reading))
    report.add(_forbidden(schema, value, name))
    if (values := schema.values) is not None:
        for key, item in value.items():
            if key not in schema.properties:
                report.merge(descend(key, values, item, f"{name}.{key}"))
    for key, child in schema.properties.items():
        if key in value:
            report.merge(descend(key, child, value[key], f"{name}.{key}" if name else key))
    report.add(_missing(schema, value, name))
    return report


def _object_size(schema: Structural, size: int, name: str, reading: Reading) -> Iterator[Fault]:
    if schema.min_properties is not None and size < schema.min_properties:
        yield _invalid(name, size, f"{name} in body should have at least {schema.min_properties} properties")
    if schema.max_properties is not None and size > schema.max_properties:
        text = f"{name} in body should have at most {schema.max_properties} properties"
        yield Fault(name, text, errors.too_many("", size, schema.max_properties, reading.kube))


def _forbidden(schema: Structural, value: JsonObject, name: str) -> Iterator[Fault]:
    if schema.additional_properties is False:
        for key in value:
            if key not in schema.properties:
                yield _invalid(name, key, f"{name}.{key} in body is a forbidden property")


def _missing(schema: Structural, value: JsonObject, name: str) -> Iterator[Fault]:
    for key in schema.required:
        if key not in value:
            yield Fault(f"{name}.{key}", f"{name}.{key} in body is required", errors.required(""))


def _invalid(name: str, value: Json, detail: str) -> Fault:
    return Fault(name, detail, errors.invalid("", value, detail))
