"""lightkube, as charms and controllers on it use a server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from crdkit.testing import Server
from tests.clients.widgets import GROUP, VERSION, widget

lightkube = pytest.importorskip("lightkube", reason="needs lightkube: pip install lightkube")
generic = pytest.importorskip("lightkube.generic_resource")
PatchType = pytest.importorskip("lightkube.types").PatchType


@pytest.fixture
def client(server: Server) -> Iterator[Any]:
    config = lightkube.KubeConfig.from_file(server.kubeconfig)
    with lightkube.Client(config=config, namespace="default", field_manager="light") as client:
        yield client


@pytest.fixture
def Widget() -> Any:  # noqa: N802 (a class)
    return generic.create_namespaced_resource(GROUP, VERSION, "Widget", "widgets")


def test_its_definition_makes_a_resource_known(client: Any) -> None:
    generic.load_in_cluster_generic_resources(client)
    found = generic.get_generic_resource(f"{GROUP}/{VERSION}", "Widget")
    assert client.create(found(widget("a")), namespace="default").spec == {"color": "grey"}
    assert [one.metadata.name for one in client.list(found)] == ["a"]


def test_an_object_is_created_replaced_patched_and_deleted(client: Any, Widget: Any) -> None:  # noqa: N803
    made = client.create(Widget(widget("a", size=1)))
    made["spec"]["size"] = 2
    assert client.replace(made).metadata.generation == 2
    assert client.patch(Widget, "a", {"spec": {"color": "red"}}, patch_type=PatchType.MERGE).spec == {"size": 2, "color": "red"}
    steps = [{"op": "remove", "path": "/spec/size"}]
    assert client.patch(Widget, "a", steps, patch_type=PatchType.JSON).spec == {"color": "red"}
    client.delete(Widget, "a")
    with pytest.raises(lightkube.ApiError) as gone:
        client.get(Widget, "a")
    assert (gone.value.status.code, gone.value.status.message) == (404, f'widgets.{GROUP} "a" not found')


def test_a_list_is_read_in_chunks_and_by_label(client: Any, Widget: Any) -> None:  # noqa: N803
    for number in range(5):
        client.create(Widget(widget(f"w{number}", {"even": str(number % 2 == 0)})))
    listed = client.list(Widget, chunk_size=2)
    assert [one.metadata.name for one in listed] == ["w0", "w1", "w2", "w3", "w4"]
    assert [one.metadata.name for one in client.list(Widget, labels={"even": "False"})] == ["w1", "w3"]


def test_an_object_is_applied(client: Any, Widget: Any) -> None:  # noqa: N803
    assert client.apply(Widget(widget("a", size=1))).spec == {"size": 1, "color": "grey"}
    with pytest.raises(lightkube.ApiError) as conflict:
        client.apply(Widget(widget("a", size=2)), field_manager="other")
    assert conflict.value.status.code == 409
    assert client.apply(Widget(widget("a", size=2)), field_manager="other", force=True).spec["size"] == 2
    assert client.apply(Widget(widget("a"))).spec["size"] == 2


def test_the_status_is_applied_apart(client: Any, Widget: Any) -> None:  # noqa: N803
    client.create(Widget(widget("a", size=1)))
    status = client.apply(Widget.Status({**widget("a"), "status": {"size": 1}})).status
    assert status == {"size": 1}
    assert client.get(Widget, "a").status == {"size": 1}


def test_a_watch_tells_what_happens(client: Any, Widget: Any) -> None:  # noqa: N803
    version = client.create(Widget(widget("a"))).metadata.resourceVersion
    client.patch(Widget, "a", {"spec": {"size": 1}}, patch_type=PatchType.MERGE)
    client.delete(Widget, "a")
    told = client.watch(Widget, resource_version=version, server_timeout=10)
    assert [(kind, obj.metadata.name) for kind, obj in (next(told), next(told))] == [("MODIFIED", "a"), ("DELETED", "a")]
    told.close()


def test_a_condition_is_waited_for(client: Any, Widget: Any) -> None:  # noqa: N803
    client.create(Widget(widget("a")))
    status = {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}
    client.patch(Widget.Status, "a", status, patch_type=PatchType.MERGE)
    assert client.wait(Widget, "a", for_conditions=["Ready"]).metadata.name == "a"
