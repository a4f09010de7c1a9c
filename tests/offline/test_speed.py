"""How long a check of a thousand objects takes. The limit is for machines that are slow or busy; a quiet one needs less than half a second."""

from __future__ import annotations

import gc
import json
import time

import pytest

from crdkit.offline import documents
from crdkit.offline.checking import Input, Settings, check
from tests.offline.crontabs import definition, schema, version

COUNT, LIMIT = 1000, 3.0
PORT = {"type": "object", "required": ["port"], "properties": {"port": {"type": "integer"}, "name": {"type": "string", "default": "x"}}}
PORTS = {"type": "array", "items": PORT, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"]}
TEXT = """apiVersion: example.com/v1
kind: CronTab
metadata:
  name: job-{index}
  labels:
    app: bench
    shard: a
spec:
  image: registry.example.com/team/app:1.2.3
  replicas: 3
  nodes:
    disk: ssd
    arch: amd64
  ports:
  - port: 80
    name: http
  - port: 443
    name: https
  - port: 53
    name: dns
"""


@pytest.fixture
def crds() -> Input:
    nodes = {"type": "object", "additionalProperties": {"type": "string"}}
    fields = {"image": {"type": "string", "pattern": "^[a-z0-9./:@_-]+$"}, "replicas": {"type": "integer"}, "nodes": nodes, "ports": PORTS}
    raw = definition(version(openapi=schema({"type": "object", "properties": fields})))
    (found,) = documents.scan_text(json.dumps(raw).encode(), "crd.json")
    return Input("crd.json", found)


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_thousand_objects_are_checked_within_a_moment(form: str, crds: Input) -> None:
    texts = [TEXT.replace("{index}", str(index)) for index in range(COUNT)]
    data = "---\n".join(texts)
    if form == "json":
        values = [found.value for found in documents.scan_text(data.encode(), "") if isinstance(found, documents.Document)]
        data = json.dumps({"kind": "List", "apiVersion": "v1", "items": values})
    gc.disable()
    begun = time.process_time()
    report = check([crds, *(Input("a", found) for found in documents.scan_text(data.encode(), "a"))], Settings())
    took = time.process_time() - begun
    gc.enable()
    print(f"{COUNT} objects of {form}: {took:.3f} s")
    assert (len(report.checked), report.findings) == (COUNT + 1, [])
    assert took < LIMIT
