"""Creates, updates and patches: who changes a field owns it alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ownership.stories import BAG, FREE, LISTENERS, PORTS, SIZES, TAGS, Story, entry, obj


def test_the_creator_owns_all_there_is() -> None:
    story = Story(SIZES)
    story.update("upd", {"size": 1, "nested": {"a": "x"}})
    fields = {"f:spec": {".": {}, "f:nested": {".": {}, "f:a": {}}, "f:size": {}}}
    assert story.entries == [entry("upd", fields, operation="Update", time="2026-01-01T00:00:01Z")]


def test_metadata_that_the_server_keeps_has_no_owner() -> None:
    story = Story(SIZES)
    metadata = {"name": "a", "namespace": "n", "labels": {"a": "b"}, "finalizers": ["g/f"], "generateName": "a-"}
    story.update("upd", more={"metadata": metadata})
    owned = {"f:metadata": {"f:finalizers": {".": {}, 'v:"g/f"': {}}, "f:generateName": {}, "f:labels": {".": {}, "f:a": {}}}}
    assert story.entries[0]["fieldsV1"] == owned


def test_an_object_that_nobody_put_anything_in_is_not_tracked() -> None:
    story = Story(SIZES)
    story.update("upd")
    story.update("upd", {"size": 1})
    assert story.entries == []


def test_a_changed_field_changes_hands() -> None:
    story = Story(SIZES)
    story.update("ann", {"size": 1, "color": "red"})
    story.update("bob", {"size": 2, "color": "red"})
    assert story.owners == {"ann": {".", ".color"}, "bob": {".size"}}
    assert story.times == {"ann": "01", "bob": "02"}


def test_the_same_value_changes_nothing() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1})
    before = story.object
    story.update("upd", {"size": 1.0})
    assert story.entries == before["metadata"]["managedFields"]


def test_a_removed_field_is_nobodys() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "color": "red"})
    story.update("upd", {"size": 1})
    assert story.owners == {"ann": {".size"}}
    assert story.times == {"ann": "01"}


def test_an_owner_with_nothing_left_is_forgotten() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1})
    story.update("upd", {"size": 2})
    assert story.owners == {"upd": {".size"}}


def test_an_emptied_map_stays_with_who_made_it() -> None:
    story = Story(BAG)
    story.update("ann", {"bag": {"a": "1"}})
    story.update("bob", {"bag": {}})
    assert story.entries[0]["fieldsV1"] == {"f:spec": {".": {}, "f:bag": {}}}


@pytest.mark.parametrize(
    ("schema", "before", "after"),
    [
        (TAGS, {"tags": ["a", "b"]}, {"tags": ["b", "a"]}),
        (PORTS, {"ports": [{"name": "a"}, {"name": "b"}]}, {"ports": [{"name": "b"}, {"name": "a"}]}),
    ],
    ids=["a set", "a map list"],
)
def test_another_order_is_no_change(schema: Any, before: Any, after: Any) -> None:
    story = Story(schema)
    story.update("ann", before)
    story.update("bob", after)
    assert story.owners.keys() == {"ann"}
    assert story.spec == after


def test_another_order_of_an_atomic_list_is_one() -> None:
    story = Story(obj(l={"type": "array", "items": {"type": "string"}}))
    story.update("ann", {"l": ["a", "b"]})
    story.update("bob", {"l": ["b", "a"]})
    assert story.owners == {"ann": {"."}, "bob": {".l"}}


def test_a_new_item_belongs_to_who_adds_it_with_all_its_fields() -> None:
    story = Story(PORTS)
    story.update("ann", {"ports": [{"name": "a", "port": 1}]})
    story.update("bob", {"ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]})
    assert story.owners["bob"] == {'.ports[name="b"]', '.ports[name="b"].name', '.ports[name="b"].port'}


def test_items_of_one_name_are_owned_as_one() -> None:
    story = Story(PORTS)
    story.update("ann", {"ports": [{"name": "a", "port": 1}, {"name": "a", "port": 2}]})
    assert story.owners["ann"] == {".", ".ports", '.ports[name="a"]'}
    story.update("bob", {"ports": [{"name": "a", "port": 1}]})
    assert story.owners == {"ann": {".", ".ports"}, "bob": {'.ports[name="a"]', '.ports[name="a"].name', '.ports[name="a"].port'}}


def test_true_is_not_one() -> None:
    story = Story(obj(free=FREE))
    story.update("ann", {"free": {"a": 1, "b": [1]}})
    story.update("bob", {"free": {"a": True, "b": [True]}})
    assert story.owners["bob"] == {".free.a", ".free.b"}


def test_a_value_of_another_sort() -> None:
    story = Story(obj(free=FREE))
    story.update("ann", {"free": {"a": {"x": 1}, "b": 1}})
    story.update("bob", {"free": {"a": 1, "b": {"x": 1}}})
    assert story.owners == {"ann": {".", ".free"}, "bob": {".free.a", ".free.b", ".free.b.x"}}


def test_who_creates_twice_of_a_shape_owns_the_same() -> None:
    """The fields of the first are remembered; values must not leak from one object into the other's."""
    manager = Story(LISTENERS).manager("v1")

    def created(port: int) -> Any:
        made = {"apiVersion": "g/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"listeners": [{"port": port}]}}
        manager.create(made, "ann", "2026-01-01T00:00:00Z")
        return made["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:listeners"]  # type: ignore[index]

    first = created(1)
    assert created(1) is first
    assert created(2) == {".": {}, 'k:{"port":2,"proto":"TCP"}': {".": {}, "f:port": {}}}


def test_a_set_of_objects_cannot_be_tracked() -> None:
    story = Story(
        obj(s={"type": "array", "x-kubernetes-list-type": "set", "items": {**obj(a={"type": "string"}), "x-kubernetes-map-type": "atomic"}})
    )
    story.update("ann", {"s": [{"a": "x"}]})
    assert story.entries == []
