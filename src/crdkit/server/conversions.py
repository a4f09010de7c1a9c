"""How conversion webhooks did, as ``/metrics`` tells it: under the names of a real API server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from crdkit.conversion.calls import CALL_BOUNDS, DEFINITION_BOUNDS, Key
from crdkit.meta.durations import Durations, cumulative

_DEFINITION: Final = ("crd_name", "from_version", "to_version", "succeeded")
_OUTCOME: Final = ("result", "failure_type")


def families(series: Mapping[Key, Durations]) -> list[Metric]:
    """All that is told of them."""
    by_definition = HistogramMetricFamily(
        "apiserver_crd_conversion_webhook_duration_seconds", "Seconds that conversions of a definition's objects took.", labels=_DEFINITION
    )
    _add(by_definition, _together(series, _definition), DEFINITION_BOUNDS)
    outcomes = _together(series, _outcome)
    calls = CounterMetricFamily("apiserver_conversion_webhook_request", "Calls of conversion webhooks.", labels=_OUTCOME)
    for labels, parts in outcomes.items():
        calls.add_metric(labels, sum(part.count for part in parts))
    durations = HistogramMetricFamily(
        "apiserver_conversion_webhook_duration_seconds", "Seconds that calls of conversion webhooks took.", labels=_OUTCOME
    )
    _add(durations, outcomes, CALL_BOUNDS)
    return [by_definition, calls, durations]


def _definition(key: Key) -> tuple[str, ...]:
    return key.definition, key.from_version, key.to_version, "false" if key.failure else "true"


def _outcome(key: Key) -> tuple[str, ...]:
    return "failure" if key.failure else "success", key.failure


def _together(series: Mapping[Key, Durations], labels: Callable[[Key], tuple[str, ...]]) -> dict[tuple[str, ...], list[Durations]]:
    found: dict[tuple[str, ...], list[Durations]] = {}
    for key, counted in series.items():
        found.setdefault(labels(key), []).append(counted)
    return found


def _add(family: HistogramMetricFamily, counted: Mapping[tuple[str, ...], list[Durations]], bounds: Sequence[float]) -> None:
    for labels, parts in counted.items():
        family.add_metric(labels, list(cumulative(parts, bounds)), sum(part.seconds for part in parts))
