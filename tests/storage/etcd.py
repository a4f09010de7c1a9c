"""An etcd of a test's own: on free ports, in a directory of its own, quick to elect itself."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from crdkit.storage.etcd.settings import Endpoint, EtcdSettings

PROGRAM: Final = shutil.which("etcd")

needs_etcd = pytest.mark.skipif(PROGRAM is None, reason="etcd is not installed")


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Etcd:
    """One member, which can be killed and started again on the same data."""

    def __init__(self, *options: str, scheme: str = "http") -> None:
        # In memory where there is such a place: no test is about its disk.
        shm = Path("/dev/shm")
        self.directory = Path(tempfile.mkdtemp(prefix="crdkit-etcd-", dir=shm if os.access(shm, os.W_OK) else None))
        self._client, self._peer = free_ports(2)
        self.options: tuple[str, ...] = options
        self.name, self.cluster = "default", f"default={self.peer}"
        self._scheme = scheme
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def peer(self) -> str:
        return f"http://127.0.0.1:{self._peer}"

    @property
    def endpoint(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._client}"

    def settings(self, **more: object) -> EtcdSettings:
        return EtcdSettings(endpoints=(Endpoint.parse(self.endpoint),), **more)  # type: ignore[arg-type]

    def start(self) -> None:
        assert PROGRAM is not None
        log = (self.directory / "log").open("ab")
        self._process = subprocess.Popen(
            [
                PROGRAM,
                f"--data-dir={self.directory / 'data'}",
                f"--listen-client-urls={self.endpoint}",
                f"--advertise-client-urls={self.endpoint}",
                f"--name={self.name}",
                f"--listen-peer-urls={self.peer}",
                f"--initial-advertise-peer-urls={self.peer}",
                f"--initial-cluster={self.cluster}",
                "--heartbeat-interval=20",
                "--election-timeout=200",
                "--log-level=error",
                "--logger=zap",
                *self.options,
            ],
            stdout=log,
            stderr=log,
        )
        log.close()
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._client)) == 0:
                    return
            assert self._process is not None
            assert self._process.poll() is None, (self.directory / "log").read_text()
            time.sleep(0.01)
        raise TimeoutError(self.endpoint)

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Let it stand still: it takes connections, and does not answer."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)


@contextmanager
def running() -> Iterator[Etcd]:
    """An etcd that runs as long as the context lasts."""
    etcd = Etcd()
    etcd.start()
    try:
        yield etcd
    finally:
        etcd.remove()


class Cluster:
    """Several members that know each other."""

    def __init__(self, size: int) -> None:
        self.members = [Etcd() for _ in range(size)]
        for number, member in enumerate(self.members):
            member.name = f"member{number}"
        known = ",".join(f"{member.name}={member.peer}" for member in self.members)
        for member in self.members:
            member.cluster = known

    def start(self) -> None:
        for member in self.members:
            member.start()

    def remove(self) -> None:
        for member in self.members:
            member.remove()
