"""The order in which merged lists come, as real servers have it."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.ownership import fieldsets, typebuilding
from crdkit.ownership.merging import merge
from crdkit.ownership.removal import remove
from crdkit.ownership.types import Type
from crdkit.schema.structural import build
from tests.ownership.stories import BAG, FREE, PORTS, SIZES, TAGS, obj


def type_of(schema: Any) -> Type:
    return typebuilding.of_structural(build(schema), V1_36)


@pytest.mark.parametrize(
    ("live", "applied", "merged"),
    [
        ("abc", "cab", "cab"),
        ("abc", "xcyaz", "bxcyaz"),
        ("ca", "ba", "cba"),
        ("xyz", "nzmxk", "ynzmxk"),
        ("abc", "", "abc"),
        ("", "ab", "ab"),
        ("abcd", "db", "acdb"),
        ("abcd", "bxd", "abcxd"),
        ("aab", "b", "aab"),
        ("aab", "ab", "ab"),
    ],
)
def test_items_of_both_lists_follow_the_applied_order(live: str, applied: str, merged: str) -> None:
    found = merge(type_of(TAGS), {"tags": list(live)}, {"tags": list(applied)})
    assert "".join(found["tags"]) == merged


def test_items_are_merged_by_their_keys() -> None:
    live = {"ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]}
    applied = {"ports": [{"name": "b", "note": "n"}, {"name": "a", "port": 3}]}
    assert merge(type_of(PORTS), live, applied) == {"ports": [{"name": "b", "port": 2, "note": "n"}, {"name": "a", "port": 3}]}


@pytest.mark.parametrize(
    ("live", "applied", "merged"),
    [
        ({"a": 1}, 5, 5),
        (5, {"a": 1}, {"a": 1}),
        ({"a": 1}, [1], [1]),
        ({"a": 1}, None, {"a": 1}),
        ({}, None, None),
        (None, {}, {}),
        ({"a": 1}, {}, {"a": 1}),
        (1, 1.0, 1.0),
    ],
)
def test_values_of_different_sorts(live: Any, applied: Any, merged: Any) -> None:
    found = merge(type_of(obj(free=FREE)), {"free": {"x": live}}, {"free": {"x": applied}})["free"]["x"]
    assert (found, type(found)) == (merged, type(merged))


def test_a_configuration_that_says_nothing_new_leaves_the_object_itself() -> None:
    live = {"size": 1, "bag": {"a": "1", "b": "2"}}
    assert merge(type_of(BAG), live, {"size": 1, "bag": {"b": "2"}}) is live


@pytest.mark.parametrize(("kube", "left"), [(V1_36, {"nested": {}}), (V1_33, {"nested": None})])
def test_an_object_whose_fields_are_all_removed(kube: KubeVersion, left: Any) -> None:
    gone = fieldsets.of(("f:nested", "f:a"), ("f:nested", "f:b"))
    assert remove(type_of(SIZES), {"nested": {"a": "x", "b": "y"}}, gone, kube) == left


@pytest.mark.parametrize(("kube", "left"), [(V1_36, {}), (V1_33, None)])
def test_an_item_whose_fields_are_all_removed(kube: KubeVersion, left: Any) -> None:
    gone = fieldsets.of(("f:ports", 'k:{"name":"a"}', "f:name"))
    assert remove(type_of(PORTS), {"ports": [{"name": "a"}]}, gone, kube) == {"ports": [left]}
