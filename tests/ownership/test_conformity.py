"""What is told of values that are not of their type."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.ownership import typebuilding
from crdkit.ownership.conformity import NotOfType, conforms, explain, require_beside
from crdkit.schema.structural import build
from tests.ownership.stories import FREE, INTEGER, LISTENERS, PORTS, TAGS, TEXT, obj

ANY = {"x-kubernetes-int-or-string": True}
PLAIN = obj(l={"type": "array", "items": obj(a=TEXT)})


def told(schema: Any, value: Any, kube: KubeVersion = V1_36, *, duplicates: bool = False) -> list[str]:
    type_ = typebuilding.of_structural(build(obj(s=schema)), kube).map
    assert type_ is not None
    found = [str(mismatch) for mismatch in explain(type_.fields["s"], value, duplicates=duplicates)]
    assert conforms(type_.fields["s"], value) == (not [text for text in found if "duplicate" not in text])
    return found


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (TEXT, None),
        (INTEGER, 1.5),
        (ANY, "x"),
        (ANY, 1),
        (ANY, {"a": 1}),
        (FREE, [1]),
        (FREE, {"a": [{"b": None}]}),
        (TAGS, {"tags": None}),
    ],
)
def test_values_of_their_type(schema: Any, value: Any) -> None:
    if schema is FREE and isinstance(value, list):
        assert told(schema, value) == ["expected map, got &{[1]}"]
    else:
        assert told(schema, value) == []


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        (INTEGER, "1", "expected numeric (int or float), got string"),
        (INTEGER, {}, "expected numeric (int or float), got map[string]interface {}"),
        (TEXT, 5, "expected string, got &value.valueUnstructured{Value:5}"),
        (TEXT, ["a"], 'expected string, got &value.valueUnstructured{Value:[]interface {}{"a"}}'),
        ({"type": "boolean"}, "yes", "expected boolean, got &{yes}"),
        ({"type": "string", "format": "date"}, {"a": 1}, "expected any scalar, got &{map[a:1]}"),
        (TAGS, {"tags": {"a": 1}}, ".tags: expected list, got &{map[a:1]}"),
        (PLAIN, {"l": [{"a": "x"}, {"b": 1}]}, ".l[1].b: field not declared in schema"),
        (TAGS, {"tags": ["a", "a"]}, '.tags: duplicate entries for key [="a"]'),
        (TAGS, {"tags": ["a", None]}, ".tags: element 1: associative list without keys has an element that's an explicit null"),
        (TAGS, {"tags": [{}]}, ".tags: element 0: associative list without keys has an element that's a map type"),
        (TAGS, {"tags": [[]]}, ".tags: element 0: not supported: associative list with lists as elements"),
        (PORTS, {"ports": [None]}, ".ports: element 0: associative list with keys may not have a null element"),
        (PORTS, {"ports": ["a"]}, ".ports: element 0: associative list with keys may not have non-map elements"),
        (
            LISTENERS,
            {"listeners": [{"port": 1}, {"port": 1, "proto": "TCP"}]},
            '.listeners: duplicate entries for key [port=1,proto="TCP"]',
        ),
    ],
)
def test_values_of_another(schema: Any, value: Any, text: str) -> None:
    assert told(schema, value) == [text]


@pytest.mark.parametrize(
    ("kube", "keys", "text"),
    [
        (V1_36, "all key fields [{}] (and doesn't have default values for any key fields)", '"name"'),
        (V1_33, "key field {} (and doesn't have default value)", '"name"'),
    ],
)
def test_an_item_without_its_keys(kube: KubeVersion, keys: str, text: str) -> None:
    expected = f".ports: element 0: associative list with keys has an element that omits {keys.format(text)}"
    assert told(PORTS, {"ports": [{"port": 1}]}, kube) == [expected]


def test_one_key_of_several_is_enough_since_1_34() -> None:
    assert told(LISTENERS, {"listeners": [{"proto": "UDP"}]}) == []
    assert told(LISTENERS, {"listeners": [{"proto": "UDP"}]}, V1_33) == [
        '.listeners: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)'
    ]


def test_live_objects_may_have_duplicates() -> None:
    assert told(TAGS, {"tags": ["a", "a"]}, duplicates=True) == []


def test_a_null_that_was_not_there_is_looked_at() -> None:
    type_ = typebuilding.of_structural(build(obj(s=TEXT)), V1_36)
    require_beside(type_, {"s": None}, {})
    with pytest.raises(NotOfType):
        require_beside(type_, {"t": None}, {})
