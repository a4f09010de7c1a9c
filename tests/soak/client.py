"""A server in a process of its own, and the least of an HTTP client: quick enough for hundreds of watches beside each other."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Process:
    """A server that runs: where it listens, who may ask it, and its process."""

    host: str
    port: int
    token: str
    pid: int

    def memory(self) -> int:
        """Its resident memory in KiB."""
        return int(subprocess.run(["ps", "-o", "rss=", "-p", str(self.pid)], capture_output=True, check=True, text=True).stdout)


@contextmanager
def serving(directory: Path, *options: str) -> Iterator[Process]:
    ready = directory / "ready"
    ready.unlink(missing_ok=True)
    command = [sys.executable, "-m", "crdkit", "serve", "--http", "--port", "0", "--data-dir", str(directory), *options]
    with subprocess.Popen([*command, "--ready-file", str(ready)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            host, port = json.loads(_wait_for(ready, process))["url"].partition("://")[2].rsplit(":", 1)
            yield Process(host, int(port), (directory / "admin.token").read_text().strip(), process.pid)
        finally:
            process.terminate()
            _, said = process.communicate(timeout=60)
    assert "Traceback" not in said, said


def _wait_for(ready: Path, process: subprocess.Popen[str]) -> str:
    while process.poll() is None:
        if ready.exists() and (text := ready.read_text()):
            return text
        time.sleep(0.01)
    msg = "the server has ended"
    raise AssertionError(msg)


class Connection:
    """One connection, kept for one request after the other."""

    def __init__(self, server: Process, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._server, self._reader, self._writer = server, reader, writer

    async def ask(self, method: str, path: str, body: Any = None, *, content_type: str = "application/json") -> Any:
        """The answer to a request that succeeds."""
        code, answer = await self.exchange(method, path, body, content_type=content_type)
        assert code in (200, 201), (method, path, answer)
        return answer

    async def exchange(self, method: str, path: str, body: Any = None, *, content_type: str = "application/json") -> tuple[int, Any]:
        """Code and answer, if only a text. Raises `OSError` or `EOFError` where the connection breaks off."""
        await self._send(method, path, body, content_type)
        code, headers = await self._head()
        answer = await self._reader.readexactly(int(headers["content-length"]))
        return code, json.loads(answer) if "json" in headers["content-type"] else answer.decode()

    async def lines(self, path: str) -> AsyncIterator[bytes]:
        """The lines of an answer that goes on."""
        await self._send("GET", path, None, "application/json")
        code, _ = await self._head()
        assert code == 200, path
        rest = b""
        while (size := await self._chunk_size()) > 0:
            *lines, rest = (rest + await self._reader.readexactly(size)).split(b"\n")
            await self._reader.readexactly(2)
            for line in lines:
                yield line

    async def _chunk_size(self) -> int:
        """The size of the next piece; 0 at the end. Raises `EOFError` where the connection breaks off."""
        if not (line := await self._reader.readline()):
            raise EOFError
        return int(line, 16)

    async def _send(self, method: str, path: str, body: Any, content_type: str) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self._server.token}\r\nContent-Type: {content_type}\r\n"
        self._writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        await self._writer.drain()

    async def _head(self) -> tuple[int, dict[str, str]]:
        status, *fields = (await self._reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = dict(field.lower().split(": ", 1) for field in fields)
        return int(status.split()[1]), headers


@asynccontextmanager
async def connected(server: Process) -> AsyncIterator[Connection]:
    reader, writer = await asyncio.open_connection(server.host, server.port)
    try:
        yield Connection(server, reader, writer)
    finally:
        writer.close()
