"""Comparing, merging and the rules of ownership, on random objects."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta.version import V1_36
from crdkit.ownership import fieldsets, typebuilding
from crdkit.ownership.comparison import compare
from crdkit.ownership.extraction import fields_of
from crdkit.ownership.merging import merge
from crdkit.registry.comparison import changes_between
from crdkit.schema.structural import build
from tests.ownership import reference
from tests.ownership.stories import Story, run
from tests.ownership.strategies import EVERYTHING, SPECS

TYPE = typebuilding.of_structural(build(EVERYTHING), V1_36)


def fields_in(managed: Any) -> Any:
    return {each["manager"]: each["fieldsV1"] for each in managed}


@given(SPECS, SPECS)
def test_comparing_tells_what_the_tables_of_paths_tell(old: Any, new: Any) -> None:
    found = compare(TYPE, old, new)
    expected = reference.compare(EVERYTHING, old, new)
    told = reference.Changes(*(set(fieldsets.paths(part)) for part in found))
    assert told == reference.Changes(*(part - {()} for part in expected))


@given(SPECS, SPECS)
def test_merging_is_joining_all_parts(live: Any, applied: Any) -> None:
    before = copy.deepcopy([live, applied])
    merged = merge(TYPE, live, applied)
    assert reference.plain(EVERYTHING, merged) == reference.merge(EVERYTHING, live, applied)
    assert [live, applied] == before


@given(SPECS, SPECS)
def test_merging_keeps_both_orders(live: Any, applied: Any) -> None:
    """Applied items come as they are applied; those that only the live list has as they were there."""
    merged = merge(TYPE, live, applied).get("tags") or []
    ours, theirs = live.get("tags") or [], applied.get("tags") or []
    assert [tag for tag in merged if tag in theirs] == theirs
    assert [tag for tag in merged if tag not in theirs] == [tag for tag in ours if tag not in theirs]


@given(SPECS)
def test_a_configuration_owns_paths_that_it_has(applied: Any) -> None:
    assert set(fieldsets.paths(fields_of(TYPE, applied))) <= reference.table(EVERYTHING, applied).keys()


@given(SPECS, SPECS)
def test_applying_twice_changes_nothing(others: Any, spec: Any) -> None:
    story = Story(EVERYTHING)
    story.update("upd", others)
    story.apply("ann", spec, force=True)
    before = copy.deepcopy(story.object)
    story.apply("ann", spec)
    assert story.object == before


@given(SPECS, SPECS)
def test_what_is_applied_is_in_the_object_and_owned(others: Any, spec: Any) -> None:
    story = Story(EVERYTHING)
    story.update("upd", others)
    story.apply("ann", spec, force=True)
    assert merge(TYPE, story.spec or {}, spec) == (story.spec or {})
    owned = fields_in(story.entries).get("ann", {}).get("f:spec", {})
    assert fieldsets.difference(fields_of(TYPE, spec), owned) == {}


@given(SPECS, SPECS)
def test_an_update_that_changes_nothing_takes_nothing(mine: Any, yours: Any) -> None:
    story = Story(EVERYTHING)
    story.apply("ann", mine)
    story.apply("bob", yours, force=True)
    before = story.entries
    story.update("upd", copy.deepcopy(story.spec))
    assert story.entries == before


@given(SPECS, SPECS)
def test_an_apply_of_values_that_are_there_takes_nothing(mine: Any, yours: Any) -> None:
    story = Story(EVERYTHING)
    story.apply("ann", mine)
    story.update("upd", yours)
    before = fields_in(story.entries)
    story.apply("bob", copy.deepcopy(story.spec))
    after = fields_in(story.entries)
    assert {name: after[name] for name in before} == before


@given(SPECS)
def test_who_gives_up_all_leaves_nothing(spec: Any) -> None:
    story = Story(EVERYTHING)
    story.apply("ann", {**spec, "size": 1})
    story.apply("ann")
    assert story.entries == []
    assert {name: value for name, value in (story.spec or {}).items() if value != []} == {}


@given(SPECS, SPECS)
def test_who_gives_up_all_takes_nothing_from_others(mine: Any, yours: Any) -> None:
    story = Story(EVERYTHING)
    story.apply("bob", yours)
    before = copy.deepcopy(story.spec)
    story.apply("ann", {name: value for name, value in mine.items() if name not in yours})
    story.apply("ann")
    kept = {name: value for name, value in (story.spec or {}).items() if value != []}
    assert kept == {name: value for name, value in before.items() if value != []}


@given(SPECS, SPECS)
def test_a_remembered_shape_gives_what_comparing_with_nothing_gives(first: Any, second: Any) -> None:
    """One manager sees many objects; what it remembers of one must not show in another's owners."""
    manager = Story(EVERYTHING).manager("v1")

    def created(spec: Any) -> Any:
        thing: Any = {"apiVersion": "g/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
        manager.create(thing, "ann", "2026-01-01T00:00:00Z")
        return thing["metadata"]["managedFields"][0]["fieldsV1"]

    for spec in (first, second, first):
        written = compare(TYPE, {}, spec).written
        assert created(spec) == {"f:spec": {".": {}, **written} if written else {}}


@given(SPECS, SPECS, st.sampled_from([{}, {"size": "text"}, {"nested": {"deep": 1}}, {"unknown": 1}]), st.booleans())
def test_an_old_object_known_to_be_of_the_type_has_the_same_owners_after_a_patch(mine: Any, yours: Any, wrong: Any, whole: Any) -> None:
    """Also where the new one is not of the type, and has no owners; and where it is known what differs."""
    story = Story(EVERYTHING)
    story.update("ann", mine)
    story.update("bob", {**mine, **yours})
    story.apply("cid", {"size": 1, **mine}, force=True)
    live = story.object

    def owners(*, sound: bool, knows_changes: bool = False) -> Any:
        spec = copy.deepcopy({**(yours if whole else live["spec"]), **mine, **wrong})
        new = {**live, "metadata": {**live["metadata"], "labels": {"a": "b"}}, "spec": spec}
        manager, now = story.manager("v1"), "2026-01-01T00:00:09Z"
        if not knows_changes:
            run(manager.update(live, new, "upd", now, sound=sound))
        else:
            assert manager.follow(live, new, changes_between(new, live), "upd", now)
        return new["metadata"].get("managedFields")

    assert owners(sound=True) == owners(sound=False)
    assert owners(sound=True, knows_changes=True) == owners(sound=False)
    assert not wrong or owners(sound=True) is None
