"""The list of owners: names, order, bounds, times."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.ownership.agents import manager_name
from crdkit.ownership.manager import keep_times
from tests.ownership.stories import BAG, Story, entry, managers_of

SIZE: Any = {"f:spec": {"f:size": {}}}


@pytest.mark.parametrize(
    ("field_manager", "user_agent", "name"),
    [
        ("ann", "kubectl/v1", "ann"),
        ("", "kubectl/v1.36 (linux/amd64)", "kubectl"),
        ("", "my tool", "my tool"),
        ("", "a\x07b\u00a0c", "abc"),
        ("", "", "unknown"),
        ("", "/x", "unknown"),
        ("", "é" * 70, "é" * 64),
        ("", "a" * 127 + "é", "a" * 127),
        ("", "a\udc80", "a\ufffd"),
    ],
)
def test_a_request_is_named_by_itself_or_its_program(field_manager: str, user_agent: str, name: str) -> None:
    assert manager_name(field_manager, user_agent) == name


def test_appliers_come_first_then_the_oldest() -> None:
    listed = managers_of(
        entry("c", SIZE, operation="Update", time="2026-01-01T00:00:02Z"),
        entry("b", SIZE, operation="Update", time="2026-01-01T00:00:02Z"),
        entry("a", SIZE, operation="Update", time="2026-01-01T00:00:03Z"),
        entry("z", SIZE, operation="Update"),
        entry("b", SIZE, time="2026-01-01T00:00:09Z"),
        entry("b", SIZE, operation="Update", time="2026-01-01T00:00:02Z", subresource="status"),
        entry("b", SIZE, operation="Update", time="2026-01-01T00:00:02Z", version="v0"),
    )
    shown = [(each["operation"], each["manager"], each["apiVersion"], each.get("subresource")) for each in listed]
    assert shown == [
        ("Apply", "b", "g/v1", None),
        ("Update", "z", "g/v1", None),
        ("Update", "b", "g/v0", None),
        ("Update", "b", "g/v1", None),
        ("Update", "b", "g/v1", "status"),
        ("Update", "c", "g/v1", None),
        ("Update", "a", "g/v1", None),
    ]


def test_the_oldest_of_more_than_ten_updaters_are_joined() -> None:
    story = Story(BAG)
    story.apply("applier", {"size": 1})
    bag: dict[str, str] = {}
    for number in range(12):
        bag[f"k{number}"] = "v"
        story.update(f"m{number:02}", {"bag": dict(bag), "size": 1})
    names = [each["manager"] for each in story.entries]
    assert names == ["applier", "ancient-changes", *(f"m{number:02}" for number in range(3, 12))]
    assert story.owners["ancient-changes"] == {".bag", ".bag.k0", ".bag.k1", ".bag.k2"}
    assert story.times["ancient-changes"] == "04"


def test_times_do_not_change_alone() -> None:
    live = {"metadata": {"managedFields": [entry("a", SIZE, time="t1")]}, "spec": {"size": 1}}
    new = {"metadata": {"managedFields": [entry("a", SIZE, time="t2")]}, "spec": {"size": 1}}
    changed = {"metadata": {"managedFields": [entry("a", SIZE, time="t2")]}, "spec": {"size": 2}}
    keep_times(new, live)
    keep_times(changed, live)
    assert new == live
    assert changed["metadata"]["managedFields"][0]["time"] == "t2"
