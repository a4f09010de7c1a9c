"""A server that has much to take up is ready nearly as soon as one that has nothing. Only ``make soak`` looks at it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from crdkit.storage.sqlite import SqliteDriver
from crdkit.storage.types import ABSENT
from tests.soak.client import serving

OBJECTS = 100_000
AT_ONCE = 2_000
STARTS = 3
MOST = 1.0
"""Seconds of the processor's time that so many objects take at a start."""


def kite(name: str) -> bytes:
    text = "x" * 600
    owner = '{"manager":"m","operation":"Update","apiVersion":"example.com/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1"}'
    metadata = (
        f'{{"creationTimestamp":"2026-01-01T00:00:00Z","generation":1,"managedFields":[{owner}],"name":"{name}","namespace":"default"}}'
    )
    return f'{{"apiVersion":"example.com/v1","kind":"Kite","metadata":{metadata},"spec":{{"text":"{text}"}}}}'.encode()


async def fill(directory: Path) -> None:
    driver = await SqliteDriver.open(directory)
    for start in range(0, OBJECTS, AT_ONCE):
        names = [f"n{number}" for number in range(start, start + AT_ONCE)]
        await asyncio.gather(*(driver.put(f"/registry/example.com/kites/default/{name}", kite(name), expected=ABSENT) for name in names))
    await driver.close()


def seconds_to_start(directory: Path) -> float:
    """The processor's time until the server is ready, at best."""
    found = []
    for _ in range(STARTS):
        with serving(directory) as server:
            times = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
            found.append((int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"))
    return min(found)


@pytest.mark.timeout(600)
@pytest.mark.skipif(os.environ.get("CRDKIT_SOAK") != "long", reason="takes a minute: make soak")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="time is measured by /proc")
async def test_what_is_stored_delays_the_start_little(tmp_path: Path) -> None:
    for name in ("empty", "full"):
        (tmp_path / name).mkdir()
    await fill(tmp_path / "full" / "store")
    empty, full = [await asyncio.to_thread(seconds_to_start, tmp_path / name) for name in ("empty", "full")]
    print(f"ready after {empty:.2f} s, with {OBJECTS} objects after {full:.2f} s of the processor's time")
    assert full - empty < MOST
