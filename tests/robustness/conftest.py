"""A server that is treated badly, and a kind whose objects may hold anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from crdkit.testing.server import Server

BOXES = "/apis/example.com/v1/namespaces/default/boxes"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def definition(schema: dict[str, Any], plural: str = "boxes", kind: str = "Box") -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def box(name: str, content: str = "null") -> bytes:
    return f'{{"apiVersion":"example.com/v1","kind":"Box","metadata":{{"name":"{name}"}},"spec":{content}}}'.encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(tls=False) as server:
        server.apply(definition({"type": "object", "properties": {"spec": ANYTHING}}))
        yield server
