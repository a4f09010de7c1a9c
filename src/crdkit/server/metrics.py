"""How often what was asked, and how long the answers took: plain counters, which cost a request about a microsecond.

They are named and labelled only when somebody reads them (`exposition`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from crdkit.meta.durations import Durations
from crdkit.server.exchange import Exchange
from crdkit.server.requestinfo import RequestInfo

BOUNDS: Final = (
    0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0,
)  # fmt: skip
"""Seconds up to which requests are counted together (kube-apiserver's)."""
MOST_SERIES: Final = 10_000
"""Beyond this the oldest are forgotten; a server of a hundred definitions has about two thousand."""
SWEEP_EVERY: Final = 500
"""After so many new series, those of resources that are not served any more are dropped."""
PATHS: Final = frozenset(
    {"/", "/api", "/api/v1", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3", "/readyz", "/version"}
)
"""The documents that are counted by their names."""
METHODS: Final = frozenset({"get", "head", "post", "put", "patch", "delete", "options"})
APPLY: Final = "application/apply-patch"


class Key(NamedTuple):
    """What requests are counted together: all the same in each of these."""

    verb: str
    group: str
    version: str
    resource: str
    subresource: str
    scope: str
    dry_run: str
    code: int


class Metrics:
    """Counts requests. ``knows`` tells whether a group, version and resource are served: others are not counted by their names."""

    def __init__(self, knows: Callable[[str, str, str], bool]) -> None:
        self._knows = knows
        self._series: dict[tuple[object, ...], Durations] = {}
        self._begun = 0

    def note(self, exchange: Exchange, code: int, seconds: float) -> None:
        info = exchange.info
        if not exchange.routed or info is None:
            key = self._elsewhere(info, code)
        else:
            scope = "resource" if info.name else "namespace" if info.namespace else "cluster"
            verb = info.verb
            if verb == "patch" and exchange.incoming.headers.content_type.startswith(APPLY):
                verb = "apply"
            query = exchange.incoming.query
            dry_run = "All" if query and "dryRun" in query else ""
            key = (verb, info.group, info.version, info.resource, info.subresource, scope, dry_run, code)
        series = self._series.get(key)
        if series is None:
            series = self._begin(key)
        series.note(seconds)

    def _elsewhere(self, info: RequestInfo | None, code: int) -> tuple[object, ...]:
        """The key of a request that reached no resource: clients can write anything there, so little of it is kept."""
        if info is None:
            return Key("other", "", "", "", "", "", "", code)
        if info.is_resource and self._knows(info.group, info.version, info.resource):
            return Key(info.verb, info.group, info.version, info.resource, "", "", "", code)
        verb = info.verb if info.is_resource or info.verb in METHODS else "other"
        return Key(verb, "", "", "", info.path if info.path in PATHS else "", "", "", code)

    def _begin(self, key: tuple[object, ...]) -> Durations:
        self._begun += 1
        if self._begun % SWEEP_EVERY == 0:
            self._sweep()
        if len(self._series) >= MOST_SERIES:
            del self._series[next(iter(self._series))]
        series = self._series[key] = Durations(BOUNDS)
        return series

    def _sweep(self) -> None:
        for key in list(self._series):
            _, group, version, resource, *_ = key
            if resource and not self._knows(str(group), str(version), str(resource)):
                del self._series[key]

    def series(self) -> Mapping[Key, Durations]:
        """All that was counted, now."""
        return {Key(*key): series for key, series in self._series.items()}  # type: ignore[arg-type]  # made above, in that order
