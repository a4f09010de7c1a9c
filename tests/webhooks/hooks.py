"""A webhook over HTTPS, on the loop of the test, and certificates to try it with."""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PEM = serialization.Encoding.PEM


class Authority:
    """An authority, and the certificates it signs."""

    def __init__(self, name: str = "hooks-ca") -> None:
        self.name = name
        self._key = ec.generate_private_key(ec.SECP256R1())
        constraints = x509.BasicConstraints(ca=True, path_length=None)
        self._certificate = self._builder(name, self._key, 0, 30).add_extension(constraints, critical=True).sign(self._key, hashes.SHA256())
        self.bundle = self._certificate.public_bytes(PEM)
        self.ca_bundle = base64.b64encode(self.bundle).decode()

    def _builder(self, subject: str, key: ec.EllipticCurvePrivateKey, begin: int, end: int) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        name = x509.NameAttribute(NameOID.COMMON_NAME, subject)
        return (
            x509.CertificateBuilder()
            .subject_name(x509.Name([name]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self.name)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + timedelta(days=begin, minutes=-5))
            .not_valid_after(now + timedelta(days=end))
        )

    def issue(
        self, directory: Path, *, names: Sequence[str] | None = ("127.0.0.1",), common: str = "hook", begin: int = 0, end: int = 1
    ) -> ssl.SSLContext:
        """A server's context, with a certificate for these names (None: it has only its common name)."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = self._builder(common, key, begin, end)
        if names is not None:
            builder = builder.add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        private = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        path = directory / "server.pem"
        path.write_bytes(private + builder.sign(self._key, hashes.SHA256()).public_bytes(PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


@dataclass
class Posted:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes
    method: str = "POST"


Answering = Callable[[Posted], Awaitable[bytes]]


def http(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """An answer as it goes over the wire."""
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


@dataclass
class Hook:
    """A webhook that runs. An empty answer hangs up."""

    answer: Answering
    host: str = ""
    posted: list[Posted] = field(default_factory=list)
    connections: int = 0
    at_once: int = 0
    most_at_once: int = 0
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"https://{self.host}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                first, *lines = head.split("\r\n")[:-2]
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                method, path, _ = first.split(" ")
                posted = Posted(path, headers, await reader.readexactly(int(headers.get("content-length", 0))), method)
                self.posted.append(posted)
                if not (answer := await self._counted(posted)):
                    return
                writer.write(answer)
                await writer.drain()
                if b"Connection: close" in answer:
                    return
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    def hang_up(self) -> None:
        """Close all connections."""
        for writer in self._writers:
            writer.close()

    async def _counted(self, posted: Posted) -> bytes:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self.answer(posted)
        finally:
            self.at_once -= 1


@asynccontextmanager
async def hook(answer: Answering | bytes, context: ssl.SSLContext | None) -> AsyncIterator[Hook]:
    """Run a webhook."""

    async def always(_: Posted) -> bytes:
        return answer

    running = Hook(answer if callable(answer) else always)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())
        await running.serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    running.host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield running
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
