"""Loads: one kind of request, sent over some connections as fast as it is answered. By wrk if it is there, else by a driver of our own."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.parcels import parcel_text
from benchmarks.serving import Site

MERGE_PATCH: Final = "application/merge-patch+json"
_ROOT: Final = Path(__file__).resolve().parent.parent
_tags: Final = itertools.count(1)

_WRK: Final = """
local n = 0
request = function()
  n = n + 1
  local path, body = "@path@", [==[@body@]==]
  for word, value in pairs({NAME = "@tag@-" .. n, PICK = "seed-" .. (n % @seeds@), COUNT = tostring(n)}) do
    path = path:gsub(word, value)
    body = body:gsub(word, value)
  end
  return wrk.format("@method@", path, {
    ["Authorization"] = "Bearer @token@", ["Content-Type"] = "@content_type@", ["Accept"] = "application/json"}, body)
end
done = function(summary)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d\\n", summary.requests, summary.duration, e.status + e.connect + e.read + e.timeout))
end
"""
_RESULT = re.compile(r"RESULT (\d+) (\d+) (\d+)")

_BARE_APP: Final = """
async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1000")]})
    await send({"type": "http.response.body", "body": b"x" * 1000})
"""


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked: NAME is a new name each time, PICK one of the seeds, COUNT a number that grows."""

    method: str
    path: str
    body: str = ""
    content_type: str = "application/json"
    connections: int = 16
    refused: bool = False
    """Whether refusals are what is expected."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How a load was answered."""

    per_second: float
    refused: int


def drive(site: Site, load: Load, *, seconds: float, seeds: int = 1) -> Rate:
    """Put a load on a server."""
    tag = f"w{next(_tags)}"
    by = _by_wrk if shutil.which("wrk") and seconds >= 1 else _by_driver
    return by(site, load, seconds, {"seeds": str(seeds), "tag": tag})


def _by_wrk(site: Site, load: Load, seconds: float, words: dict[str, str]) -> Rate:
    script = _WRK
    words |= {"method": load.method, "path": load.path, "body": load.body, "content_type": load.content_type, "token": site.token}
    for word, value in words.items():
        script = script.replace(f"@{word}@", value)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        command = ("wrk", "-t1", f"-c{load.connections}", f"-d{round(seconds)}s", "--timeout", "30s", "-s", file.name, site.url)
        told = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    found = _RESULT.search(told.stdout)
    assert found, told.stdout + told.stderr
    return Rate(int(found[1]) / (int(found[2]) / 1e6), int(found[3]))


def _by_driver(site: Site, load: Load, seconds: float, words: dict[str, str]) -> Rate:
    order = {
        **words,
        "seeds": int(words["seeds"]),
        "host": site.host,
        "port": site.port,
        "encrypted": site.encrypted,
        "token": site.token,
        "method": load.method,
        "path": load.path,
        "body": load.body,
        "content_type": load.content_type,
        "connections": load.connections,
        "seconds": seconds,
    }
    command = (sys.executable, "-m", "benchmarks.driver", json.dumps(order))
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=_ROOT)  # noqa: S603
    result = json.loads(told.stdout)
    return Rate(result["answers"] / result["seconds"], result["refused"])


@contextmanager
def bare_server() -> Iterator[Site]:
    """An application that does nothing, on uvicorn, without TLS: the measure of a machine."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "bare_app.py").write_text(_BARE_APP)
        options = ("--port", "0", "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--lifespan", "off", "--no-use-colors")
        command = (sys.executable, "-m", "uvicorn", "bare_app:app", *options)
        process = subprocess.Popen(command, cwd=directory, stderr=subprocess.PIPE, text=True)  # noqa: S603
        assert process.stderr is not None
        try:
            port = next(found[1] for line in process.stderr if (found := re.search(r"running on http://[^:]+:(\d+)", line)))
            yield Site("127.0.0.1", int(port), "", encrypted=False)
        finally:
            process.terminate()
            process.wait()
            process.stderr.close()


def calibrate(bare: Site, seconds: float) -> float:
    """How many posts a second a bare server answers now; rates are told as ratios to it."""
    return drive(bare, Load("POST", "/x", parcel_text()), seconds=seconds).per_second
