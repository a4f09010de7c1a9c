"""The end of namespaces: what is told while something is left, and that all goes in the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from crdkit.controllers.namespaces import NamespaceController, Remains, conditions, with_conditions
from crdkit.registry.registry import Registry
from tests.registry.conftest import Api, kiln, kube, registry, until

NAMESPACES = ("", "v1", "namespaces")
__all__ = ["kube", "registry"]


@pytest.fixture
def api(registry: Registry) -> Api:
    return Api(registry)


@pytest.fixture
async def controller(registry: Registry) -> Any:
    controller = NamespaceController(registry, grace=0)
    await controller.start()
    yield controller
    await controller.stop()


async def hold(api: Api, namespace: str) -> None:
    """A namespace with one object in it that a finalizer holds, and one that nothing does."""
    await api.define()
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
    assert (await api.ask("create", body=body, of=NAMESPACES)).code == 201
    await api.ask("create", body=kiln("held", metadata={"finalizers": ["example.com/hold"]}), namespace=namespace)
    await api.ask("create", body=kiln("free"), namespace=namespace)


def test_what_is_left_is_told_in_the_conditions() -> None:
    remains = Remains(Counter({"crates.example.com": 2, "configmaps.": 1}), Counter({"example.com/hold": 2}))
    told = {kind: (state, message) for kind, state, _, message in conditions(remains)}
    assert told["NamespaceContentRemaining"] == (
        "True",
        "Some resources are remaining: configmaps. has 1 resource instances, crates.example.com has 2 resource instances",
    )
    assert told["NamespaceFinalizersRemaining"] == (
        "True",
        "Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances",
    )
    assert told["NamespaceDeletionContentFailure"][0] == "False"


def test_a_condition_keeps_the_time_of_its_last_change() -> None:
    first = with_conditions({}, Remains(), "then")
    second = with_conditions(first, Remains(Counter({"crates.example.com": 1})), "now")
    times = {condition["type"]: condition["lastTransitionTime"] for condition in second["status"]["conditions"]}
    assert (times["NamespaceContentRemaining"], times["NamespaceFinalizersRemaining"]) == ("now", "then")


async def test_a_namespace_goes_with_all_it_holds(api: Api, registry: Registry, controller: NamespaceController) -> None:
    await hold(api, "n")
    answer = await api.ask("delete", "n", of=NAMESPACES)
    assert (answer.code, answer.body["status"]["phase"]) == (200, "Terminating")
    await until(lambda: b"SomeResourcesRemain" in registry.cache.get("/registry/namespaces/n").value)  # type: ignore[union-attr]
    assert (await api.ask("get", "free", namespace="n")).code == 404
    refused = await api.ask("create", body=kiln("late"), namespace="n")
    assert refused.message == (
        'kilns.example.com "late" is forbidden: unable to create new content in namespace n because it is being terminated'
    )
    await api.ask("patch", "held", {"metadata": {"finalizers": None}}, type="application/merge-patch+json", namespace="n")
    await until(lambda: registry.cache.get("/registry/namespaces/n") is None)


async def test_without_a_controller_it_stays(api: Api) -> None:
    await hold(api, "n")
    await api.ask("delete", "n", of=NAMESPACES)
    assert (await api.ask("get", "n", of=NAMESPACES)).body["status"]["phase"] == "Terminating"
    assert (await api.ask("get", "free", namespace="n")).code == 200


async def test_the_namespaces_of_the_start_stay(api: Api) -> None:
    answer = await api.ask("delete", "default", of=NAMESPACES)
    assert (answer.code, answer.message) == (403, 'namespaces "default" is forbidden: this namespace may not be deleted')
    another = await api.ask("delete", "default", {"preconditions": {"uid": "x"}}, of=NAMESPACES)
    assert another.code == 409
