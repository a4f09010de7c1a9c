"""How a server parts from its clients when it stops."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator

import pytest

from crdkit.testing import server as testing
from crdkit.testing.server import Server

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
LARGE = 700 * 1024


@pytest.fixture(params=[True, False], ids=["tls", "plain"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that waits for its clients as one does that is no test's."""
    monkeypatch.setattr(testing, "GOODBYE_SECONDS", 30.0)
    with Server(tls=request.param) as server:
        yield server


def place(server: Server) -> tuple[str, int]:
    name, _, port = server.url.partition("://")[2].partition(":")
    return name, int(port)


def connected(server: Server) -> socket.socket:
    """A connection whose end here reads nothing by itself, and keeps little unread."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(20)
    connection.connect(place(server))
    return ssl._create_unverified_context().wrap_socket(connection) if server.url.startswith("https:") else connection


def ask(connection: socket.socket, server: Server, path: str) -> None:
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode())


def until_it_stops(server: Server) -> None:
    """Wait until nobody is let in any more."""
    while True:
        try:
            socket.create_connection(place(server)).close()
        except OSError:
            return


def test_nobody_is_waited_for_who_has_got_all(server: Server) -> None:
    idle = [connected(server) for _ in range(10)]
    for connection in idle:
        ask(connection, server, "/readyz")
        assert connection.recv(12) == b"HTTP/1.1 200"
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 1
    for connection in idle:
        connection.close()


@pytest.mark.parametrize("count", [1, 8], ids=["all-written", "being-written"])
def test_who_reads_slowly_still_gets_all(server: Server, count: int) -> None:
    for number in range(count):
        body = {"metadata": {"name": f"a{number}"}, "data": {"a": "x" * LARGE}}
        assert server.request("POST", CONFIG_MAPS, body).code == 201
    connection = connected(server)
    ask(connection, server, CONFIG_MAPS)
    assert connection.recv(12) == b"HTTP/1.1 200"
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    until_it_stops(server)
    answer = bytearray()
    while part := connection.recv(256 * 1024):
        answer += part
    stopping.join()
    connection.close()
    body = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert [len(item["data"]["a"]) for item in body["items"] if item["metadata"]["name"] != "kube-root-ca.crt"] == [LARGE] * count
