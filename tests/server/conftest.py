"""Servers to talk to by plain sockets, and a definition to serve."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from crdkit.access.user import User
from crdkit.testing.server import Server

KITES = "/apis/example.com/v1/namespaces/default/kites"


def definition() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"lines": {"type": "integer"}}}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kites.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "kites", "singular": "kite", "kind": "Kite", "listKind": "KiteList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def kite(name: str, lines: object = 2) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": name}, "spec": {"lines": lines}}


@pytest.fixture(scope="module")
def plain() -> Iterator[Server]:
    """A server without TLS, so that a test can see and write every byte."""
    with Server(tls=False, tokens={"alice": User("alice", ("dev",), "alice-uid")}) as server:
        server.apply(definition())
        server.apply(kite("a"))
        yield server


class Client:
    """One connection, by hand."""

    def __init__(self, server: Server) -> None:
        host, port = server.url.partition("://")[2].split(":")
        self.token = server.token
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        self.file = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def ask(self, line: str, *headers: str, body: bytes = b"") -> None:
        head = "\r\n".join([f"{line} HTTP/1.1", "Host: x", f"Authorization: Bearer {self.token}", *headers])
        length = f"\r\nContent-Length: {len(body)}" if body else ""
        self.send(f"{head}{length}\r\n\r\n".encode() + body)

    def head(self) -> tuple[int, dict[str, str]]:
        """Status and headers of the next answer; 0 where the connection was closed instead."""
        status = self.file.readline().split()
        if not status:
            return 0, {}
        headers = {}
        while (line := self.file.readline().strip()) != b"":
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        return int(status[1]), headers

    def answer(self) -> tuple[int, bytes]:
        code, headers = self.head()
        return code, self.file.read(int(headers.get("content-length", 0))) if code else b""

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def client(plain: Server) -> Iterator[Client]:
    client = Client(plain)
    yield client
    client.close()
