"""kr8s, as scripts on it use a server."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.testing import Server
from tests.clients.widgets import GROUP, VERSION, widget

kr8s = pytest.importorskip("kr8s", reason="needs kr8s: pip install kr8s")
objects = pytest.importorskip("kr8s.asyncio.objects")
pytestmark = pytest.mark.filterwarnings("ignore:Kubernetes version .* is not supported")  # the newest is not known to it yet


@pytest.fixture
async def api(server: Server) -> Any:
    api = await kr8s.asyncio.api(kubeconfig=str(server.kubeconfig), namespace="default")
    yield api
    await api._session.aclose()


@pytest.fixture
def Widget() -> Any:  # noqa: N802 (a class)
    return objects.new_class("Widget", f"{GROUP}/{VERSION}", asyncio=True, namespaced=True, scalable=True, scalable_spec="size")


async def test_an_object_is_created_patched_scaled_and_deleted(api: Any, Widget: Any) -> None:  # noqa: N803
    made = await Widget(widget("a", size=1), api=api)
    await made.create()
    assert made.spec == {"size": 1, "color": "grey"}
    await made.patch({"spec": {"color": "red"}})
    await made.patch([{"op": "replace", "path": "/spec/size", "value": 2}], type="json")
    await made.patch({"status": {"size": 2}}, subresource="status")
    assert (made.spec, made.status) == ({"size": 2, "color": "red"}, {"size": 2})
    await made.label(kind="first")
    await made.annotate(note="mine")
    found = await Widget.get("a", api=api)
    assert (found.labels, found.annotations) == ({"kind": "first"}, {"note": "mine"})
    await made.delete()
    assert not await made.exists()


async def test_a_kind_is_looked_up_by_its_name(api: Any, Widget: Any) -> None:  # noqa: N803
    await (await Widget(widget("a", {"team": "red"}), api=api)).create()
    await (await Widget(widget("b"), api=api)).create()
    for name in ("widgets", "wd", f"widgets.{VERSION}.{GROUP}"):
        assert [one.name async for one in api.get(name)] == ["a", "b"]
    assert [one.name async for one in api.get("widgets", label_selector={"team": "red"})] == ["a"]
    assert [one async for one in api.get("widgets", "c")] == []


async def test_a_watch_tells_what_happens(api: Any, Widget: Any) -> None:  # noqa: N803
    made = await Widget(widget("a", size=1), api=api)
    await made.create()
    told = []
    async for kind, seen in api.watch("widgets"):
        told.append((kind, seen.spec.get("size")))
        if kind == "ADDED":
            await made.patch({"spec": {"size": 2}})
        elif kind == "MODIFIED":
            await made.delete()
        else:
            break
    assert told == [("ADDED", 1), ("MODIFIED", 2), ("DELETED", 2)]


async def test_an_object_is_applied_by_hand(api: Any, Widget: Any) -> None:  # noqa: N803
    """kr8s has no apply of its own; its users send the request."""
    request = {
        "version": f"{GROUP}/{VERSION}",
        "namespace": "default",
        "url": "widgets/a",
        "params": {"fieldManager": "script"},
        "headers": {"content-type": "application/apply-patch+yaml"},
        "json": widget("a", size=1),
    }
    async with api.call_api("PATCH", **request) as made:
        assert made.status_code == 201
    assert (await Widget.get("a", api=api)).metadata.managedFields[0].operation == "Apply"


async def test_a_condition_is_waited_for(api: Any, Widget: Any) -> None:  # noqa: N803
    made = await Widget(widget("a"), api=api)
    await made.create()
    await made.patch({"status": {"conditions": [{"type": "Ready", "status": "True"}]}}, subresource="status")
    await made.wait("condition=Ready", timeout=5)


async def test_what_is_not_valid_is_refused(api: Any, Widget: Any) -> None:  # noqa: N803
    with pytest.raises(kr8s.ServerError, match=r"spec\.size in body should be greater than or equal to 0"):
        await (await Widget(widget("a", size=-1), api=api)).create()
