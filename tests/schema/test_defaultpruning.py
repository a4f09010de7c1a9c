"""Defaults within maps, which may have fields that nobody looked at."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_36
from crdkit.schema.compiled import CompiledSchema

KNOWN: Any = {"type": "object", "properties": {"a": {"type": "integer"}}}
DEFAULT: Any = {"a": 1, "b": {"c": 2}}


def filled(schema: Any, value: Any) -> Any:
    obj = {"spec": value}
    CompiledSchema({"type": "object", "properties": {"spec": schema}}, kube=V1_36).default(obj)
    return obj["spec"]


@pytest.mark.parametrize(
    ("values", "default"),
    [
        ({**KNOWN, "default": DEFAULT}, {"a": 1}),
        ({**KNOWN, "default": DEFAULT, "x-kubernetes-preserve-unknown-fields": True}, DEFAULT),
        ({"x-kubernetes-int-or-string": True, "default": DEFAULT}, {}),
        ({"type": "array", "items": KNOWN, "default": [DEFAULT, {"b": 1}]}, [{"a": 1}, {}]),
    ],
)
def test_a_null_of_a_map_takes_the_known_part_of_its_default(values: Any, default: Any) -> None:
    assert filled({"type": "object", "additionalProperties": values}, {"k": None}) == {"k": default}


def test_defaults_below_those_of_a_map_are_pruned_too() -> None:
    values = {
        "type": "object",
        "properties": {"o": {**KNOWN, "default": DEFAULT}, "l": {"type": "array", "items": {**KNOWN, "default": DEFAULT}}},
    }
    schema = {"type": "object", "properties": {"m": {"type": "object", "additionalProperties": values}}}
    assert filled(schema, {"m": {"k": {"l": [None]}}}) == {"m": {"k": {"o": {"a": 1}, "l": [{"a": 1}]}}}
