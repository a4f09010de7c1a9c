"""What differs is named: all of it, and of what is equal nothing."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.meta.changes import REMOVED, WRITTEN, Changes, Places, are_real, changes_of, same
from crdkit.registry.patches.mergepatch import merged, merged_into

NAMES = st.sampled_from(("a", "b", "c"))
SCALARS = st.sampled_from((None, True, False, 0, 1, 1.0, 2, "", "x"))
JSON = st.recursive(SCALARS, lambda below: st.one_of(st.lists(below, max_size=2), st.dictionaries(NAMES, below, max_size=3)), max_leaves=8)
OBJECTS = st.dictionaries(NAMES, JSON, max_size=3)
MANY = settings(max_examples=100, deadline=None)


def followed(changes: Changes, new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """The old object with nothing taken from the new one but what differs."""
    found = dict(old)
    for name, below in changes.items():
        if below is REMOVED:
            del found[name]
        elif below is WRITTEN:
            found[name] = new[name]
        else:
            found[name] = followed(below, new[name], old[name])
    return found


@MANY
@given(OBJECTS, OBJECTS)
def test_what_differs_makes_the_one_out_of_the_other(new: dict[str, Any], old: dict[str, Any]) -> None:
    changes = changes_of(new, old)
    assert same(followed(changes, new, old), new)
    assert bool(changes) is not same(new, old)
    assert are_real(changes, new, old) is not same(new, old)


def test_numbers_and_truth_are_told_apart() -> None:
    old = {"a": 1, "b": [1], "c": {"a": 0}}
    assert changes_of({"a": True, "b": [1.0], "c": {"a": False}}, old) == {"a": WRITTEN, "b": WRITTEN, "c": {"a": WRITTEN}}
    assert changes_of(copy.deepcopy(old), old) == {}


def test_a_null_is_not_a_field_that_was_not_there() -> None:
    assert changes_of({"a": None}, {}) == {"a": WRITTEN}
    assert changes_of({}, {"a": None}) == {"a": REMOVED}


def test_what_became_equal_again_is_no_change() -> None:
    old = {"a": {"b": 1}, "c": 2}
    changes: Changes = {"a": {"b": WRITTEN}, "c": REMOVED}
    assert are_real(changes, {"a": {"b": 1}}, old)
    assert are_real({"d": Places({1: WRITTEN})}, {"d": [1, 2]}, {"d": [1, 3]})
    assert not are_real({"d": Places({1: WRITTEN})}, {"d": [1, 2]}, {"d": [1, 2]})
    assert not are_real(changes, copy.deepcopy(old), old)


@MANY
@given(OBJECTS, OBJECTS)
def test_a_merge_patch_tells_what_differs(old: dict[str, Any], patch: dict[str, Any]) -> None:
    before = copy.deepcopy(old)
    new, changes = merged_into(old, patch)
    assert same(new, merged(old, patch))
    assert changes == changes_of(new, old)
    assert same(old, before)
