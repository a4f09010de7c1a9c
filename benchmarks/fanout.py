"""Watch fan-out: how many events a second reach many watchers while objects are written. The watchers are a process of their own."""

from __future__ import annotations

import json
import selectors
import socket
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

from benchmarks.driving import MERGE_PATCH
from benchmarks.parcels import PARCELS
from benchmarks.serving import Served

WRITERS: Final = 8
PATIENCE: Final = 120.0
_MARK: Final = b'"type":"MODIFIED"'
_ROOT: Final = Path(__file__).resolve().parent.parent
_READY: Final = "ready\n"


def events_per_second(server: Served, *, watchers: int, writes: int, seeds: int) -> float:
    """From the first write until each watcher has every event."""
    client = server.client()
    listed = json.loads(client.ask("GET", f"{PARCELS}?limit=1")[1])
    client.close()
    path = f"{PARCELS}?watch=1&resourceVersion={listed['metadata']['resourceVersion']}"
    site = server.site
    order = {"host": site.host, "port": site.port, "token": site.token, "path": path, "watchers": watchers, "events": writes}
    command = (sys.executable, "-m", "benchmarks.fanout", json.dumps(order))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == _READY
        began = time.time()
        _write(server, writes, min(seeds, 100))
        last = float(process.communicate(timeout=PATIENCE)[0])
    return watchers * writes / (last - began)


def _write(server: Served, writes: int, seeds: int) -> None:
    def write(first: int) -> None:
        client = server.client()
        for number in range(first, writes, WRITERS):
            patch = {"metadata": {"annotations": {"tick": str(time.time_ns())}}}
            client.ask("PATCH", f"{PARCELS}/seed-{number % seeds}", patch, MERGE_PATCH)
        client.close()

    threads = [threading.Thread(target=write, args=(first,)) for first in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class _Watcher:
    """One open watch, and how many events it has had."""

    def __init__(self, order: dict[str, Any]) -> None:
        context = ssl._create_unverified_context()  # noqa: S323, SLF001 (a server on this machine)
        self.socket = context.wrap_socket(socket.create_connection((order["host"], order["port"])))
        head = f"GET {order['path']} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {order['token']}\r\nAccept: application/json\r\n\r\n"
        self.socket.sendall(head.encode())
        assert self.socket.recv(1)  # the watch is open
        self.socket.setblocking(False)
        self._events = 0
        self._tail = b""  # an event may be split between two reads

    def read(self) -> int:
        """Read what is there; how many events have come so far."""
        try:
            while data := self.socket.recv(262_144):
                text = self._tail + data
                self._tail = text[-len(_MARK) + 1 :]
                self._events += text.count(_MARK)
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        return self._events


def watch(order: dict[str, Any]) -> float:
    """Open the watches and read until each has had its events; when that was."""
    selector = selectors.DefaultSelector()
    for _ in range(order["watchers"]):
        watcher = _Watcher(order)
        selector.register(watcher.socket, selectors.EVENT_READ, watcher)
    print(_READY, end="", flush=True)
    while selector.get_map():
        for key, _ in selector.select(PATIENCE):
            watcher = key.data
            if watcher.read() >= order["events"]:
                selector.unregister(watcher.socket)
                watcher.socket.close()
    return time.time()


if __name__ == "__main__":
    print(watch(json.loads(sys.argv[1])))
