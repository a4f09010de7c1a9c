"""Requests as clients send them: rates over TLS, as ratios to what a bare uvicorn answers on the same machine; and the memory held then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from benchmarks.driving import MERGE_PATCH, Load, bare_server, calibrate, drive
from benchmarks.fanout import events_per_second
from benchmarks.parcels import PARCELS, parcel, parcel_text
from benchmarks.rows import Row
from benchmarks.serving import CREATED, Served, install, served

SEEDS: Final = 1000


class Claim(NamedTuple):
    """A load, the ratio that we aim at, and that of a real API server (kube-apiserver 1.36 with etcd)."""

    load: Load
    goal: float
    real: float


_STATUS: Final = '{"status":{"pieces":3,"observedGeneration":COUNT,"conditions":[{"type":"Ready","status":"True","reason":"Bench"}]}}'
_APPLIED: Final = (
    '{"apiVersion":"bench.crdkit.dev/v1","kind":"Parcel","spec":'
    '{"pieces":5,"carrier":"a/b:COUNT","notes":[{"name":"FRAGILE","text":"COUNT"}]}}'
)

CLAIMS: Final = {
    "get": Claim(Load("GET", f"{PARCELS}/PICK"), 0.45, 0.050),
    "list of 1000": Claim(Load("GET", f"{PARCELS}?limit=1000&resourceVersion=0", connections=4), 0.007, 0.0005),
    "list of 500, fresh": Claim(Load("GET", f"{PARCELS}?limit=500", connections=4), 0.015, 0.0010),
    "create, one connection": Claim(Load("POST", PARCELS, parcel_text(), connections=1), 0.045, 0.009),
    "create": Claim(Load("POST", PARCELS, parcel_text()), 0.15, 0.015),
    "create, refused": Claim(Load("POST", PARCELS, parcel_text(pieces=30), refused=True), 0.18, 0.036),
    "create, dry run": Claim(Load("POST", f"{PARCELS}?dryRun=All", parcel_text()), 0.18, 0.021),
    "merge patch": Claim(
        Load("PATCH", f"{PARCELS}/PICK", '{"spec":{"pieces":4},"metadata":{"annotations":{"n":"COUNT"}}}', MERGE_PATCH), 0.12, 0.011
    ),
    "apply": Claim(Load("PATCH", f"{PARCELS}/PICK?fieldManager=bench&force=true", _APPLIED, "application/apply-patch+yaml"), 0.08, 0.010),
    "status patch": Claim(Load("PATCH", f"{PARCELS}/PICK/status", _STATUS, MERGE_PATCH), 0.12, 0.010),
}
_FANOUT: Final = "watch fan-out"
_MEMORY: Final = "memory after all this"


def measure(seconds: float, *, only: frozenset[str] = frozenset(), seeds: int = SEEDS) -> Iterator[Row]:
    """Rates of each kind of request on a server that holds some objects.

    Each is measured beside a rate of the bare server: on a machine that others use too, what that does changes from minute to minute.
    """
    with bare_server() as bare, served() as server:
        seed(server, seeds)
        for name, claim in CLAIMS.items():
            if not only or name in only:
                rate = _rate(server, name, claim, seconds, seeds)
                yield Row(name, rate, "/s", rate / calibrate(bare, seconds), claim.goal, claim.real)
        if not only or _FANOUT in only:
            events = events_per_second(server, watchers=50 if seconds >= 1 else 3, writes=400 if seconds >= 1 else 8, seeds=seeds)
            yield Row(_FANOUT, events, "events/s", events / calibrate(bare, seconds), 1.5, 0.5)
        if not only:
            yield Row(_MEMORY, server.memory(), "MiB", goal=150, real=1153)


def seed(server: Served, seeds: int) -> None:
    """Install the definition, and create the objects that loads pick from."""
    client = server.client()
    install(client)
    for number in range(seeds):
        code, told = client.ask("POST", PARCELS, parcel(f"seed-{number}"))
        assert code == CREATED, told
    client.close()


def _rate(server: Served, name: str, claim: Claim, seconds: float, seeds: int) -> float:
    rate = drive(server.site, claim.load, seconds=seconds, seeds=seeds)
    if not claim.load.refused and rate.refused:
        msg = f"{name}: {rate.refused} requests were refused"
        raise RuntimeError(msg)
    return rate.per_second
