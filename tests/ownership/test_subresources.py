"""What is owned through the status and scale of an object."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.ownership.scaling import ScaleFieldManager, ScaleOwners
from tests.ownership.stories import SIZES, Story, definition, entry, refused, run

STATUS: Any = {"status": {"phase": "x"}}


def test_status_is_owned_through_its_own_endpoint_only() -> None:
    story = Story(SIZES, status=True)
    story.update("upd", {"size": 1}, more=STATUS)
    story.object.pop("status")
    story.update("ctl", {"size": 2}, subresource="status", more=STATUS)
    assert story.entries == [
        entry("upd", {"f:spec": {".": {}, "f:size": {}}}, operation="Update", time="2026-01-01T00:00:01Z"),
        entry("ctl", {"f:status": {".": {}, "f:phase": {}}}, operation="Update", subresource="status", time="2026-01-01T00:00:02Z"),
    ]


def test_one_manager_has_an_entry_for_each_subresource() -> None:
    story = Story(SIZES, status=True)
    story.apply("ann", {"size": 1})
    story.apply("ann", subresource="status", more=STATUS)
    assert [(entry["fieldsV1"], entry.get("subresource")) for entry in story.entries] == [
        ({"f:spec": {"f:size": {}}}, None),
        ({"f:status": {"f:phase": {}}}, "status"),
    ]


@pytest.mark.parametrize(("kube", "owned"), [(V1_36, set()), (V1_33, {".metadata.labels.a"})])
def test_labels_sent_to_status(kube: KubeVersion, owned: set[str]) -> None:
    story = Story(SIZES, status=True, kube=kube)
    story.update("upd", {"size": 1})
    metadata = {"metadata": {"name": "a", "labels": {"a": "b"}}}
    story.apply("ctl", subresource="status", more={**metadata, **STATUS})
    assert story.owners["ctl"] == {".status.phase", *owned}


@pytest.mark.parametrize(
    ("kube", "unserved", "owned"),
    [(V1_36, "", {".", ".size"}), (V1_36, "v1", {"."}), (V1_33, "", {"."})],
    ids=["served", "unserved", "1.33"],
)
def test_a_spec_sent_to_status_in_another_version(kube: KubeVersion, unserved: str, owned: set[str]) -> None:
    story = Story(versions={"v1": SIZES, "v2": SIZES}, status=True, kube=kube, unserved=[unserved])
    story.update("upd", {"size": 1})
    story.update("ctl", {"size": 2}, version="v2", subresource="status")
    assert story.owners["upd"] == owned


def test_a_conflict_tells_the_subresource() -> None:
    story = Story(SIZES, status=True)
    story.update("upd", {"size": 1})
    story.update("ctl", {"size": 1}, subresource="status", more=STATUS)
    message = refused(lambda: story.apply("ann", subresource="status", more={"status": {"phase": "y"}}))[1]
    assert message == 'Apply failed with 1 conflict: conflict with "ctl" with subresource "status" using g/v1: .status.phase'


REPLICAS: Any = {"f:spec": {"f:replicas": {}}}


@pytest.fixture
def owners() -> ScaleOwners:
    version = definition({"v1": SIZES, "v2": SIZES}, scale=".spec.replicas").version("v1")
    assert version is not None
    return ScaleOwners(version)


def scale(replicas: int, managed: Any = None) -> Any:
    metadata = {"name": "a", "uid": "u", **({"managedFields": managed} if managed else {})}
    return {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": metadata, "spec": {"replicas": replicas}}


def test_a_scale_is_told_who_owns_the_replicas(owners: ScaleOwners) -> None:
    parent = [entry("ann", {"f:spec": {"f:replicas": {}, "f:size": {}}}, time="t"), entry("bob", {"f:spec": {"f:size": {}}})]
    assert owners.of_scale(parent) == [{**entry("ann", REPLICAS, time="t"), "apiVersion": "autoscaling/v1"}]


def test_who_scales_takes_the_replicas_and_has_no_time(owners: ScaleOwners) -> None:
    parent = [entry("ann", {"f:spec": {"f:replicas": {}, "f:size": {}}}, time="t")]
    new = scale(5)
    run(ScaleFieldManager(V1_36).update(scale(2, owners.of_scale(parent)), new, "hpa", "2026-01-01T00:00:00Z"))
    assert owners.of_parent(parent, new["metadata"]["managedFields"]) == [
        entry("ann", {"f:spec": {"f:size": {}}}, time="t"),
        entry("hpa", REPLICAS, operation="Update", subresource="scale"),
    ]


def test_a_scale_that_nobody_owns_is_not_tracked(owners: ScaleOwners) -> None:
    new = scale(5)
    run(ScaleFieldManager(V1_36).update(scale(2), new, "hpa", "2026-01-01T00:00:00Z"))
    assert "managedFields" not in new["metadata"]


def test_applying_a_scale_works_only_where_it_changes_nothing(owners: ScaleOwners) -> None:
    live = scale(2, owners.of_scale([entry("ann", REPLICAS)]))
    manager = ScaleFieldManager(V1_36)

    def apply(replicas: int, live: Any = live) -> Any:
        return run(manager.apply(live, scale(replicas), "hpa", force=True, now="2026-01-01T00:00:00Z")).new

    assert [entry["manager"] for entry in apply(2)["metadata"]["managedFields"]] == ["ann", "hpa"]
    unconverted = "request to convert CR to an invalid group/version: autoscaling/v1"
    told = f"failed to convert new object (/a; autoscaling/v1, Kind=Scale) to proper version: {unconverted}"
    assert refused(lambda: apply(3)) == (500, told)
    told = f"failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: {unconverted}"
    assert refused(lambda: apply(3, scale(2))) == (500, f"failed to create manager for existing fields: {told}")
