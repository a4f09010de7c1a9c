"""Values that nest deeply are handled by every verb up to one bound, and refused clearly beyond it."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from crdkit.testing.server import Server
from tests.robustness.conftest import BOXES, DEFINITIONS, box, definition

MERGE = "application/merge-patch+json"
OPERATIONS = "application/json-patch+json"
APPLY = "application/apply-patch+yaml"


def nested(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


@pytest.mark.parametrize("levels", [250, 500, 1000])
def test_an_object_within_the_bound_is_handled_by_every_verb(server: Server, levels: int) -> None:
    at, content = f"{BOXES}/deep-{levels}", nested(levels)
    assert server.request("POST", BOXES, box(f"deep-{levels}", content)).code == 201
    assert server.request("PATCH", at, f'{{"spec":{{"b":{nested(levels - 10)}}}}}'.encode(), content_type=MERGE).code == 200
    operations = f'[{{"op":"add","path":"/spec/c","value":{nested(levels - 10)}}}]'.encode()
    assert server.request("PATCH", at, operations, content_type=OPERATIONS).code == 200
    applied = server.request("PATCH", f"{at}?fieldManager=me&force=true", box(f"deep-{levels}", content), content_type=APPLY)
    assert applied.code in (200, 400)  # YAML may nest a little less deeply than JSON
    assert server.request("GET", BOXES).code == 200
    assert server.request("DELETE", at).code == 200


@pytest.mark.parametrize(
    ("content_type", "why"),
    [("application/json", "json parse error: exceeded max depth"), ("application/yaml", "yaml: exceeded max depth")],
)
def test_a_body_beyond_the_bound_is_refused(server: Server, content_type: str, why: str) -> None:
    answer = server.request("POST", BOXES, box("deeper", nested(10_000)), content_type=content_type)
    assert answer.code == 400
    assert why in answer.body["message"]


def test_patches_cannot_build_what_bodies_may_not_hold(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    assert server.request("POST", BOXES, box("built", nested(900))).code == 201
    where = "/spec" + "/a" * 899
    patch: list[dict[str, Any]] = [
        {"op": "copy", "from": "/spec", "path": f"{where}/b"},
        {"op": "copy", "from": "/spec", "path": "/spec/c"},
    ]
    with caplog.at_level(logging.ERROR):
        answer = server.request("PATCH", f"{BOXES}/built", [{"op": "replace", "path": where, "value": {}}, *patch], content_type=OPERATIONS)
    assert answer.code == 400
    assert answer.body["message"] == "objects may not be nested deeper than 1024 levels"
    assert not caplog.records
    assert server.request("GET", f"{BOXES}/built").code == 200


@pytest.mark.parametrize("levels", [100, 300])
def test_a_deep_schema_is_served(server: Server, levels: int) -> None:
    schema: dict[str, Any] = {"type": "string"}
    value: Any = "x"
    for _ in range(levels):
        schema, value = {"type": "object", "properties": {"a": schema}}, {"a": value}
    plural, kind = f"wells{levels}", f"Well{levels}"
    server.apply(definition({"type": "object", "properties": {"spec": schema}}, plural, kind))
    obj = {"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": "a"}, "spec": value}
    assert server.request("POST", f"/apis/example.com/v1/namespaces/default/{plural}", obj).code == 201
    assert server.request("GET", "/openapi/v3/apis/example.com/v1").code == 200
    assert server.request("DELETE", f"{DEFINITIONS}/{plural}.example.com").code == 200


def test_a_schema_beyond_the_bound_is_refused(server: Server) -> None:
    schema = b'{"type":"object","properties":{"a":' * 2000 + b'{"type":"string"}' + b"}}" * 2000
    body = b'{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":' + schema + b"}"
    answer = server.request("POST", DEFINITIONS, body)
    assert answer.code == 400
    assert "json parse error: exceeded max depth" in answer.body["message"]
