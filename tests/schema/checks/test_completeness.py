from __future__ import annotations

from tests.schema.checks.told import field, told


def test_what_a_junctor_of_the_root_names_stands_outside_too() -> None:
    schema = {
        "type": "object",
        "properties": {"o": {"type": "object", "properties": {"a": {"type": "string"}}}},
        "anyOf": [{"properties": {"o": {"properties": {"a": {"minLength": 1}, "ghost": {"properties": {"deep": {}}}}}}}],
        "not": {"items": {"minLength": 1}},
    }
    assert told(schema) == [
        "S.items: Required value: because it is defined in S.not.items",
        "S.properties[o].properties[ghost]: Required value: because it is defined in S.anyOf[0].properties[o].properties[ghost]",
    ]


def test_junctors_within_those_of_the_root_count() -> None:
    schema = {"type": "object", "allOf": [{"oneOf": [{}, {"properties": {"x": {"minimum": 1}}}]}]}
    assert told(schema) == ["S.properties[x]: Required value: because it is defined in S.allOf[0].oneOf[1].properties[x]"]


def test_values_of_a_map_are_no_counterpart() -> None:
    schema = {
        "type": "object",
        "properties": {"m": {"type": "object", "additionalProperties": {"type": "string"}}},
        "not": {"properties": {"m": {"required": ["x"], "properties": {"x": {}}}}},
    }
    assert told(schema) == ["S.properties[m].properties[x]: Required value: because it is defined in S.not.properties[m].properties[x]"]


def test_no_one_looks_at_the_junctors_of_other_nodes() -> None:
    assert told(field({"type": "object", "anyOf": [{"properties": {"ghost": {"minimum": 1}}, "items": {"minLength": 1}}]})) == []
