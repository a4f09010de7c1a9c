"""What takes long must not hold up others."""

from __future__ import annotations

import threading
import time

from crdkit.testing.server import Server
from tests.server.conftest import KITES, Client


def test_a_long_yaml_body_holds_nobody_up(plain: Server) -> None:
    labels = "".join(f"    label-{number}: value\n" for number in range(6000))
    body = f"apiVersion: example.com/v1\nkind: Kite\nmetadata:\n  name: long-yaml\n  annotations:\n{labels}".encode()
    sender = Client(plain)
    done = threading.Event()

    def send() -> None:
        sender.ask(f"POST {KITES}", "Content-Type: application/yaml", body=body)
        assert sender.answer()[0] == 201
        done.set()

    threading.Thread(target=send).start()
    other, waits = Client(plain), []
    while not done.is_set():
        began = time.perf_counter()
        other.ask("GET /healthz")
        assert other.answer() == (200, b"ok")
        waits.append(time.perf_counter() - began)
    assert len(waits) > 5
    assert sorted(waits)[len(waits) // 2] < 0.1
    sender.close()
    other.close()
