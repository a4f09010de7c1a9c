from __future__ import annotations

import pytest

from crdkit.schema.fieldpaths import InvalidFieldPath, find
from crdkit.schema.structural import build

SCHEMA = build(
    {
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"b": {"type": "string"}, "b.c": {"type": "integer"}, "it's": {"type": "boolean"}}},
            "map": {"type": "object", "additionalProperties": {"type": "object", "properties": {"x": {"type": "number"}}}},
            "any": {"type": "object", "additionalProperties": True},
            "list": {"type": "array", "items": {"type": "string"}},
        },
    }
)


@pytest.mark.parametrize(
    ("path", "told", "kind"),
    [
        (".a.b", "a.b", "string"),
        (".a['b.c']", "a.b.c", "integer"),
        ("['a']['b']", "a.b", "string"),
        (r".a['it\'s']", "a.it's", "boolean"),
        (".map.key.x", "map[key].x", "number"),
        (".map['k.1']", "map[k.1]", "object"),
        ("", "", "object"),
    ],
)
def test_a_path_leads_to_a_node(path: str, told: str, kind: str) -> None:
    found = find(path, SCHEMA)
    assert (str(found.path), found.node and found.node.type) == (told, kind)


def test_a_value_of_a_map_without_schema_has_no_node() -> None:
    found = find(".any.x", SCHEMA)
    assert (str(found.path), found.names, found.node) == ("any[x]", ("any", "x"), None)


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("a", "expected [ or . but got: a"),
        (".", "unexpected end of JSON path"),
        (".c", "does not refer to a valid field"),
        (".a..b", "does not refer to a valid field"),
        (".list.x", "does not refer to a valid field"),
        (".list[0]", "expected single quoted string but got 0"),
        ('.a["b"]', 'expected single quoted string but got "b"'),
        (".a['b'", "unexpected end of JSON path"),
        (".a['b'x]", "expected ] but got x"),
        (r".a['\x']", r"invalid string literal: invalid escape char \x"),
    ],
)
def test_a_path_leads_nowhere(path: str, fault: str) -> None:
    with pytest.raises(InvalidFieldPath) as refused:
        find(path, SCHEMA)
    assert str(refused.value) == fault


def test_brackets_may_be_refused() -> None:
    with pytest.raises(InvalidFieldPath) as refused:
        find(".a['b']", SCHEMA, brackets=False)
    assert str(refused.value) == "array notation is not allowed"
