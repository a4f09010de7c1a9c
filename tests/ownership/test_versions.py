"""Owners that wrote in different versions of a definition."""

from __future__ import annotations

from typing import Any

from crdkit.ownership.versions import ConversionFailed
from tests.ownership.stories import INTEGER, SIZES, TEXT, Conflict, Story, obj, refused

TWO = {"v1": SIZES, "v2": SIZES}


def test_an_entry_tells_the_version_it_was_written_in() -> None:
    story = Story(versions=TWO)
    story.update("upd", {"size": 1})
    story.update("upd", {"size": 1, "color": "red"}, version="v2")
    assert [(entry["apiVersion"], entry["fieldsV1"]) for entry in story.entries] == [
        ("g/v1", {"f:spec": {".": {}, "f:size": {}}}),
        ("g/v2", {"f:spec": {"f:color": {}}}),
    ]


def test_an_applier_has_one_entry_whatever_the_version() -> None:
    story = Story(versions=TWO)
    story.apply("ann", {"size": 1, "color": "red"}, version="v2")
    story.apply("ann", {"size": 1}, version="v1")
    assert story.spec == {"size": 1}
    assert [entry["apiVersion"] for entry in story.entries] == ["g/v1"]


def test_a_conflict_tells_the_version_of_an_updater() -> None:
    story = Story(versions=TWO)
    story.update("upd", {"size": 1}, version="v2")
    story.apply("ann", {"size": 2}, conflicts=[Conflict('"upd" using g/v2', ".size")])


def test_sets_are_compared_with_the_object_as_their_version_has_it() -> None:
    async def convert(thing: Any, api_version: str) -> Any:
        names = ("size", "width") if api_version == "g/v2" else ("width", "size")
        spec = {names[1] if name == names[0] else name: value for name, value in thing["spec"].items()}
        return {**thing, "apiVersion": api_version, "spec": spec}

    story = Story(versions={"v1": obj(size=INTEGER, color=TEXT), "v2": obj(width=INTEGER, color=TEXT)})
    story.convert = convert
    story.apply("ann", {"width": 1, "color": "red"}, version="v2")
    story.object["spec"] = {"size": 1, "color": "red"}
    story.apply("bob", {"size": 2}, conflicts=[Conflict('"ann"', ".width")])
    story.update("upd", {"size": 2, "color": "red"})
    assert story.owners == {"ann": {".color"}, "upd": {".size"}}


def test_an_object_that_another_owners_version_cannot_hold_loses_its_owners() -> None:
    story = Story(versions={"v1": obj(size=INTEGER, newer=TEXT), "v2": obj(size=INTEGER)})
    story.apply("ann", {"size": 1}, version="v2")
    told = "failed to convert new object: .spec.newer: field not declared in schema"
    assert refused(lambda: story.apply("bob", {"newer": "x"})) == (500, told)
    story.update("upd", {"size": 1, "newer": "x"})
    assert story.entries == []


def test_an_owner_of_a_version_that_is_gone_keeps_others_from_applying() -> None:
    story = Story(versions=TWO)
    story.apply("ann", {"size": 1}, version="v2")
    story.change_schema(SIZES)
    assert refused(lambda: story.apply("bob", {"color": "red"})) == (500, "request to convert CR to an invalid group/version: g/v2")
    story.update("upd", {"size": 2})
    assert story.entries == []


def test_a_failing_converter_is_told_to_who_applies() -> None:
    async def convert(thing: Any, api_version: str) -> Any:
        raise ConversionFailed("conversion webhook failed")

    story = Story(versions=TWO)
    story.apply("ann", {"size": 1}, version="v2")
    story.convert = convert
    assert refused(lambda: story.apply("bob", {"color": "red"})) == (500, "conversion webhook failed")


def test_what_was_given_up_and_cannot_be_converted_is_told_so() -> None:
    async def convert(thing: Any, api_version: str) -> Any:
        if "color" not in thing["spec"]:
            raise ConversionFailed("no color")
        return {**thing, "apiVersion": api_version}

    story = Story(versions={"v1": SIZES, "v2": SIZES})
    story.apply("ann", {"size": 1, "color": "red"})
    story.apply("bob", {"size": 1}, version="v2")
    story.convert = convert
    told = "failed to prune fields: failed add back owned items: failed to convert pruned object at version g/v2: no color"
    assert refused(lambda: story.apply("ann", {"size": 1})) == (500, told)


def test_objects_are_converted_by_way_of_the_version_asked_for() -> None:
    asked: list[tuple[str, str]] = []

    async def convert(thing: Any, api_version: str) -> Any:
        asked.append((thing["apiVersion"], api_version))
        return {**thing, "apiVersion": api_version}

    story = Story(versions={"v1": SIZES, "v2": SIZES, "v3": SIZES})
    story.apply("ann", {"size": 1, "color": "red"}, version="v2")
    story.update("upd", {"size": 1, "color": "red", "nested": {}}, version="v3")
    story.convert = convert
    story.apply("ann", {"size": 1})
    assert story.spec == {"size": 1, "nested": {}}
    assert ("g/v2", "g/v3") not in asked
    assert ("g/v2", "g/v1") in asked


def test_a_live_object_that_another_owners_version_cannot_hold_cannot_be_applied_to() -> None:
    story = Story(versions={"v1": SIZES, "v2": SIZES})
    story.apply("ann", {"size": 1, "color": "red"}, version="v2")
    story.change_schema(versions={"v1": SIZES, "v2": obj(size=INTEGER)})
    assert refused(lambda: story.apply("bob", {"nested": {}})) == (500, ".spec.color: field not declared in schema")


def test_a_live_object_that_is_no_longer_of_its_type_is_told_so() -> None:
    story = Story(SIZES)
    story.apply("ann", {"size": 1, "color": "red"})
    story.change_schema(obj(size=INTEGER, color=INTEGER))
    told = "failed to create typed live object (/a; g/v1, Kind=Thing): .spec.color: expected numeric (int or float), got string"
    assert refused(lambda: story.apply("bob", {"size": 1})) == (500, told)
    story.edit([{}])
    told = f"failed to create manager for existing fields: {told.replace('create typed live object', 'convert new object')}"
    assert refused(lambda: story.apply("bob", {"size": 1})) == (500, told.replace("): .spec", ") to smd typed: .spec"))
