"""Clients that ask for much and read nothing cost no more than a bounded part of it."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from crdkit.testing.server import Server
from tests.robustness.conftest import BOXES, box

READERS = 40
MEBIBYTE = 1024 * 1024


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@pytest.fixture(scope="module")
def laden(server: Server) -> Server:
    for number in range(5):
        assert server.request("POST", BOXES, box(f"large-{number}", f'{{"x":"{"y" * 1_400_000}"}}')).code == 201
    return server


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured by /proc")
@pytest.mark.parametrize("query", ["", "?watch=1&resourceVersion=0"])
def test_who_does_not_read_is_not_sent_all(laden: Server, query: str) -> None:
    host, port = laden.url.partition("://")[2].split(":")
    before = resident()
    with ExitStack() as opened:
        for _ in range(READERS):
            client = opened.enter_context(socket.create_connection((host, int(port)), timeout=10))
            client.sendall(f"GET {BOXES}{query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {laden.token}\r\n\r\n".encode())
            client.recv(100)
        began = time.perf_counter()
        assert laden.request("GET", "/readyz").code == 200
        assert time.perf_counter() - began < 1
        grown = resident() - before
    assert grown < READERS * 10 * MEBIBYTE
