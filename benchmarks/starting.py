"""Starting: until the server is ready, until a definition's first object is there, what importing takes, and what an idle server holds."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.rows import Row
from benchmarks.serving import Served, as_installed, install, served

_IMPORT: Final = "import sys, time; began = time.perf_counter(); import {module}; print((time.perf_counter() - began) * 1000, *sys.modules)"
_NOT_AT_START: Final = frozenset(("crdkit.cel.environment", "rich.console", "httpx", "prometheus_client", "ruamel.yaml", "grpc"))
"""What a server does without until somebody needs it."""
_SETTLED: Final = 1.0
"""Seconds after which a server has done what it does at its own leisure."""


def measure(seconds: float) -> Iterator[Row]:
    """Each figure is the median of some starts."""
    starts = max(1, min(5, round(seconds)))
    ready: list[float] = []
    first: list[float] = []
    memory = 0.0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        with served(directory):
            pass  # modules are compiled now, and certificates made
        for _ in range(starts):
            began = time.perf_counter()
            with served(directory) as server:
                ready.append((time.perf_counter() - began) * 1000)
                time.sleep(_SETTLED)
                memory = server.memory()
                first.append(_first_object(server))
    yield Row("start until ready", statistics.median(ready), "ms", goal=300, real=2800)
    yield Row("definition to first object", statistics.median(first), "ms", goal=30, real=2062)
    yield Row("memory when idle", memory, "MiB", goal=60, real=307)
    yield Row("import crdkit", _import_time("crdkit", starts), "ms")
    yield Row("import the server", _import_time("crdkit.server.process", starts), "ms")


def _first_object(server: Served) -> float:
    client = server.client()
    client.ask("GET", "/readyz")
    took = install(client)
    client.close()
    return took


def _import_time(module: str, times: int) -> float:
    took = []
    for _ in range(times):
        command = (sys.executable, "-c", _IMPORT.format(module=module))
        told = subprocess.run(command, capture_output=True, text=True, check=True, env=as_installed())  # noqa: S603
        milliseconds, *loaded = told.stdout.split()
        if early := _NOT_AT_START.intersection(loaded):
            msg = f"importing {module} loads what is not needed at start: {', '.join(sorted(early))}"
            raise RuntimeError(msg)
        took.append(float(milliseconds))
    return statistics.median(took)
