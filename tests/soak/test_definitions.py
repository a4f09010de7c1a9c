"""Definitions that come and go leave nothing behind: no object of theirs, no entry in an index, no document, no series of metrics."""

from __future__ import annotations

import gc
from collections import Counter
from typing import Any

from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.registry.customresource import CustomResource
from crdkit.registry.rendering import Renderings
from crdkit.schema.compiled import CompiledSchema
from crdkit.schema.structural import Structural
from crdkit.server.metrics import SWEEP_EVERY
from crdkit.server.openapi.serving import Built, Part
from crdkit.testing.server import Server

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WATCHED = (Definition, DefinitionVersion, CustomResource, CompiledSchema, Structural, Renderings, Built, Part)
MERGE = "application/merge-patch+json"
COUNT = 200


def definition(number: int) -> dict[str, Any]:
    spec = {
        "type": "object",
        "properties": {"lines": {"type": "integer", "maximum": 9}, "mark": {"type": "string", "pattern": f"^a{number}$"}},
        "x-kubernetes-validations": [{"rule": f"self.lines < {number + 100}"}],
    }
    schema = {"type": "object", "properties": {"spec": spec, "status": {"type": "object", "default": {}}}}
    version = {"served": True, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"kites{number}.g{number}.example.com"},
        "spec": {
            "group": f"g{number}.example.com",
            "scope": "Namespaced",
            "names": {"plural": f"kites{number}", "singular": f"kite{number}", "kind": f"Kite{number}", "listKind": f"Kite{number}List"},
            "versions": [{"name": "v1", "storage": True, **version}, {"name": "v2", "storage": False, **version}],
        },
    }


def live(server: Server) -> Counter[str]:
    """How many there are of all that is made for definitions, and of what is filed under them."""
    gc.collect()
    found = Counter(cls.__name__ for obj in gc.get_objects() for cls in WATCHED if isinstance(obj, cls))
    registry = server._server.registry
    found["indexed"] = len(registry.definitions.all()) + len(registry.definitions._serving)
    found["cleanups"] = len(registry._chores._cleanups) + len(registry._chores._dirty)
    found["stored"] = len(registry.cache)
    return found


def use(server: Server, number: int) -> None:
    """Define a kind, do with it what clients do, and delete its definition."""
    name, group, plural = f"kites{number}.g{number}.example.com", f"g{number}.example.com", f"kites{number}"
    server.apply(definition(number))
    namespace = server.request("GET", "/api/v1/namespaces/default").body
    owner = {"apiVersion": "v1", "kind": "Namespace", "name": "default", "uid": namespace["metadata"]["uid"]}
    kites = f"/apis/{group}/v1/namespaces/default/{plural}"
    body = {
        "apiVersion": f"{group}/v1",
        "kind": f"Kite{number}",
        "metadata": {"name": "a", "ownerReferences": [owner]},
        "spec": {"lines": 3, "mark": f"a{number}"},
    }
    assert server.request("POST", kites, body).code == 201
    assert server.request("PATCH", f"{kites}/a", {"spec": {"lines": 4}}, content_type=MERGE).code == 200
    for path in (kites, f"{kites}/a", f"/apis/{group}/v2/{plural}?labelSelector=a", f"/apis/{group}/v1", f"/openapi/v3/apis/{group}/v1"):
        assert server.request("GET", path).code == 200, path
    if number % 20 == 0:
        for path in ("/openapi/v2", "/metrics", "/apis"):
            assert server.request("GET", path).code == 200, path
    assert server.request("DELETE", f"{DEFINITIONS}/{name}").code == 200
    while server.request("GET", f"{DEFINITIONS}/{name}").code != 404:
        pass


def test_nothing_is_left_of_definitions_that_were_created_and_deleted() -> None:
    with Server(tls=False) as server:
        use(server, 0)
        server.request("GET", "/openapi/v2")
        before = live(server)
        for number in range(1, COUNT + 1):
            use(server, number)
        server.request("GET", "/openapi/v2")
        after = live(server)
        collector = next(one for one in server._server._controllers._all if type(one).__name__ == "GarbageCollector")
        assert (len(collector._index), len(collector._awaiting), len(collector._work)) == (0, 0, 0)
        series = server.request("GET", "/metrics").body.count("_request_total{")
    assert after == before
    assert 0 < series < SWEEP_EVERY + 100
