"""Applying a configuration: what it makes of the object, and what its applier owns then."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36, KubeVersion
from tests.ownership.stories import BAG, FREE, LISTENERS, PORTS, SIZES, TAGS, Conflict, Story, entry, obj, refused


def test_the_first_apply_makes_the_object() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "nested": {"a": "x"}})
    assert story.object["metadata"]["managedFields"] == [
        entry("ann", {"f:spec": {"f:nested": {"f:a": {}}, "f:size": {}}}, time="2026-01-01T00:00:01Z")
    ]
    assert story.spec == {"size": 1, "nested": {"a": "x"}}


def test_appliers_of_different_fields_do_not_meet() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1})
    story.apply("bob", {"color": "red"})
    assert story.spec == {"size": 1, "color": "red"}
    assert story.owners == {"ann": {".size"}, "bob": {".color"}}


def test_changing_what_another_applied_is_a_conflict() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "color": "red"})
    story.apply("bob", {"size": 2, "color": "red"}, conflicts=[Conflict('"ann"', ".size")])
    assert story.spec == {"size": 1, "color": "red"}


def test_forcing_an_apply_takes_the_field_over() -> None:
    story = Story(PORTS)
    story.apply("helm", {"ports": [{"name": "web", "port": 80}]})
    story.apply("team", {"ports": [{"name": "web", "port": 81}]}, conflicts=[Conflict('"helm"', '.ports[name="web"].port')])
    story.apply("team", {"ports": [{"name": "web", "port": 81}]}, force=True)
    assert story.owners["helm"] == {'.ports[name="web"]', '.ports[name="web"].name'}
    assert story.owners["team"] == {'.ports[name="web"]', '.ports[name="web"].name', '.ports[name="web"].port'}


def test_all_who_apply_the_same_value_own_it() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1})
    story.apply("bob", {"size": 1})
    assert story.owners == {"ann": {".size"}, "bob": {".size"}}
    assert story.times == {"ann": "01", "bob": None}


def test_a_co_owner_who_changes_the_value_meets_the_others() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1})
    story.apply("bob", {"size": 1})
    story.apply("ann", {"size": 2}, conflicts=[Conflict('"bob"', ".size")])


def test_what_an_applier_names_no_longer_is_removed() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "nested": {"a": "x", "b": "y"}})
    story.apply("ann", {"size": 1, "nested": {"b": "y"}})
    assert story.spec == {"size": 1, "nested": {"b": "y"}}
    assert story.owners == {"ann": {".size", ".nested.b"}}


def test_what_another_still_applies_is_not_removed() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "color": "red"})
    story.apply("bob", {"size": 1})
    story.apply("ann", {"color": "red"})
    assert story.spec == {"size": 1, "color": "red"}
    assert story.owners == {"ann": {".color"}, "bob": {".size"}}


def test_an_object_goes_with_the_last_of_its_fields() -> None:
    story = Story(SIZES)
    story.apply("ann", {"nested": {"a": "x"}})
    story.apply("ann")
    assert "spec" not in story.object
    assert story.entries == []


def test_an_object_that_somebody_made_stays_though_it_is_empty() -> None:
    story = Story(SIZES)
    story.update("upd", {"nested": {}})
    story.apply("ann", {"nested": {"a": "x"}})
    story.apply("ann", {})
    assert story.spec == {"nested": {}}
    assert story.owners["upd"] == {".", ".nested"}


def test_nobody_removes_what_an_updater_changed_since() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "color": "red"})
    story.update("upd", {"size": 2, "color": "red"})
    story.apply("ann", {"color": "red"})
    assert story.spec == {"size": 2, "color": "red"}
    assert story.owners == {"ann": {".color"}, "upd": {".size"}}


def test_an_item_goes_though_an_updater_owns_a_field_in_it() -> None:
    story = Story(PORTS)
    story.apply("ann", {"ports": [{"name": "a"}, {"name": "b"}]})
    story.update("upd", {"ports": [{"name": "a", "note": "n"}, {"name": "b"}]})
    story.apply("ann", {"ports": [{"name": "b"}]})
    assert story.spec == {"ports": [{"name": "b"}]}


def test_applying_the_same_again_changes_nothing() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1})
    before = story.object
    story.apply("ann", {"size": 1})
    assert story.object == before


def test_time_is_renewed_by_a_change_only() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1})
    story.apply("ann", {"size": 2})
    assert story.times == {"ann": "02"}


def test_items_of_a_set_never_conflict() -> None:
    story = Story(TAGS)
    story.apply("ann", {"tags": ["a", "b"]})
    story.apply("bob", {"tags": ["b", "c"]})
    assert story.spec == {"tags": ["a", "b", "c"]}
    assert story.owners == {"ann": {'.tags[="a"]', '.tags[="b"]'}, "bob": {'.tags[="b"]', '.tags[="c"]'}}


def test_an_empty_set_is_nobodys() -> None:
    story = Story(TAGS)
    story.apply("ann", {"tags": []})
    assert story.spec == {"tags": []}
    assert story.entries == []


def test_a_missing_key_has_its_default_in_the_name_of_the_item() -> None:
    story = Story(LISTENERS)
    story.apply("ann", {"listeners": [{"port": 80}]})
    story.apply("bob", {"listeners": [{"port": 80, "proto": "TCP", "note": "n"}, {"port": 80, "proto": "UDP"}]})
    assert story.owners["ann"] == {'.listeners[port=80,proto="TCP"]', '.listeners[port=80,proto="TCP"].port'}
    assert story.spec == {"listeners": [{"port": 80, "proto": "TCP", "note": "n"}, {"port": 80, "proto": "UDP"}]}


def test_fields_that_no_schema_names_have_owners_each() -> None:
    story = Story(obj(free=FREE))
    story.apply("ann", {"free": {"a": {"b": 1}, "l": [1, 2]}})
    story.apply("bob", {"free": {"a": {"c": 2}}})
    assert story.spec == {"free": {"a": {"b": 1, "c": 2}, "l": [1, 2]}}
    assert story.owners["ann"] == {".free.a", ".free.a.b", ".free.l"}


def test_a_map_given_empty_gives_up_its_entries_only() -> None:
    story = Story(BAG)
    story.apply("ann", {"bag": {"a": "1"}, "size": 1})
    story.apply("bob", {"bag": {"b": "2"}})
    story.apply("ann", {"bag": {}, "size": 1})
    assert story.spec == {"bag": {"b": "2"}, "size": 1}
    assert story.owners["ann"] == {".bag", ".size"}


def test_what_nobody_tracked_belongs_to_an_owner_of_its_own_from_the_first_apply_on() -> None:
    story = Story(SIZES)
    story.update("upd", {"size": 1})
    story.edit([{}])
    assert story.entries == []
    story.apply("ann", {"size": 2}, conflicts=[Conflict('"before-first-apply" using g/v1', ".size")])
    story.apply("ann", {"color": "red"})
    assert story.owners == {"ann": {".color"}, "before-first-apply": {".", ".size"}}


def test_null_does_not_remove_what_others_own() -> None:
    story = Story(BAG)
    story.update("upd", {"bag": {"a": "1"}})
    story.apply("ann", {"bag": None})
    assert story.spec == {"bag": {"a": "1"}}


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"nope": 1}, ".spec.nope: field not declared in schema"),
        ({"ports": [{"name": "a", "nope": 1}]}, '.spec.ports[name="a"].nope: field not declared in schema'),
        ({"ports": [{"name": "a"}, {"name": "a"}]}, '.spec.ports: duplicate entries for key [name="a"]'),
        (5, ".spec: expected map, got &{5}"),
        (
            {"ports": [{"port": "x", "name": 1}]},
            (
                "errors:\n  .spec.ports[name=1].port: expected numeric (int or float), got string"
                "\n  .spec.ports[name=1].name: expected string, got &value.valueUnstructured{Value:1}"
            ),
        ),
    ],
)
def test_a_configuration_that_is_not_of_the_type_is_refused(spec: object, told: str) -> None:
    story = Story(PORTS)
    assert refused(lambda: story.apply("ann", spec)) == (500, f"failed to create typed patch object (/a; g/v1, Kind=Thing): {told}")


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"kind": "Other"}, "g/v1, Kind=Other"),
        ({"apiVersion": "v1"}, "/v1, Kind=Thing"),
        ({"apiVersion": None}, "/, Kind=Thing"),
        ({"apiVersion": "a/b/c"}, "/, Kind="),
        ({"apiVersion": "g/v2"}, "g/v2, Kind=Thing"),
    ],
)
def test_a_configuration_of_another_kind_is_refused(more: dict[str, str | None], shown: str) -> None:
    story = Story(SIZES)
    assert refused(lambda: story.apply("ann", {"size": 1}, more=more)) == (400, f"invalid object type: {shown}")


def test_a_configuration_tells_of_no_owners() -> None:
    story = Story(SIZES)
    metadata = {"metadata": {"name": "a", "managedFields": []}}
    assert refused(lambda: story.apply("ann", {"size": 1}, more=metadata)) == (400, "metadata.managedFields must be nil")


def test_several_conflicts_are_told_by_owner() -> None:
    story = Story(SIZES)
    story.apply("zoe", {"size": 1})
    story.update("upd", {"size": 1, "color": "red", "nested": {"a": "x"}})
    code, message = refused(lambda: story.apply("ann", {"size": 2, "color": "blue", "nested": {"a": "y"}}))
    assert code == 409
    assert message == (
        'Apply failed with 3 conflicts: conflicts with "upd" using g/v1:\n- .spec.color\n- .spec.nested.a\nconflicts with "zoe":\n- .spec.size'
    )


def test_a_conflict_tells_the_path_with_its_keys() -> None:
    story = Story(LISTENERS)
    story.apply("ann", {"listeners": [{"port": 1000000, "note": "n"}]})
    message = refused(lambda: story.apply("bob", {"listeners": [{"port": 1000000, "note": "m"}]}))[1]
    assert message == 'Apply failed with 1 conflict: conflict with "ann": .spec.listeners[port=1e+06,proto="TCP"].note'


@pytest.mark.parametrize(
    ("kube", "several", "one"), [(V1_36, [{}, {"proto": "UDP"}], [{}]), (V1_33, [{"proto": "UDP"}], None)], ids=["1.36", "1.33"]
)
def test_an_item_that_is_left_with_its_default_key_alone(kube: KubeVersion, several: Any, one: Any) -> None:
    items = {"type": "object", "properties": {"proto": {"type": "string", "default": "TCP"}, "note": {"type": "string"}}}
    listed = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["proto"], "items": items}
    for named, left in (([{}, {"proto": "UDP"}], several), ([{}], one)):
        story = Story(obj(listed=listed), kube=kube)
        story.apply("ann", {"listed": [{"proto": "TCP", "note": "x"}, {"proto": "UDP"}]})
        story.apply("ann", {"listed": named})
        assert story.spec == {"listed": left}
