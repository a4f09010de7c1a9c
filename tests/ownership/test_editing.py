"""Clients that write ``metadata.managedFields`` themselves."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ownership.stories import SIZES, Story, entry

SIZE: Any = {"f:spec": {"f:size": {}}}


@pytest.fixture
def story() -> Story:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "color": "red"})
    return story


@pytest.mark.parametrize("given", [[], [{}]])
def test_owners_can_be_forgotten(story: Story, given: Any) -> None:
    story.edit(given)
    assert story.entries == []


@pytest.mark.parametrize("given", [None, [{}, {}], [entry("eve", SIZE, operation="Take")], [entry("eve", SIZE), entry("eve", {"x": {}})]])
def test_what_is_unusable_is_overlooked(story: Story, given: Any) -> None:
    before = story.entries
    story.edit(given)
    assert story.entries == before


@pytest.mark.parametrize(
    "given",
    [
        {**entry("eve", SIZE), "apiVersion": ""},
        {**entry("eve", SIZE), "fieldsType": ""},
        {**entry("eve", SIZE), "fieldsType": "FieldsV2"},
        entry("eve", {"f:spec": []}),
        entry("eve", "x"),
        entry("eve", {"k:{": {}}),
        entry("eve", {"v:": {}}),
        entry("eve", {"i:x": {}}),
        entry("eve", {"k:1": {}}),
        entry("eve", {"f": {}}),
    ],
)
def test_an_unusable_entry_spoils_the_list(story: Story, given: Any) -> None:
    before = story.entries
    story.edit([entry("bob", SIZE), given])
    assert story.entries == before


def test_a_usable_list_takes_the_place_of_all_owners(story: Story) -> None:
    story.edit([entry("eve", SIZE, time="2020-01-01T00:00:00Z"), entry("bob", SIZE, operation="Update")])
    assert story.owners == {"eve": {".size"}, "bob": {".size"}}
    assert story.times == {"eve": "00", "bob": None}


def test_elements_are_kept_in_one_form(story: Story) -> None:
    story.edit([entry("eve", {"f:l": {'k:{"b": 1.0,  "a":"<"}': {}, "v: 2.50": {}, "i:007": None, "z:": {}, ".": {}}})])
    assert story.entries[0]["fieldsV1"] == {"f:l": {".": {}, "i:7": {}, 'k:{"a":"\\u003c","b":1}': {}, "v:2.5": {}}}


def test_an_owner_of_nothing_is_none(story: Story) -> None:
    story.edit([entry("eve", {"z:later": {}})])
    assert story.entries == []


def test_what_nobody_can_own_is_given_up_once_it_changes(story: Story) -> None:
    """A list may claim it, and is taken at its word until then."""
    story.edit([entry("eve", {"f:metadata": {"f:generation": {}, "f:labels": {}}, **SIZE}, operation="Update")])
    story.object["metadata"]["generation"] = 1
    story.update("eve", {"size": 1, "color": "blue"}, more={"metadata": {"name": "a", "generation": 2}})
    assert story.entries[0]["fieldsV1"] == {"f:metadata": {"f:labels": {}}, "f:spec": {"f:color": {}, "f:size": {}}}


def test_the_last_of_an_owners_entries_counts(story: Story) -> None:
    story.edit([entry("eve", SIZE), entry("eve", {"f:spec": {"f:color": {}}}, version="v0")])
    assert story.owners == {}, "an entry of a version that is not there cannot be compared, so that all are lost"
    assert story.spec == {"size": 1, "color": "red"}


def test_subresources_do_not_change_owners_by_hand(story: Story) -> None:
    before = story.entries
    story.edit([{}], subresource="status")
    assert story.entries == before
