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


@pytest.mark.parametrize("patch", [{"a": {"$patch": "grow"}}, {"items": [{"v": 1}]}])
def test_a_patch_that_makes_no_sense_is_refused(patch: Any) -> None:
    with pytest.raises(BadPatch):
        merged({"a": {}, "items": []}, patch, KEYS)
