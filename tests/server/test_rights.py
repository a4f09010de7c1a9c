"""Who may do what, as a client sees it: certificates, and a server that lets everybody do everything."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from crdkit.server.run import Server, Settings

REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


def name(common: str, *organizations: str) -> x509.Name:
    groups = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in organizations]
    return x509.Name([*groups, x509.NameAttribute(NameOID.COMMON_NAME, common)])


def issue(folder: Path, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, subject: x509.Name, *, authority: bool = False) -> Path:
    """A certificate, with its key where it is not the issuer's own."""
    own = key if authority else ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(own.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / ("authority.crt" if authority else "client.pem")
    text = certificate.public_bytes(serialization.Encoding.PEM)
    if not authority:
        form = serialization.PrivateFormat.PKCS8
        text += own.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    path.write_bytes(text)
    return path


async def ask(address: str, method: str, path: str, body: Any = None, *, certificate: Path | None = None) -> tuple[int, Any]:
    """One request on a connection of its own, without a token."""
    context = ssl._create_unverified_context()
    if certificate is not None:
        context.load_cert_chain(certificate)
    host, _, port = address.partition("://")[2].partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), ssl=context)
    content = json.dumps(body).encode() if body is not None else b""
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(content)}\r\nContent-Type: application/json"
    writer.write(f"{head}\r\n\r\n".encode() + content)
    answer = await reader.read()
    writer.close()
    status, _, rest = answer.partition(b"\r\n")
    return int(status.split()[1]), json.loads(rest.partition(b"\r\n\r\n")[2])


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[tuple[str, Path]]:
    """A server that takes certificates, and one of carol of the group dev."""
    key, root = ec.generate_private_key(ec.SECP256R1()), name("authority")
    authority = issue(tmp_path, root, key, root, authority=True)
    carol = issue(tmp_path, root, key, name("carol", "dev"))
    server = Server(Settings(directory=tmp_path / "server", port=0, in_memory=True, client_authorities=authority))
    address = await server.start()
    yield address.url, carol
    await server.stop(seconds=1)


async def test_a_certificate_tells_who_asks(guarded: tuple[str, Path]) -> None:
    url, carol = guarded
    code, review = await ask(url, "POST", REVIEWS, {}, certificate=carol)
    info = review["status"]["userInfo"]
    assert (code, info["username"], info["groups"]) == (201, "carol", ["dev", "system:authenticated"])
    assert info["extra"]["authentication.kubernetes.io/credential-id"][0].startswith("X509SHA256=")


async def test_without_one_a_client_is_anonymous(guarded: tuple[str, Path]) -> None:
    url, _ = guarded
    assert (await ask(url, "GET", "/version"))[0] == 200
    code, refused = await ask(url, "GET", "/api")
    assert (code, refused["message"]) == (403, 'forbidden: User "system:anonymous" cannot get path "/api"')


async def test_everybody_may_do_everything_where_roles_do_not_count(tmp_path: Path) -> None:
    server = Server(Settings(directory=tmp_path, port=0, in_memory=True, rbac=False))
    address = await server.start()
    try:
        code, created = await ask(address.url, "POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": "a"}})
    finally:
        await server.stop(seconds=1)
    assert (code, created["kind"]) == (201, "ConfigMap")
