"""The official Python client, `kubernetes`: generated calls, the dynamic client, watch and informer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Self

import pytest

from crdkit.testing import Server
from tests.clients.widgets import DEFINITION, GROUP, OF_WIDGETS, VERSION, WIDGETS, widget

urllib3 = pytest.importorskip("urllib3", reason="comes with the Python client")
kubernetes = pytest.importorskip("kubernetes", reason="needs the Python client: pip install kubernetes")

APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
STEPS = "application/json-patch+json"
SOON = 10.0


@pytest.fixture
def client(server: Server) -> Iterator[Any]:
    with kubernetes.config.new_client_from_config(str(server.kubeconfig)) as client:
        yield client
        client.rest_client.close()


@pytest.fixture
def api(client: Any) -> Any:
    return kubernetes.client.CustomObjectsApi(client)


@pytest.fixture
def make(api: Any) -> Callable[..., dict[str, Any]]:
    def make(name: str, labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
        made: dict[str, Any] = api.create_namespaced_custom_object(**WIDGETS, body=widget(name, labels, **spec))
        return made

    return make


def refusal(call: Callable[..., Any], **arguments: Any) -> Any:
    with pytest.raises(kubernetes.client.ApiException) as raised:
        call(**arguments)
    return raised.value


def test_an_object_is_created_read_replaced_and_deleted(api: Any, make: Any) -> None:
    made = make("a", size=1)
    assert made["spec"] == {"size": 1, "color": "grey"}
    assert api.get_namespaced_custom_object(**WIDGETS, name="a") == made
    replaced = api.replace_namespaced_custom_object(**WIDGETS, name="a", body={**made, "spec": {"size": 2}})
    assert (replaced["spec"], replaced["metadata"]["generation"]) == ({"size": 2, "color": "grey"}, 2)
    stale = refusal(api.replace_namespaced_custom_object, **WIDGETS, name="a", body={**made, "spec": {"size": 3}})
    assert (stale.status, stale.reason) == (409, "Conflict")
    deleted = api.delete_namespaced_custom_object(**WIDGETS, name="a")
    assert (deleted["status"], deleted["details"]["name"]) == ("Success", "a")
    assert refusal(api.get_namespaced_custom_object, **WIDGETS, name="a").status == 404


def test_what_is_not_valid_is_refused(api: Any, make: Any) -> None:
    refused = refusal(api.create_namespaced_custom_object, **WIDGETS, body=widget("a", size=-1))
    assert (refused.status, refused.reason) == (422, "Unprocessable Entity")
    assert "spec.size in body should be greater than or equal to 0" in refused.body
    unknown = widget("a", weight=1)
    refused = refusal(api.create_namespaced_custom_object, **WIDGETS, body=unknown, field_validation="Strict")
    assert (refused.status, 'unknown field \\"spec.weight\\"' in refused.body) == (400, True)
    assert api.create_namespaced_custom_object(**WIDGETS, body=unknown, dry_run="All")["spec"] == {"color": "grey"}
    assert refusal(api.get_namespaced_custom_object, **WIDGETS, name="a").status == 404


def test_a_list_comes_in_pages_and_by_label(api: Any, make: Any) -> None:
    for number in range(5):
        make(f"w{number}", {"even": str(number % 2 == 0)})
    first = api.list_namespaced_custom_object(**WIDGETS, limit=2)
    assert (names(first), first["metadata"]["remainingItemCount"]) == (["w0", "w1"], 3)
    make("late")
    second = api.list_namespaced_custom_object(**WIDGETS, limit=2, _continue=first["metadata"]["continue"])
    third = api.list_namespaced_custom_object(**WIDGETS, limit=2, _continue=second["metadata"]["continue"])
    assert names(second) + names(third) == ["w2", "w3", "w4"]
    assert third["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]
    assert names(api.list_namespaced_custom_object(**WIDGETS, label_selector="even=False")) == ["w1", "w3"]
    assert names(api.list_custom_object_for_all_namespaces(**of_resource())) == ["late", "w0", "w1", "w2", "w3", "w4"]


def names(listed: Any) -> list[str]:
    return [item["metadata"]["name"] for item in listed["items"]]


def of_resource() -> dict[str, str]:
    """What a call across namespaces names its resource by."""
    return {"group": GROUP, "version": VERSION, "resource_plural": OF_WIDGETS["plural"]}


def test_patches_of_each_kind(api: Any, make: Any) -> None:
    make("a", size=1)
    steps = [{"op": "test", "path": "/spec/size", "value": 1}, {"op": "replace", "path": "/spec/size", "value": 2}]
    patched = api.patch_namespaced_custom_object(**WIDGETS, name="a", body=steps, _content_type=STEPS)
    assert patched["spec"] == {"size": 2, "color": "grey"}
    refused = refusal(api.patch_namespaced_custom_object, **WIDGETS, name="a", body=steps, _content_type=STEPS)
    assert (refused.status, "the server rejected our request" in refused.body) == (422, True)
    merged = api.patch_namespaced_custom_object(**WIDGETS, name="a", body={"spec": {"size": None, "color": "red"}}, _content_type=MERGE)
    assert merged["spec"] == {"color": "red"}


def test_server_side_apply_owns_what_it_sets(api: Any) -> None:
    def apply(manager: str, body: dict[str, Any], **options: Any) -> Any:
        options = {"field_manager": manager, "_content_type": APPLY, **options}
        api.patch_namespaced_custom_object(**WIDGETS, name="a", body=body, **options)
        return api.get_namespaced_custom_object(**WIDGETS, name="a")  # the client keeps no answer to a patch that creates

    assert apply("one", widget("a", size=1, parts=[{"name": "arm"}]))["spec"]["parts"] == [{"name": "arm"}]
    both = apply("two", widget("a", parts=[{"name": "leg", "count": 2}]))
    assert both["spec"]["parts"] == [{"name": "arm"}, {"name": "leg", "count": 2}]
    owners = {(entry["manager"], entry["operation"]) for entry in both["metadata"]["managedFields"]}
    assert owners == {("one", "Apply"), ("two", "Apply")}
    conflict = refusal(lambda: apply("two", widget("a", size=2)))
    assert conflict.status == 409
    assert 'conflict with \\"one\\": .spec.size' in conflict.body
    assert apply("two", widget("a", size=2), force=True)["spec"] == {"size": 2, "color": "grey", "parts": [{"name": "arm"}]}


def test_status_and_scale_are_written_apart(api: Any, make: Any) -> None:
    made = make("a", size=1)
    told = {**made, "spec": {"size": 9}, "status": {"size": 1}}
    written = api.replace_namespaced_custom_object_status(**WIDGETS, name="a", body=told)
    assert (written["spec"]["size"], written["status"], written["metadata"]["generation"]) == (1, {"size": 1}, 1)
    patched = api.patch_namespaced_custom_object_status(**WIDGETS, name="a", body={"status": {"phase": "on"}}, _content_type=MERGE)
    assert patched["status"] == {"size": 1, "phase": "on"}
    api.patch_namespaced_custom_object_scale(**WIDGETS, name="a", body={"spec": {"replicas": 4}}, _content_type=MERGE)
    scale = api.get_namespaced_custom_object_scale(**WIDGETS, name="a")
    assert (scale["kind"], scale["spec"], scale["status"]["replicas"]) == ("Scale", {"replicas": 4}, 1)


def test_delete_options_are_heeded(api: Any, make: Any) -> None:
    made = make("a")
    options = kubernetes.client.V1DeleteOptions(preconditions=kubernetes.client.V1Preconditions(uid="another"))
    refused = refusal(api.delete_namespaced_custom_object, **WIDGETS, name="a", body=options)
    assert (refused.status, "the UID in the precondition" in refused.body) == (409, True)
    options.preconditions.uid = made["metadata"]["uid"]
    options.propagation_policy = "Foreground"
    options.dry_run = ["All"]
    held = api.delete_namespaced_custom_object(**WIDGETS, name="a", body=options)
    assert held["metadata"]["finalizers"] == ["foregroundDeletion"]
    options.dry_run, options.propagation_policy = None, "Background"
    assert api.delete_namespaced_custom_object(**WIDGETS, name="a", body=options)["status"] == "Success"
    make("b", {"gone": "soon"})
    make("c")
    api.delete_collection_namespaced_custom_object(**WIDGETS, label_selector="gone=soon")
    assert "b" not in names(api.list_namespaced_custom_object(**WIDGETS))


def events(api: Any, count: int, **options: Any) -> list[tuple[str, str]]:
    """The first events of a watch, as kind and name."""
    watch = kubernetes.watch.Watch()
    seen: list[tuple[str, str]] = []
    for event in watch.stream(api.list_namespaced_custom_object, **WIDGETS, timeout_seconds=int(SOON), **options):
        seen.append((event["type"], event["object"]["metadata"]["name"]))
        if len(seen) == count:
            watch.stop()
    return seen


def test_a_watch_resumes_after_the_version_it_has_seen(api: Any, make: Any) -> None:
    make("a")
    version = api.list_namespaced_custom_object(**WIDGETS)["metadata"]["resourceVersion"]
    made = make("b")
    api.patch_namespaced_custom_object(**WIDGETS, name="a", body={"spec": {"size": 1}}, _content_type=MERGE)
    api.delete_namespaced_custom_object(**WIDGETS, name="b")
    assert events(api, 3, resource_version=version) == [("ADDED", "b"), ("MODIFIED", "a"), ("DELETED", "b")]
    assert events(api, 2, resource_version=made["metadata"]["resourceVersion"]) == [("MODIFIED", "a"), ("DELETED", "b")]
    assert events(api, 1) == [("ADDED", "a")]


def test_a_watch_from_too_long_ago_is_told_so(api: Any, make: Any) -> None:
    make("a")
    expired = refusal(lambda: events(api, 1, resource_version="1"))
    assert (expired.status, expired.reason.partition(" (")[0]) == (410, "Expired: too old resource version: 1")


class Mirror:
    """What an informer does: list, watch from there on, and list anew when that is too long ago."""

    def __init__(self, api: Any, start: str) -> None:
        self.objects: dict[str, Any] = {}
        self.lists = 0
        self._api, self._version, self._watch = api, start, kubernetes.watch.Watch()
        self._changed = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._follow)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        self._watch.stop()
        self._thread.join(SOON)

    def shows(self, **sizes: int) -> bool:
        """Whether it soon shows these objects, and no others."""
        with self._changed:
            return self._changed.wait_for(lambda: {name: obj["spec"]["size"] for name, obj in self.objects.items()} == sizes, SOON)

    def _follow(self) -> None:
        while not self._stopped:
            try:
                for event in self._watch.stream(self._api.list_namespaced_custom_object, **WIDGETS, resource_version=self._version):
                    self._take(event["type"], event["object"])
            except kubernetes.client.ApiException as error:
                assert error.status == 410  # noqa: PT017 (the loop goes on after it)
                self._list()
            except urllib3.exceptions.ProtocolError:
                assert self._stopped, "the server broke a watch off"

    def _list(self) -> None:
        listed = self._api.list_namespaced_custom_object(**WIDGETS)
        with self._changed:
            self.lists += 1
            self.objects = {item["metadata"]["name"]: item for item in listed["items"]}
            self._version = listed["metadata"]["resourceVersion"]
            self._changed.notify()

    def _take(self, kind: str, obj: Any) -> None:
        with self._changed:
            if kind == "DELETED":
                del self.objects[obj["metadata"]["name"]]
            else:
                self.objects[obj["metadata"]["name"]] = obj
            self._version = obj["metadata"]["resourceVersion"]
            self._changed.notify()


def test_a_mirror_of_all_objects_stays_true(api: Any, make: Any) -> None:
    make("a", size=1)
    with Mirror(api, start="1") as mirror:
        assert mirror.shows(a=1)
        make("b", size=2)
        api.patch_namespaced_custom_object(**WIDGETS, name="a", body={"spec": {"size": 3}}, _content_type=MERGE)
        assert mirror.shows(a=3, b=2)
        api.delete_namespaced_custom_object(**WIDGETS, name="a")
        assert mirror.shows(b=2)
        assert mirror.lists == 1


def test_the_informer_of_the_client_follows_definitions(client: Any) -> None:
    informer = pytest.importorskip("kubernetes.informer", reason="this Python client has no informer")
    extensions = kubernetes.client.ApiextensionsV1Api(client)
    added, deleted = threading.Event(), threading.Event()
    shared = informer.SharedInformer(extensions.list_custom_resource_definition)
    shared.add_event_handler("ADDED", lambda _: added.set())
    shared.add_event_handler("DELETED", lambda _: deleted.set())
    shared.start()
    try:
        assert added.wait(SOON)
        assert [one.metadata.name for one in shared.cache.list()] == [DEFINITION["metadata"]["name"]]
        extensions.delete_custom_resource_definition(DEFINITION["metadata"]["name"])
        assert deleted.wait(SOON)
        assert shared.cache.list() == []
    finally:
        shared.stop()


def test_definitions_are_typed_objects(client: Any) -> None:
    extensions = kubernetes.client.ApiextensionsV1Api(client)
    body = {
        **DEFINITION,
        "metadata": {"name": "gears.example.com"},
        "spec": {**DEFINITION["spec"], "names": {"plural": "gears", "kind": "Gear"}},
    }
    made = extensions.create_custom_resource_definition(body)
    assert (made.spec.names.singular, made.spec.conversion.strategy) == ("gear", "None")
    watch = kubernetes.watch.Watch()
    chosen = {"field_selector": "metadata.name=gears.example.com", "timeout_seconds": int(SOON)}
    for event in watch.stream(extensions.list_custom_resource_definition, **chosen):
        conditions = {one.type: one.status for one in event["object"].status.conditions or ()}
        if conditions.get("Established") == "True":
            watch.stop()
    assert conditions == {"NamesAccepted": "True", "Established": "True"}
    read = extensions.read_custom_resource_definition("gears.example.com")
    assert read.spec.versions[0].schema.open_apiv3_schema.properties["spec"].properties["color"].default == "grey"
    extensions.delete_custom_resource_definition("gears.example.com")
    for event in watch.stream(extensions.list_custom_resource_definition, **chosen, resource_version=read.metadata.resource_version):
        if event["type"] == "DELETED":
            watch.stop()
    assert refusal(extensions.read_custom_resource_definition, name="gears.example.com").status == 404


def test_the_dynamic_client_discovers_and_does_it_all(client: Any) -> None:
    dynamic = kubernetes.dynamic.DynamicClient(client)
    widgets = dynamic.resources.get(api_version=f"{GROUP}/{VERSION}", kind="Widget")
    assert (widgets.name, widgets.namespaced, widgets.short_names, sorted(widgets.subresources)) == (
        "widgets",
        True,
        ["wd"],
        ["scale", "status"],
    )
    made = widgets.create(body=widget("a", size=1), namespace="default")
    assert made.spec.color == "grey"
    patched = widgets.patch(body={"spec": {"size": 2}}, name="a", namespace="default", content_type=MERGE)
    assert patched.spec.size == 2
    patched = widgets.status.patch(body={"status": {"size": 2}}, name="a", namespace="default", content_type=MERGE)
    assert patched.status.size == 2
    event = next(widgets.watch(namespace="default", name="a", timeout=int(SOON)))
    assert (event["type"], event["object"].metadata.name) == ("ADDED", "a")
    with pytest.raises(kubernetes.dynamic.exceptions.ConflictError):
        widgets.create(body=widget("a"), namespace="default")
    widgets.delete(name="a", namespace="default")
    with pytest.raises(kubernetes.dynamic.exceptions.NotFoundError):
        widgets.get(name="a", namespace="default")


def test_the_dynamic_client_applies(client: Any) -> None:
    widgets = kubernetes.dynamic.DynamicClient(client).resources.get(api_version=f"{GROUP}/{VERSION}", kind="Widget")
    widgets.server_side_apply(body=widget("a", size=1), namespace="default", field_manager="one")
    with pytest.raises(kubernetes.dynamic.exceptions.ConflictError):
        widgets.server_side_apply(body=widget("a", size=2), namespace="default", field_manager="two")
    applied = widgets.server_side_apply(body=widget("a", size=2), namespace="default", field_manager="two", force_conflicts=True)
    assert applied.spec.size == 2
