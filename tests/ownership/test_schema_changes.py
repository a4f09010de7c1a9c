"""Owners whose sets were written before the schema changed."""

from __future__ import annotations

from typing import Any

from tests.ownership.stories import TAGS, TEXT, Conflict, Story, obj

ATOMIC: Any = {"type": "array", "items": TEXT}
BAG: Any = {"type": "object", "additionalProperties": TEXT}


def test_a_set_that_became_one_value_is_owned_as_one() -> None:
    story = Story(TAGS)
    story.apply("ann", {"tags": ["a"]})
    story.apply("bob", {"tags": ["b"]})
    story.change_schema(obj(tags=ATOMIC))
    story.apply("carl", {"tags": ["c"]}, conflicts=[Conflict('"ann"', ".tags"), Conflict('"bob"', ".tags")])
    story.update("upd", {"tags": ["c"]})
    assert story.owners == {"upd": {".tags"}}


def test_a_map_that_became_one_value_is_owned_as_one() -> None:
    story = Story(obj(bag=BAG))
    story.apply("ann", {"bag": {"a": "1", "b": "2"}})
    story.change_schema(obj(bag={**BAG, "x-kubernetes-map-type": "atomic"}, other=TEXT))
    story.update("upd", {"bag": {"a": "1", "b": "2"}, "other": "x"})
    assert story.owners == {"ann": {".bag"}, "upd": {".other"}}


def test_a_list_that_became_a_set_stays_owned_as_a_whole_until_it_is_written() -> None:
    story = Story(obj(tags=ATOMIC))
    story.apply("ann", {"tags": ["a"]})
    story.change_schema(TAGS)
    story.apply("bob", {"tags": ["b"]})
    assert story.spec == {"tags": ["a", "b"]}
    assert story.owners == {"ann": {".tags"}, "bob": {'.tags[="b"]'}}
    story.apply("ann", {"tags": ["a"]})
    assert story.owners == {"ann": {'.tags[="a"]'}, "bob": {'.tags[="b"]'}}


def test_a_field_that_is_gone_is_owned_until_its_owner_writes_again() -> None:
    story = Story(obj(a=TEXT, b=TEXT))
    story.apply("ann", {"a": "x", "b": "y"})
    story.change_schema(obj(a=TEXT))
    story.object["spec"] = {"a": "x"}
    story.update("upd", {"a": "z"})
    assert story.owners == {"ann": {".b"}, "upd": {".a"}}
    story.apply("ann", {"a": "z"})
    assert story.owners == {"ann": {".a"}, "upd": {".a"}}


def test_an_update_of_an_object_that_was_not_of_its_type_loses_the_owners() -> None:
    for spec in ({"size": "1", "color": "red"}, {"size": 1, "color": "red"}):
        story = Story(obj(size=TEXT, color=TEXT))
        story.apply("ann", {"size": "1"})
        story.change_schema(obj(size={"type": "integer"}, color=TEXT))
        story.update("upd", spec)
        assert story.entries == []
