"""What is counted, and how it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from crdkit.access.user import User
from crdkit.registry.request import Query
from crdkit.server.exchange import Exchange
from crdkit.server.message import Headers, Incoming
from crdkit.server.metrics import MOST_SERIES, SWEEP_EVERY, Key, Metrics
from crdkit.server.requestinfo import parse
from crdkit.testing.server import Server
from tests.server.conftest import KITES, Client, definition, kite


def exchange(method: str, path: str, *headers: tuple[bytes, bytes], query: str = "", routed: bool = True) -> Exchange:
    found = Exchange(Incoming(method, path, Query.parse(query), Headers(headers)))
    found.info, found.routed = parse(method, path), routed
    return found


def noted(*exchanges: Exchange, code: int = 200) -> dict[Key, int]:
    metrics = Metrics(lambda group, version, resource: (group, version, resource) == ("example.com", "v1", "kites"))
    for one in exchanges:
        metrics.note(one, code, 0.03)
    return {key: series.count for key, series in metrics.series().items()}


def test_requests_are_counted_by_what_they_ask() -> None:
    assert noted(exchange("GET", f"{KITES}/a"), exchange("GET", f"{KITES}/b"), exchange("GET", KITES)) == {
        Key("get", "example.com", "v1", "kites", "", "resource", "", 200): 2,
        Key("list", "example.com", "v1", "kites", "", "namespace", "", 200): 1,
    }


def test_apply_and_dry_run_are_told_apart() -> None:
    applied = exchange("PATCH", f"{KITES}/a", (b"content-type", b"application/apply-patch+yaml"), query="dryRun=All&dryRun=All")
    assert noted(applied) == {Key("apply", "example.com", "v1", "kites", "", "resource", "All", 200): 1}


@pytest.mark.parametrize(
    ("path", "key"),
    [
        (f"{KITES}/a/zz", Key("get", "example.com", "v1", "kites", "", "", "", 404)),
        ("/apis/example.com/v1/namespaces/default/made-up", Key("list", "", "", "", "", "", "", 404)),
        ("/made/up", Key("get", "", "", "", "", "", "", 404)),
        ("/healthz", Key("get", "", "", "", "/healthz", "", "", 404)),
    ],
)
def test_what_clients_make_up_makes_no_series(path: str, key: Key) -> None:
    assert noted(exchange("GET", path, routed=False), code=404) == {key: 1}


def test_a_request_is_put_below_the_next_bound() -> None:
    metrics = Metrics(lambda *_: True)
    for seconds in (0.001, 0.005, 0.03, 100):
        metrics.note(exchange("GET", f"{KITES}/a"), 200, seconds)
    (series,) = metrics.series().values()
    assert (series.buckets[0], series.buckets[2], series.buckets[-1], series.count) == (2, 1, 1, 4)


def test_there_are_no_more_series_than_the_bound() -> None:
    metrics = Metrics(lambda *_: True)
    for code in range(MOST_SERIES + 10):
        metrics.note(exchange("GET", f"{KITES}/a"), code, 0.01)
    assert len(metrics.series()) == MOST_SERIES


def test_the_series_of_what_is_served_no_more_are_dropped() -> None:
    served = True
    metrics = Metrics(lambda *_: served)
    for code in range(SWEEP_EVERY - 1):
        metrics.note(exchange("GET", f"{KITES}/a"), code, 0.01)
    assert len(metrics.series()) == SWEEP_EVERY - 1
    served = False
    metrics.note(exchange("GET", "/healthz"), 200, 0.01)
    assert [key.resource for key in metrics.series()] == [""]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(tls=False, tokens={"alice": User("alice", ("dev",), "alice-uid")}) as server:
        changed = definition()
        changed["spec"]["versions"].append({**changed["spec"]["versions"][0], "name": "v1beta1", "storage": False, "deprecated": True})
        server.apply(changed)
        server.apply([kite("a"), kite("b")])
        yield server


def scrape(server: Server) -> dict[str, list[tuple[dict[str, str], float]]]:
    client = Client(server)
    client.ask("GET /metrics")
    code, head = client.head()
    body = client.file.read(int(head["content-length"])).decode()
    client.close()
    assert (code, head["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    for family in text_string_to_metric_families(body):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((sample.labels, sample.value))
    return found


def value(samples: list[tuple[dict[str, str], float]], **labels: Any) -> list[float]:
    return [number for found, number in samples if labels.items() <= found.items()]


def test_the_metrics_of_a_server_can_be_read(server: Server) -> None:
    server.request("GET", "/apis/example.com/v1beta1/namespaces/default/kites/a")
    server.request("GET", f"{KITES}/none")
    metrics = scrape(server)
    about = {"group": "example.com", "version": "v1", "resource": "kites", "component": "apiserver"}
    assert value(metrics["apiserver_request_total"], **about, verb="POST", code="201", scope="namespace") == [2]
    assert value(metrics["apiserver_request_total"], **about, verb="GET", code="404", scope="resource") == [1]
    assert value(metrics["apiserver_request_duration_seconds_count"], **about, verb="POST") == [2]
    assert value(metrics["apiserver_request_duration_seconds_bucket"], **about, verb="POST", le="+Inf") == [2]
    deprecated = {"group": "example.com", "version": "v1beta1", "resource": "kites", "subresource": "", "removed_release": ""}
    assert metrics["apiserver_requested_deprecated_apis"] == [(deprecated, 1)]
    assert value(metrics["apiserver_storage_objects"], resource="kites.example.com") == [2]
    assert value(metrics["apiserver_storage_objects"], resource="customresourcedefinitions.apiextensions.k8s.io") == [1]
    assert metrics["process_resident_memory_bytes"][0][1] > 0


def test_a_definition_that_cannot_be_converted_is_counted_all_the_same(server: Server) -> None:
    broken = definition()
    broken["metadata"]["name"] = "boats.example.com"
    broken["spec"]["names"] = {"plural": "boats", "kind": "Boat"}
    broken["spec"]["conversion"] = {
        "strategy": "Webhook",
        "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://localhost/", "caBundle": "Cg=="}},
    }
    created = server.request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", broken)
    assert created.code == 201
    assert server.request("GET", "/apis/example.com/v1/boats").code == 500
    assert value(scrape(server)["apiserver_request_total"], resource="boats", code="500") == [1]


def test_the_metrics_are_not_for_everybody(server: Server) -> None:
    client = Client(server)
    client.token = "alice"
    client.ask("GET /metrics")
    code, body = client.answer()
    client.close()
    assert (code, b'User \\"alice\\" cannot get path \\"/metrics\\"' in body) == (403, True)
