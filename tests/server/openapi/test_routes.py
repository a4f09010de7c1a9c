"""The paths of a resource and their operations."""

from __future__ import annotations

import pytest

from crdkit.builtin.kinds import NAMESPACE, TOKEN_REVIEW
from crdkit.meta.types import Json
from crdkit.meta.version import V1_33, V1_36
from crdkit.server.openapi.documents import served_builtin, served_by
from crdkit.server.openapi.routes import Route, Served, camel_case, routes
from tests.server.kites import kite, version

SUBRESOURCES = {"status": {}, "scale": {"specReplicasPath": ".spec.lines", "statusReplicasPath": ".status.lines"}}


def served(**changes: Json) -> Served:
    return served_by(kite(version(subresources=SUBRESOURCES), **changes).versions[0])


def methods(found: Served) -> dict[str, list[str]]:
    return {route.path: [operation.method for operation in route.operations] for route in routes(found, V1_36)}


def test_a_namespaced_resource_can_be_listed_everywhere() -> None:
    collection = "/apis/example.com/v1/namespaces/{namespace}/kites"
    assert methods(served()) == {
        "/apis/example.com/v1/kites": ["get"],
        collection: ["delete", "get", "post"],
        f"{collection}/{{name}}": ["delete", "get", "patch", "put"],
        f"{collection}/{{name}}/scale": ["get", "patch", "put"],
        f"{collection}/{{name}}/status": ["get", "patch", "put"],
    }


def test_a_cluster_scoped_resource_has_no_namespaces() -> None:
    assert next(iter(methods(served(scope="Cluster")))) == "/apis/example.com/v1/kites"


def test_built_in_resources_have_the_methods_of_their_verbs() -> None:
    assert methods(served_builtin(TOKEN_REVIEW)) == {"/apis/authentication.k8s.io/v1/tokenreviews": ["post"]}
    assert methods(served_builtin(NAMESPACE))["/api/v1/namespaces/{name}/finalize"] == ["put"]


def operations(found: Served) -> dict[str, Route]:
    return {operation.operation_id: operation.description for route in routes(found, V1_36) for operation in route.operations}


def test_operations_are_named_after_group_version_and_kind() -> None:
    found = operations(served(group="my-group.example.com"))
    assert found["listMyGroupExampleComV1KiteForAllNamespaces"] == "list objects of kind Kite"
    assert found["deleteMyGroupExampleComV1CollectionNamespacedKite"] == "delete collection of Kite"
    assert found["patchMyGroupExampleComV1NamespacedKiteScale"] == "partially update scale of the specified Kite"
    assert found["createMyGroupExampleComV1NamespacedKite"] == "create a Kite"
    assert "readCoreV1NamespaceStatus" in operations(served_builtin(NAMESPACE))


@pytest.mark.parametrize(("kind", "told"), [("Area", "create an Area"), ("News", "create News"), ("Pass", "create a Pass")])
def test_descriptions_have_the_article_of_the_kind(kind: str, told: str) -> None:
    assert told in operations(served(kind=kind)).values()


@pytest.mark.parametrize(
    ("text", "told"), [("stable.example.com", "stableExampleCom"), ("1st-group", "stGroup"), ("a_b", "a_b"), ("v1beta1", "v1beta1")]
)
def test_identifiers_are_made_of_letters_and_digits(text: str, told: str) -> None:
    assert camel_case(text, capitalise=False).lower() == told.lower()


def test_what_all_methods_of_a_path_take_is_stated_once() -> None:
    one = next(route for route in routes(served(), V1_36) if route.path.endswith("{name}"))
    assert [each.name for each in one.common_parameters()] == ["name", "namespace", "pretty"]


def test_lists_can_be_sharded_since_1_36() -> None:
    def parameters(route: Route) -> list[str]:
        return [each.name for each in route.operations[0].parameters]

    everywhere, older = next(routes(served(), V1_36)), next(routes(served(), V1_33))
    assert set(parameters(everywhere)) - set(parameters(older)) == {"shardSelector"}
