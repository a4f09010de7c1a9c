"""etcd spoken to by TLS, by a user, and as a cluster that loses its leader."""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from crdkit.storage.cache import Cache
from crdkit.storage.errors import StorageError
from crdkit.storage.etcd import client as client_module
from crdkit.storage.etcd import driver as driver_module
from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.etcd.settings import Endpoint, EtcdSettings
from crdkit.storage.types import ABSENT
from tests.storage.etcd import Cluster, Etcd, needs_etcd

pytestmark = needs_etcd


def write_certificates(directory: Path) -> None:
    """An authority and one certificate of it, for etcd and for whoever speaks to it."""
    now = dt.datetime.now(dt.UTC)
    keys = {name: ec.generate_private_key(ec.SECP256R1()) for name in ("ca", "peer")}
    names = {name: x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in keys}
    for name, key in keys.items():
        builder = (
            x509.CertificateBuilder()
            .subject_name(names[name])
            .issuer_name(names["ca"])
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(hours=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=name == "ca", path_length=None), critical=True)
        )
        if name != "ca":
            address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
            builder = builder.add_extension(x509.SubjectAlternativeName([address]), critical=False)
        certificate = builder.sign(keys["ca"], hashes.SHA256())
        (directory / f"{name}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        (directory / f"{name}.key").write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )


async def test_tls_with_certificates_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_certificates(tmp_path)
    authority, certificate, key = tmp_path / "ca.crt", tmp_path / "peer.crt", tmp_path / "peer.key"
    options = (f"--cert-file={certificate}", f"--key-file={key}", f"--trusted-ca-file={authority}", "--client-cert-auth")
    etcd = Etcd(*options, scheme="https")
    etcd.start()
    try:
        settings = etcd.settings(authorities=authority, certificate=certificate, key=key)
        driver = await EtcdDriver.open(settings)
        await driver.put("/registry/a", b"1", expected=ABSENT)
        await driver.close()
        monkeypatch.setattr(driver_module, "OPEN_SECONDS", 0.5)
        with pytest.raises(StorageError, match="does not answer"):
            await EtcdDriver.open(replace(settings, certificate=None, key=None))
        with pytest.raises(StorageError, match="cannot be read: No such file or directory"):
            await EtcdDriver.open(replace(settings, authorities=tmp_path / "nothing"))
    finally:
        etcd.remove()


def text(number: int, content: str) -> bytes:
    return bytes((number << 3 | 2, len(content))) + content.encode()


async def ask_for_users(driver: EtcdDriver) -> None:
    """From now on etcd wants to know who asks: root, by a password."""
    for method, request in (
        ("UserAdd", text(1, "root") + text(2, "secret")),
        ("RoleAdd", text(1, "root")),
        ("UserGrantRole", text(1, "root") + text(2, "root")),
        ("AuthEnable", b""),
    ):
        await driver.client.call(f"/etcdserverpb.Auth/{method}", request)


async def test_a_user_with_a_password() -> None:
    etcd = Etcd("--auth-token-ttl=1")
    etcd.start()
    try:
        anybody = await EtcdDriver.open(etcd.settings())
        await ask_for_users(anybody)
        with pytest.raises(StorageError, match="user name is empty"):
            await anybody.put("/registry/a", b"1", expected=ABSENT)
        await anybody.close()
        settings = etcd.settings(username="root", password="secret")
        cache = Cache(await EtcdDriver.open(settings))
        await cache.start()
        try:
            await cache.put("/registry/a", b"1", expected=ABSENT)
            etcd.kill()  # which makes it forget the tokens
            etcd.start()
            await cache.put("/registry/b", b"1", expected=ABSENT)
            await asyncio.sleep(1.5)  # a token lives no longer than this
            await cache.put("/registry/c", b"1", expected=ABSENT)
        finally:
            await cache.close()
        with pytest.raises(StorageError, match="authentication failed, invalid user ID or password"):
            await EtcdDriver.open(replace(settings, password="guess"))
    finally:
        etcd.remove()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    cluster = Cluster(3)
    cluster.start()
    yield cluster
    cluster.remove()


async def ten_more(answered: set[str], more: asyncio.Event) -> None:
    """Wait until ten more writes have been answered."""
    wanted = len(answered) + 10
    async with asyncio.timeout(15):
        while len(answered) < wanted:
            more.clear()
            await more.wait()


async def test_a_cluster_loses_its_members_one_after_the_other(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is killed and comes back, so the leader is among them: all that was answered is there, and every watch is complete."""
    monkeypatch.setattr(client_module, "_ATTEMPT", 1.0)  # what is sent on to a leader that has just died is not answered
    endpoints = tuple(Endpoint.parse(member.endpoint) for member in cluster.members)
    settings = [EtcdSettings(endpoints=(*endpoints[turn:], *endpoints[:turn])) for turn in range(2)]
    caches = [Cache(await EtcdDriver.open(each)) for each in settings]
    for cache in caches:
        await cache.start()
    after = caches[0].revision
    answered: set[str] = set()
    running = True
    more = asyncio.Event()

    async def write(cache: Cache, writer: int) -> None:
        number = 0
        while running:
            key = f"/registry/{writer}/{number}"
            await cache.put(key, b"", expected=ABSENT)
            answered.add(key)
            more.set()
            number += 1

    writers = [asyncio.create_task(write(caches[writer % 2], writer)) for writer in range(4)]
    for member in cluster.members:
        await asyncio.to_thread(member.kill)
        await ten_more(answered, more)
        await asyncio.to_thread(member.start)
        await ten_more(answered, more)
    running = False
    await asyncio.gather(*writers)
    for cache in caches:
        await cache.catch_up()
        told: list[str] = []
        with cache.watch("", after=after) as subscription:
            while not subscription.idle:
                told += [event.key for event in await anext(subscription)]
        assert sorted(told) == sorted(answered)
        assert {entry.key for entry in cache.list("").entries} == answered
    for cache in caches:
        await cache.close()
