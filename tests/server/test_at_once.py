"""Reads that are answered without waiting say the same as all others, and a client that does not read is not sent all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from crdkit.access.authentication import Authenticator
from crdkit.access.authorization import AlwaysAllow
from crdkit.access.user import User
from crdkit.meta import json
from crdkit.meta.version import DEFAULT
from crdkit.registry.registry import Registry
from crdkit.registry.request import Query
from crdkit.server.app import Application
from crdkit.server.message import Headers, Incoming
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from tests.server.conftest import KITES, Client, definition, kite

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
AUDIT_ID = (b"audit-id", b"1")
ALICE = (b"authorization", b"Bearer alice")


@pytest.fixture
async def application() -> AsyncIterator[Application]:
    cache = Cache(MemoryDriver())
    await cache.start()
    registry = Registry(cache, DEFAULT)
    await registry.start()
    found = Application(registry, Authenticator({"alice": User("alice")}), AlwaysAllow())
    for path, obj in ((DEFINITIONS, definition()), (KITES, kite("a"))):
        assert (await found.answer(incoming(path, method="POST", body=json.encode(obj)))).code == 201
    yield found
    await registry.stop()
    await cache.close()


def incoming(path: str, *fields: tuple[bytes, bytes], method: str = "GET", query: str = "", body: bytes = b"") -> Incoming:
    return Incoming(method, path, Query.parse(query), Headers([AUDIT_ID, *fields]), body)


@pytest.mark.parametrize("path", [f"{KITES}/a", "/api/v1/namespaces/default", f"{DEFINITIONS}/kites.example.com"])
@pytest.mark.parametrize("fields", [(), (ALICE,), ((b"accept", b"application/json"), ALICE), ((b"accept", b"*/*"),)])
async def test_what_is_answered_at_once_is_what_is_answered(
    application: Application, path: str, fields: tuple[tuple[bytes, bytes], ...]
) -> None:
    asked = incoming(path, *fields)
    waited_for = await application.answer(asked)
    assert waited_for.code == 200
    assert application.answer_at_once(asked) in (waited_for, None)


async def test_a_known_object_is_answered_at_once(application: Application) -> None:
    found = application.answer_at_once(incoming(f"{KITES}/a", ALICE))
    assert found is not None
    assert found.code == 200


@pytest.mark.parametrize(
    "asked",
    [
        incoming(f"{KITES}/missing"),
        incoming(f"{KITES}/a/status"),
        incoming(f"{KITES}/a", query="pretty=1"),
        incoming(f"{KITES}/a", method="HEAD"),
        incoming(f"{KITES}/a", method="DELETE"),
        incoming(f"{KITES}/a", (b"authorization", b"Bearer nobody")),
        incoming(f"{KITES}/a", (b"impersonate-user", b"bob")),
        incoming(f"{KITES}/a", (b"accept", b"application/yaml")),
        incoming(f"{KITES}/a", (b"accept", b"application/json;as=Table;g=meta.k8s.io;v=v1")),
        incoming(f"{KITES}/a", (b"user-agent", b"curl/8")),
        incoming(KITES),
        incoming("/version"),
        incoming("/nowhere"),
    ],
    ids=range(13),
)
async def test_the_rest_is_waited_for(application: Application, asked: Incoming) -> None:
    assert application.answer_at_once(asked) is None


def test_who_sends_many_requests_and_reads_later_has_all_answers_in_order(client: Client) -> None:
    name = "large"
    body = json.encode({**kite(name), "metadata": {"name": name, "annotations": {"note": "x" * 60_000}}})
    client.ask(f"POST {KITES}", "Content-Type: application/json", body=body)
    assert client.answer()[0] == 201
    for number in range(200):
        client.ask(f"GET {KITES}/{name}", f"Audit-Id: {number}")
    for number in range(200):
        code, headers = client.head()
        assert (code, headers["audit-id"]) == (200, str(number))
        client.file.read(int(headers["content-length"]))


async def test_headers_do_not_stand_for_another_server(application: Application) -> None:
    asked = incoming(f"{KITES}/a", ALICE)
    assert (await application.answer(asked)).code == 200
    other = Application(application._registry, Authenticator({}), AlwaysAllow())
    assert (await other.answer(asked)).code == 401
