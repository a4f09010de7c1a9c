"""Conversion by a webhook: how long a list takes whose objects are stored in another version, each call taking the webhook 5 ms."""

from __future__ import annotations

import base64
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks import parcels
from benchmarks.driving import MERGE_PATCH
from benchmarks.requests import seed
from benchmarks.rows import Row
from benchmarks.serving import Client, as_installed, served
from crdkit.server import certificates

OBJECTS: Final = 1000
BATCH: Final = 100
CALL_SECONDS: Final = 0.005
_DEFINITION: Final = f"{parcels.DEFINITIONS}/{parcels.NAME}"
_CONVERTED: Final = parcels.PARCELS.replace("/v1/", "/v2/")
_OK: Final = 200
_ROOT: Final = Path(__file__).resolve().parent.parent


def measure(seconds: float, *, objects: int = OBJECTS) -> Iterator[Row]:
    """Lists after which nothing was known of the objects, and a list when all is; the median of some."""
    with converter() as conversion:
        for size, goal in ((1, 400.0), (BATCH, 150.0)):
            with served(None, "--conversion-batch-size", str(size)) as server:
                seed(server, objects - 1)  # and the first object of all
                client = server.client()
                anew, again = _lists(client, conversion, seconds, objects)
                client.close()
            calls = "one a call" if size == 1 else f"{size} a call"
            yield Row(f"list of {objects}, converted {calls}", anew, "ms", goal=goal * objects / OBJECTS)
    yield Row(f"the same list of {objects} again", again, "ms")


@contextmanager
def converter() -> Iterator[dict[str, Any]]:
    """A webhook that runs, as a definition's ``spec.conversion`` names it."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name) / "identity"
        certificates.make(directory, ["127.0.0.1"])
        order = {"certificate": str(directory / "server.crt"), "seconds": CALL_SECONDS}
        command = (sys.executable, "-m", "benchmarks.converter", json.dumps(order))
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT, env=as_installed()) as process:  # noqa: S603
            assert process.stdout is not None
            try:
                bundle = base64.b64encode((directory / "ca.crt").read_bytes()).decode()
                client = {"url": f"https://127.0.0.1:{int(process.stdout.readline())}/convert", "caBundle": bundle}
                yield {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1"]}}
            finally:
                process.terminate()


def _lists(client: Client, conversion: dict[str, Any], seconds: float, objects: int) -> tuple[float, float]:
    """Milliseconds of a list that converts its objects, and of one that need not."""
    anew: list[float] = []
    again: list[float] = []
    end = time.perf_counter() + seconds
    while not anew or time.perf_counter() < end:
        _forget(client, conversion, f"round {len(anew)}")
        anew.append(_list(client, objects))
        again.append(_list(client, objects))
    return statistics.median(anew), statistics.median(again)


def _forget(client: Client, conversion: dict[str, Any], description: str) -> None:
    """Change the definition, so that nothing counts any more of what is known of its objects in other versions."""
    (stored,) = parcels.definition()["spec"]["versions"]
    other = {**stored, "name": "v2", "storage": False, "selectableFields": []}
    other["schema"] = {"openAPIV3Schema": {**stored["schema"]["openAPIV3Schema"], "description": description}}
    code, told = client.ask("PATCH", _DEFINITION, {"spec": {"versions": [stored, other], "conversion": conversion}}, MERGE_PATCH)
    assert code == _OK, told


def _list(client: Client, objects: int) -> float:
    began = time.perf_counter()
    code, told = client.ask("GET", _CONVERTED)
    took = (time.perf_counter() - began) * 1000
    assert code == _OK, told
    assert told.count(b'"kind":"Parcel"') == objects
    return took
