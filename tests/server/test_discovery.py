"""The discovery documents, one by one and in one."""

from __future__ import annotations

from crdkit.builtin.kinds import DEFINITION, NAMESPACE, storage_version_hash
from crdkit.definitions.definition import Definition
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33, V1_36
from crdkit.server import aggregated, discovery
from crdkit.server.discovery import Catalogue
from tests.server.kites import kite, version

STATUS: JsonObject = {"status": {}}
SCALE: JsonObject = {"scale": {"specReplicasPath": ".spec.lines", "statusReplicasPath": ".status.lines"}}
READ_AND_WRITE = ["get", "patch", "update"]


def catalogue(*definitions: Definition) -> Catalogue:
    return Catalogue((NAMESPACE, DEFINITION), definitions)


def test_versions_of_a_group_stand_by_priority_and_the_first_is_preferred() -> None:
    names = ("v1alpha1", "foo", "v2beta1", "v2", "v10", "bar", "v10beta3")
    served = [version(name, storage=name == "foo") for name in names]
    document = discovery.group(catalogue(kite(*served, version("v3", served=False))), "example.com")
    assert document is not None
    assert [each["version"] for each in document["versions"]] == ["v10", "v2", "v10beta3", "v2beta1", "v1alpha1", "bar", "foo"]
    assert document["preferredVersion"] == {"groupVersion": "example.com/v10", "version": "v10"}


def test_a_group_counts_definitions_whose_names_are_not_accepted() -> None:
    found = catalogue(kite(conditions=()))
    assert discovery.group(found, "example.com") is not None
    assert discovery.resource_list(found, "example.com", "v1") is None
    assert aggregated.document(found, V1_36)["items"][1:] == []


def test_a_group_without_served_versions_is_not_there() -> None:
    found = catalogue(kite(version(served=False)))
    assert discovery.group(found, "example.com") is None
    assert [each["name"] for each in discovery.group_list(found)["groups"]] == ["apiextensions.k8s.io"]


def test_built_in_groups_come_first() -> None:
    found = catalogue(kite(group="b.example.com"), kite(group="a.example.com"))
    names = [each["name"] for each in discovery.group_list(found)["groups"]]
    assert names == ["apiextensions.k8s.io", "a.example.com", "b.example.com"]


def test_a_resource_and_its_subresources() -> None:
    made = kite(version(subresources={**STATUS, **SCALE}), shortNames=["kt"], categories=["toys"])
    document = discovery.resource_list(catalogue(made), "example.com", "v1")
    assert document == {
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": "example.com/v1",
        "resources": [
            {
                "name": "kites",
                "singularName": "kite",
                "namespaced": True,
                "kind": "Kite",
                "verbs": ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
                "shortNames": ["kt"],
                "categories": ["toys"],
                "storageVersionHash": storage_version_hash("example.com", "v1", "Kite"),
            },
            {"name": "kites/status", "singularName": "", "namespaced": True, "kind": "Kite", "verbs": READ_AND_WRITE},
            {
                "name": "kites/scale",
                "singularName": "",
                "namespaced": True,
                "group": "autoscaling",
                "version": "v1",
                "kind": "Scale",
                "verbs": READ_AND_WRITE,
            },
        ],
    }


def test_a_terminating_resource_cannot_be_written() -> None:
    made = kite(conditions=("Established", "Terminating"))
    document = discovery.resource_list(catalogue(made), "example.com", "v1")
    assert document is not None
    assert document["resources"][0]["verbs"] == ["delete", "deletecollection", "get", "list", "watch"]


def test_the_core_group_names_no_api_version() -> None:
    document = discovery.builtin_resource_list(catalogue(), "", "v1")
    assert document is not None
    assert list(document) == ["kind", "groupVersion", "resources"]
    assert [each["name"] for each in document["resources"]] == ["namespaces", "namespaces/finalize", "namespaces/status"]


def test_aggregated_tells_of_every_resource() -> None:
    made = kite(version(subresources=SCALE), scope="Cluster")
    items = aggregated.document(catalogue(made), V1_36)["items"]
    assert [each["metadata"] for each in items] == [{"name": "apiextensions.k8s.io"}, {"name": "example.com"}]
    assert items[1]["versions"] == [
        {
            "version": "v1",
            "resources": [
                {
                    "resource": "kites",
                    "responseKind": {"group": "example.com", "version": "v1", "kind": "Kite"},
                    "scope": "Cluster",
                    "singularResource": "kite",
                    "verbs": ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
                    "subresources": [
                        {
                            "subresource": "scale",
                            "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"},
                            "verbs": READ_AND_WRITE,
                        }
                    ],
                }
            ],
            "freshness": "Current",
        }
    ]


def test_aggregated_metadata_of_1_33_has_no_creation_time() -> None:
    assert aggregated.core_document(catalogue(), V1_33)["items"][0]["metadata"] == {"creationTimestamp": None}
