"""Objects seen through several versions of their definition, converted by their apiVersion alone."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import DEFINITIONS, GROUP, MERGE, Api, kiln


def version(name: str, *, storage: bool = False, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}}
    return {"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": schema}}


TEXT = {"type": "string"}


async def test_each_version_shows_the_fields_it_knows(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True, both=TEXT, one=TEXT), version("v2", both=TEXT, two=TEXT)])
    await api.ask("create", body=kiln(spec={"both": "x", "one": "y"}))
    seen = (await api.ask("get", "a", version="v2")).body
    assert (seen["apiVersion"], seen["spec"]) == (f"{GROUP}/v2", {"both": "x"})


async def test_a_field_that_the_stored_version_does_not_know_is_gone_at_once(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True, both=TEXT), version("v2", both=TEXT, two=TEXT)])
    answer = await api.ask("create", body=kiln(version="v2", spec={"both": "x", "two": "y"}), version="v2")
    assert answer.body["spec"] == {"both": "x"}


async def test_a_body_is_of_the_version_of_its_path(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True), version("v2")])
    answer = await api.ask("create", body=kiln(version="v2"))
    assert answer.message == "the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)"


async def test_an_update_moves_an_object_to_the_new_storage_version(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True), version("v2")])
    before = (await api.ask("create", body=kiln())).body["metadata"]
    switched = {"spec": {"versions": [version("v1"), version("v2", storage=True)]}}
    await api.ask("patch", f"kilns.{GROUP}", switched, type=MERGE, of=DEFINITIONS)
    after = (await api.ask("patch", "a", {}, type=MERGE)).body["metadata"]
    assert after["resourceVersion"] != before["resourceVersion"]
    assert after["generation"] == before["generation"]


async def test_a_default_shows_once_what_was_carried_over_from_another_version_is_stored(api: Api) -> None:
    def versions(stored: str) -> list[dict[str, Any]]:
        one = {**version("v1", storage=stored == "v1", heat={**TEXT, "default": "low"}), "subresources": {"status": {}}}
        return [one, version("v2", storage=stored == "v2")]

    await api.define(versions=versions("v2"))
    await api.ask("create", body=kiln(version="v2", spec={}), version="v2")
    await api.ask("patch", f"kilns.{GROUP}", {"spec": {"versions": versions("v1")}}, type=MERGE, of=DEFINITIONS)
    answer = await api.ask("patch", "a", {"metadata": {"labels": {"a": "b"}}}, type=MERGE, subresource="status")
    assert (answer.code, answer.body["spec"]) == (200, {"heat": "low"})
    assert (await api.ask("get", "a")).body == answer.body


async def test_a_field_that_leaves_the_schema_comes_back_with_it(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True, heat=TEXT)])
    await api.ask("create", body=kiln(spec={"heat": "high"}))
    for properties, shown in (({}, {}), ({"heat": TEXT}, {"heat": "high"})):
        changed = {"spec": {"versions": [version("v1", storage=True, **properties)]}}
        await api.ask("patch", f"kilns.{GROUP}", changed, type=MERGE, of=DEFINITIONS)
        assert (await api.ask("get", "a")).body["spec"] == shown
        assert (await api.ask("list")).body["items"][0]["spec"] == shown


async def test_a_default_that_is_new_shows_but_is_not_stored(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True, heat=TEXT)])
    created = (await api.ask("create", body=kiln(spec={}))).body
    changed = {"spec": {"versions": [version("v1", storage=True, heat={**TEXT, "default": "low"})]}}
    await api.ask("patch", f"kilns.{GROUP}", changed, type=MERGE, of=DEFINITIONS)
    read = (await api.ask("get", "a")).body
    assert (read["spec"], read["metadata"]) == ({"heat": "low"}, created["metadata"])
    stored = (await api.ask("patch", "a", {}, type=MERGE)).body["metadata"]
    assert stored["resourceVersion"] != created["metadata"]["resourceVersion"]
    assert stored["generation"] == 1


async def test_a_version_that_is_not_served_is_not_there(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True), {**version("v2"), "served": False}])
    assert (await api.ask("list", version="v2")).body == "404 page not found\n"


async def test_a_deprecated_version_warns(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True), {**version("v1beta1"), "deprecated": True}])
    answer = await api.ask("get", "a", version="v1beta1")
    assert (answer.code, answer.warnings) == (404, [f"{GROUP}/v1beta1 Kiln is deprecated; use {GROUP}/v1 Kiln"])


APPLY = "application/apply-patch+yaml"
JSON_PATCH = "application/json-patch+json"
LABELS = {"labels": {"a": "b"}}


@pytest.mark.parametrize(
    ("patch", "kind"),
    [
        ({"metadata": LABELS}, MERGE),
        ([{"op": "add", "path": "/metadata/labels", "value": {"a": "b"}}], JSON_PATCH),
        (kiln(version="v2") | {"metadata": {"name": "a", **LABELS}}, APPLY),
    ],
)
async def test_a_default_of_the_version_alone_is_a_change_of_what_is_patched(api: Api, patch: Any, kind: str) -> None:
    await api.define(versions=[version("v1", storage=True, both=TEXT), version("v2", both=TEXT, two=TEXT | {"default": "x"})])
    await api.ask("create", body=kiln(spec={"both": "y"}))
    patched = (await api.ask("patch", "a", version="v2", body=patch, type=kind, query="fieldManager=me")).body
    assert (patched["spec"], patched["metadata"]["generation"]) == ({"both": "y"}, 2)


async def test_applying_what_is_there_fills_nothing_in(api: Api) -> None:
    await api.define(versions=[version("v1", storage=True, both=TEXT), version("v2", both=TEXT, two=TEXT | {"default": "x"})])
    await api.ask("create", body=kiln(spec={"both": "y"}))
    body = kiln(version="v2", spec={"both": "y"})
    applied = (await api.ask("patch", "a", version="v2", body=body, type=APPLY, query="fieldManager=me")).body
    assert applied["metadata"]["generation"] == 1


async def test_a_patch_of_the_status_that_names_another_version_leaves_the_rest(api: Api) -> None:
    versions = [version("v1", storage=True, both=TEXT), version("v2", both=TEXT, two=TEXT | {"default": "x"})]
    await api.define(versions=[{**one, "subresources": {"status": {}}} for one in versions])
    await api.ask("create", body=kiln(spec={"both": "y"}))
    body = {"apiVersion": f"{GROUP}/v2"}
    patched = (await api.ask("patch", "a", subresource="status", body=body, type=MERGE)).body
    assert (patched["apiVersion"], patched["spec"]) == (f"{GROUP}/v1", {"both": "y"})
    assert (await api.ask("get", "a")).body["spec"] == {"both": "y"}
