"""Strategic merge patch."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.registry.patches.strategicpatch import BadPatch, merged

KEYS = {"items": "name", "plain": ""}


@pytest.mark.parametrize(
    ("before", "patch", "after"),
    [
        ({"other": [1]}, {"other": [2]}, {"other": [2]}),
        ({"a": {"b": 1}}, {"a": {"c": 2, "b": None}}, {"a": {"c": 2}}),
        ({"a": {"b": 1}}, {"a": {"$patch": "replace", "c": 2}}, {"a": {"c": 2}}),
        ({"a": {"b": 1}}, {"a": {"$patch": "delete"}}, {"a": {}}),
        (
            {"items": [{"name": "x", "v": 1}]},
            {"items": [{"name": "x", "w": 2}, {"name": "y"}]},
            {"items": [{"name": "x", "v": 1, "w": 2}, {"name": "y"}]},
        ),
        ({"items": [{"name": "x"}, {"name": "y"}]}, {"items": [{"name": "x", "$patch": "delete"}]}, {"items": [{"name": "y"}]}),
        ({"items": [{"name": "x"}]}, {"items": [{"$patch": "replace"}, {"name": "z"}]}, {"items": [{"name": "z"}]}),
        ({"plain": ["a"]}, {"plain": ["a", "b"]}, {"plain": ["a", "b"]}),
        ({"plain": ["a", "b"]}, {"$deleteFromPrimitiveList/plain": ["a"]}, {"plain": ["b"]}),
        (
            {"items": [{"name": "x"}, {"name": "y"}]},
            {"$setElementOrder/items": [{"name": "y"}, {"name": "x"}]},
            {"items": [{"name": "y"}, {"name": "x"}]},
        ),
        ({"a": 1, "b": 2}, {"$retainKeys": ["b"], "b": 3}, {"b": 3}),
    ],
)
def test_a_patch_is_merged(before: Any, patch: Any, after: Any) -> None:
    assert merged(before, patch, KEYS) == after


def test_the_object_stays_as_it_was() -> None:
    before = {"items": [{"name": "x", "v": 1}]}
    merged(before, {"items": [{"name": "x", "v": 2}]}, KEYS)
    assert before == {"items": [{"name": "x", "v": 1}]}


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        ({"a": {"$patch": "grow"}}, "unknown patch type: grow in map: map[$patch:grow]"),
        ({"items": [{"v": 1}]}, "map: map[v:1] does not contain declared merge key: name"),
        ({"items": [5]}, "list element types are not identical: [[map[name:x]] [5]]"),
        ({"plain": ["b", 5]}, "list element types are not identical: [[a] [b 5]]"),
        ({"$setElementOrder/items": "x"}, "expected a []interface {}, but received a string"),
        ({"$setElementOrder/a": ["x"]}, "expected a []interface {}, but received a map[string]interface {}"),
        ({"$setElementOrder/items": ["x"], "items": "x"}, "expected a []interface {}, but received a string"),
        ({"$setElementOrder/items": [5], "items": [{"name": "x"}]}, "expected a map[string]interface {}, but received a int64"),
        (
            {"$setElementOrder/items": [{"name": "y"}], "items": [{"name": "x"}]},
            "The order in patch list:\n[map[name:x]]\n doesn't match $setElementOrder list:\n[map[name:y]]\n",
        ),
        (
            {"$setElementOrder/plain": ["b", "a"], "plain": ["a", "b"]},
            "The order in patch list:\n[a b]\n doesn't match $setElementOrder list:\n[b a]\n",
        ),
    ],
)
def test_a_patch_that_makes_no_sense_is_refused(patch: Any, why: str) -> None:
    with pytest.raises(BadPatch) as refused:
        merged({"a": {}, "items": [{"name": "x"}], "plain": ["a"]}, patch, KEYS)
    assert str(refused.value) == why
