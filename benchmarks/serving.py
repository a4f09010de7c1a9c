"""A server in a process of its own, to be measured from outside."""

from __future__ import annotations

import atexit
import http.client
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from benchmarks import parcels

READY_WITHIN: Final = 30.0
CREATED: Final = 201
SERVE: Final = (sys.executable, "-c", "from crdkit.cli.main import main; main()", "serve", "--memory", "--port", "0", "--json")
_CACHE: Final = "PYTHONPYCACHEPREFIX"
_RESIDENT = re.compile(r"VmRSS:\s+(\d+)")


@cache
def as_installed() -> dict[str, str]:
    """The environment of programs that are measured: modules are compiled once, as for a package that is installed."""
    directory = tempfile.TemporaryDirectory(prefix="crdkit-bench-")
    atexit.register(directory.cleanup)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**environment, _CACHE: directory.name}


@dataclass(frozen=True, slots=True)
class Site:
    """Where a server is reached."""

    host: str
    port: int
    token: str
    encrypted: bool = True

    @property
    def url(self) -> str:
        return f"{'https' if self.encrypted else 'http'}://{self.host}:{self.port}"


class Client:
    """One connection to a server."""

    def __init__(self, site: Site) -> None:
        self._token = site.token
        if site.encrypted:
            context = ssl._create_unverified_context()  # noqa: S323, SLF001 (a server on this machine, started here)
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(site.host, site.port, timeout=60, context=context)
        else:
            self._connection = http.client.HTTPConnection(site.host, site.port, timeout=60)

    def ask(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> tuple[int, bytes]:
        """The code and the body of an answer."""
        sent = body if isinstance(body, str | None) else json.dumps(body)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": content_type, "Accept": "application/json"}
        self._connection.request(method, path, body=sent, headers=headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def close(self) -> None:
        self._connection.close()


class Served:
    """A server that runs."""

    def __init__(self, site: Site, process: subprocess.Popen[str]) -> None:
        self.site = site
        self._process = process

    def client(self) -> Client:
        return Client(self.site)

    def memory(self) -> float:
        """What it holds, in MiB; 0 where the system does not tell."""
        status = Path(f"/proc/{self._process.pid}/status")
        found = _RESIDENT.search(status.read_text()) if status.exists() else None
        return int(found[1]) / 1024 if found else 0.0


@contextmanager
def served(directory: Path | None = None, *options: str) -> Iterator[Served]:
    """A server with nothing in it, on a free port; in a directory that is given it finds the certificates that it made before."""
    with tempfile.TemporaryDirectory() as new:
        command = (*SERVE, "--data-dir", str(directory or new), *options)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=as_installed())  # noqa: S603
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            scheme, _, address = told["url"].partition("://")
            host, _, port = address.rpartition(":")
            yield Served(Site(host, int(port), told["token"], encrypted=scheme == "https"), process)
        finally:
            process.terminate()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def install(client: Client) -> float:
    """Create the definition and the first object; the milliseconds until the latter is there."""
    began = time.perf_counter()
    code, told = client.ask("POST", parcels.DEFINITIONS, parcels.definition())
    assert code == CREATED, told
    while True:
        code, told = client.ask("POST", parcels.PARCELS, parcels.parcel("first"))
        if code == CREATED:
            return (time.perf_counter() - began) * 1000
        assert time.perf_counter() - began < READY_WITHIN, told
        time.sleep(0.002)
