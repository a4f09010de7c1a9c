"""``/metrics``: what was counted, in Prometheus' text form and under the names of a real API server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from crdkit.meta.durations import Durations, cumulative
from crdkit.meta.offload import offload
from crdkit.registry.registry import Registry
from crdkit.server import conversions
from crdkit.server.message import Answer, Incoming
from crdkit.server.metrics import BOUNDS, Key, Metrics

PATH: Final = "/metrics"
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
VERBS: Final = {"create": "POST", "update": "PUT"}
LABELS: Final = ("verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component")
DEPRECATED: Final = ("group", "version", "resource", "subresource", "removed_release")
COMPONENT: Final = "apiserver"

Dropped = Callable[[], Mapping[str, int]]
"""How many lines each log could not write."""


class Exposition:
    """Serves the metrics. Text is made in a worker thread, from counters that go on counting meanwhile."""

    def __init__(self, metrics: Metrics, registry: Registry, dropped: Dropped) -> None:
        self._metrics, self._registry, self._dropped = metrics, registry, dropped

    async def answer(self, incoming: Incoming) -> Answer | None:
        if incoming.path != PATH:
            return None
        series = self._metrics.series()
        families = [
            _deprecated(self._registry, series),
            _objects(self._registry),
            *conversions.families(self._registry.definitions.conversions.series()),
            _dropped(self._dropped()),
        ]
        return Answer(await offload(_text, series, families), content_type=CONTENT_TYPE)


def _text(series: Mapping[Key, Durations], families: list[Metric]) -> bytes:
    registry = CollectorRegistry()
    registry.register(_Collected([_requests(series), _durations(series), *families]))
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return generate_latest(registry)


class _Collected:
    """Families that are there already, as the library collects them."""

    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _labels(key: Key) -> tuple[str, ...]:
    verb = VERBS.get(key.verb, key.verb.upper())
    return verb, key.dry_run, key.group, key.version, key.resource, key.subresource, key.scope, COMPONENT


def _requests(series: Mapping[Key, Durations]) -> Metric:
    family = CounterMetricFamily("apiserver_request", "Requests that were answered.", labels=(*LABELS, "code"))
    for key, counted in series.items():
        family.add_metric((*_labels(key), str(key.code)), counted.count)
    return family


def _durations(series: Mapping[Key, Durations]) -> Metric:
    family = HistogramMetricFamily(
        "apiserver_request_duration_seconds", "Seconds until a request was answered; watches are not among them.", labels=LABELS
    )
    together: dict[tuple[str, ...], list[Durations]] = {}
    for key, counted in series.items():
        if key.verb != "watch":
            together.setdefault(_labels(key), []).append(counted)
    for labels, parts in together.items():
        family.add_metric(labels, list(cumulative(parts, BOUNDS)), sum(part.seconds for part in parts))
    return family


def _deprecated(registry: Registry, series: Mapping[Key, Durations]) -> Metric:
    family = GaugeMetricFamily("apiserver_requested_deprecated_apis", "Deprecated versions that somebody asked for.", labels=DEPRECATED)
    asked = {(key.group, key.version, key.resource, key.subresource) for key in series if key.resource}
    for group, version, resource, subresource in sorted(asked):
        definition = registry.definitions.get(f"{resource}.{group}")
        found = definition.version(version) if definition is not None else None
        if found is not None and found.deprecation_warning:
            family.add_metric((group, version, resource, subresource, ""), 1)
    return family


def _objects(registry: Registry) -> Metric:
    family = GaugeMetricFamily("apiserver_storage_objects", "Objects that are stored.", labels=("resource",))
    seen = set[str]()
    for resource, prefix in _stored(registry):
        if prefix and prefix not in seen:
            seen.add(prefix)
            page = registry.cache.list(prefix, limit=1)
            family.add_metric((resource,), len(page.entries) + page.remaining)
    return family


def _stored(registry: Registry) -> Iterator[tuple[str, str]]:
    """Every resource, and where its objects stand."""
    for resource in registry.builtin():
        yield str(resource.about), resource.prefix
    for definition in registry.definitions.served():
        yield definition.name, f"/registry/{definition.group}/{definition.spec_names.plural}/"


def _dropped(dropped: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily("crdkit_log_lines_dropped", "Lines that a log could not write.", labels=("log",))
    for log, count in dropped.items():
        family.add_metric((log,), count)
    return family
