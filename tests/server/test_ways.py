"""What is known of a request is found out anew as soon as anything changes that it depends on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from crdkit.access.authentication import Authenticator
from crdkit.access.rbac import RbacAuthorizer
from crdkit.access.roles import Roles
from crdkit.access.user import User
from crdkit.meta import json
from crdkit.meta.version import DEFAULT
from crdkit.registry.registry import Registry
from crdkit.registry.request import NO_QUERY, Query
from crdkit.server.app import Application
from crdkit.server.message import Headers, Incoming, Outgoing
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.types import Guard, Revision
from tests.server.conftest import KITES, definition, kite

DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
RBAC = "/apis/rbac.authorization.k8s.io/v1"
OTHERS = KITES.replace("default", "other")
MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"
SPEC = json.encode({"spec": {"lines": 3}})


class Disk(MemoryDriver):
    """A store that writes have to wait for."""

    async def put(self, key: str, value: bytes, *, expected: Revision, guards: Sequence[Guard] = ()) -> Revision:
        await asyncio.sleep(0)
        return await super().put(key, value, expected=expected, guards=guards)


class Asker:
    """Sends requests as a connection does: what comes with the same head has the same headers."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self._headers: dict[tuple[tuple[str, str], ...], Headers] = {}

    async def ask(self, line: str, body: Any = None, *, user: str = "root", **fields: str) -> Outgoing:
        method, _, target = line.partition(" ")
        path, _, query = target.partition("?")
        told = (("authorization", f"Bearer {user}"), *((name.replace("_", "-"), value) for name, value in fields.items()))
        headers = self._headers.setdefault(told, Headers([(name.encode(), value.encode()) for name, value in told]))
        data = body if isinstance(body, bytes) else b"" if body is None else json.encode(body)
        begun = self.application.begin(Incoming(method, path, Query.parse(query), headers, data))
        return begun if isinstance(begun, Outgoing) else await begun

    async def code(self, line: str, body: Any = None, **more: str) -> int:
        return (await self.ask(line, body, **more)).code

    async def make(self, path: str, obj: dict[str, Any]) -> None:
        assert await self.code(f"POST {path}", obj) == 201

    async def known(self, **more: str) -> None:
        """Have every sort of request known."""
        for line, body, fields in REQUESTS:
            for _ in range(2):
                outgoing = await self.ask(line, body, **fields, **more)
                assert outgoing.code in (200, 201), outgoing


REQUESTS: list[tuple[str, Any, dict[str, str]]] = [
    (f"POST {KITES}?dryRun=All", kite("new"), {"content_type": "application/json"}),
    (f"GET {KITES}/a", None, {}),
    (f"PATCH {KITES}/a", SPEC, {"content_type": MERGE}),
    (f"PATCH {KITES}/a?fieldManager=me&force=true", kite("a"), {"content_type": APPLY}),
]


@pytest.fixture
async def asker() -> AsyncIterator[Asker]:
    cache = Cache(Disk())
    await cache.start()
    registry = Registry(cache, DEFAULT)
    await registry.start()
    users = {"root": User("root", ("system:masters",)), "alice": User("alice")}
    found = Asker(Application(registry, Authenticator(users), RbacAuthorizer(Roles(cache))))
    await found.make(DEFINITION, definition())
    await found.make("/api/v1/namespaces", {"metadata": {"name": "other"}})
    await found.make(KITES, kite("a"))
    await found.make(KITES, kite("b"))
    yield found
    await registry.stop()
    await cache.close()


async def change(asker: Asker, patch: dict[str, Any]) -> None:
    assert await asker.code(f"PATCH {DEFINITION}/kites.example.com", patch, content_type=MERGE) == 200


def version(**more: Any) -> dict[str, Any]:
    return {**definition()["spec"]["versions"][0], **more}


async def all_codes(asker: Asker, **more: str) -> list[int]:
    return [await asker.code(line, body, **fields, **more) for line, body, fields in REQUESTS]


async def test_what_is_known_is_answered_like_what_is_not(asker: Asker) -> None:
    other = Asker(Application(asker.application._registry, asker.application._authenticator, asker.application._authorizer))
    for line, body, fields in [*REQUESTS, (f"POST {KITES}?dryRun=All", b"{", {}), (f"POST {KITES}?dryRun=All", kite("a"), {})]:
        answers = [await one.ask(line, body, audit_id="1", **fields) for one in (asker, asker, other, asker)]
        bodies = [bytes(answer.body).partition(b'"uid"')[2][50:] for answer in answers if isinstance(answer.body, bytes)]  # a dry run's own
        assert len({(answer.code, answer.head) for answer in answers}) == 1, line
        assert len(set(bodies)) == 1, line
        assert len(bodies) == len(answers), line


async def test_other_names_and_namespaces_are_told_apart(asker: Asker) -> None:
    await asker.known()
    assert await asker.code(f"GET {KITES}/b") == 200
    assert await asker.code(f"GET {KITES}/c") == 404
    assert await asker.code(f"PATCH {KITES}/c", SPEC, content_type=MERGE) == 404
    assert await asker.code(f"PATCH {KITES}/b", SPEC, content_type=MERGE) == 200
    assert await asker.code(f"PATCH {OTHERS}/a", SPEC, content_type=MERGE) == 404
    assert await asker.code(f"POST {OTHERS}", kite("a"), content_type="application/json") == 201
    assert await asker.code(f"PATCH {KITES}/..", SPEC, content_type=MERGE) == 400
    assert await asker.code("PATCH /apis/example.com/v1/kites/a", SPEC, content_type=MERGE) == 404
    assert await asker.code(f"POST {KITES.replace('default', 'nowhere')}", kite("a"), content_type="application/json") == 404


async def test_a_query_counts_each_time(asker: Asker) -> None:
    await asker.known()
    line, body, fields = REQUESTS[0]
    assert await asker.code(f"POST {KITES}?dryRun=Some", body, **fields) == 422
    assert await asker.code(f"POST {KITES}?dryRun=All&fieldValidation=Strict", {**body, "odd": 1}, **fields) == 400
    assert await asker.code(f"PATCH {KITES}/a?force=true", SPEC, content_type=MERGE) == 422
    assert await asker.code(f"PATCH {KITES}/a", kite("a"), content_type=APPLY) == 422
    assert await asker.code(f"POST {KITES}?timeout=no", body, **fields) == 400
    pretty = await asker.ask(f"{line}&pretty=true", body, **fields)
    assert isinstance(pretty.body, bytes)
    assert pretty.body.startswith(b'{\n  "')
    assert await asker.code(f"POST {KITES}", kite("new"), **fields) == 201
    assert await asker.code(f"POST {KITES}", kite("new"), **fields) == 409


async def test_headers_count_each_time(asker: Asker) -> None:
    await asker.known()
    for line, body, fields in REQUESTS:
        outgoing = await asker.ask(line, body, accept="application/yaml", **fields)
        assert b"Content-Type: application/yaml" in outgoing.head
        assert await asker.code(line, body, accept="text/none", **fields) == 406
        assert await asker.code(line, body, **fields, user="nobody") == 401
        assert await asker.code(line, body, **fields, impersonate_user="bob") == 403
        curled = await asker.ask(line, body, user_agent="curl/8", **fields)
        assert isinstance(curled.body, bytes)
        assert curled.body.startswith(b'{\n  "')
    assert await asker.code(f"PATCH {KITES}/a", SPEC, content_type="text/plain") == 415
    assert await asker.code(f"POST {KITES}", kite("x"), content_type="text/plain") == 415


async def test_a_revoked_right_is_gone_at_once(asker: Asker) -> None:
    rule = {"verbs": ["get", "create", "patch"], "apiGroups": ["example.com"], "resources": ["kites"]}
    await asker.make(f"{RBAC}/clusterroles", {"metadata": {"name": "flyers"}, "rules": [rule]})
    binding = {
        "metadata": {"name": "flyers"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "flyers"},
        "subjects": [{"kind": "User", "name": "alice"}],
    }
    assert await all_codes(asker, user="alice") == [403] * 4
    await asker.make(f"{RBAC}/clusterrolebindings", binding)
    await asker.known(user="alice")
    narrow = {"rules": [{**rule, "resourceNames": ["a"]}]}
    assert await asker.code(f"PATCH {RBAC}/clusterroles/flyers", narrow, content_type=MERGE) == 200
    assert await all_codes(asker, user="alice") == [403, 200, 200, 200]
    assert await asker.code(f"GET {KITES}/b", user="alice") == 403
    assert await asker.code(f"PATCH {KITES}/b", SPEC, content_type=MERGE, user="alice") == 403
    assert await asker.code(f"DELETE {RBAC}/clusterrolebindings/flyers") == 200
    assert await all_codes(asker, user="alice") == [403] * 4


async def test_a_changed_definition_counts_at_once(asker: Asker) -> None:
    await asker.known()
    strict = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"lines": {"type": "integer", "maximum": 1}}}}}
    await change(asker, {"spec": {"versions": [version(schema={"openAPIV3Schema": strict})]}})
    assert await all_codes(asker) == [422, 200, 422, 200]  # what is applied was there before
    await change(asker, {"spec": {"versions": [version(deprecated=True)]}})
    for _ in range(2):
        for line, body, fields in REQUESTS:
            outgoing = await asker.ask(line, body, **fields)
            assert outgoing.code < 300
            assert outgoing.head.count(b'Warning: 299 - "example.com/v1 Kite is deprecated"') == 1
    await change(asker, {"spec": {"versions": [version(served=False), version(name="v2", storage=False)]}})
    assert await all_codes(asker) == [404] * 4


async def test_a_deleted_definition_is_gone_at_once(asker: Asker) -> None:
    await asker.known()
    assert await asker.code(f"DELETE {DEFINITION}/kites.example.com") == 200
    for _ in range(100):
        if asker.application._registry.find("example.com", "v1", "kites") is None:
            break
        await asyncio.sleep(0.01)
    assert await all_codes(asker) == [404] * 4


async def test_a_definition_that_changes_under_a_request_is_looked_at_again(asker: Asker) -> None:
    """A create is judged by the definition before, and by the one after when it comes to the store."""
    await asker.known()
    headers = Headers([(b"authorization", b"Bearer root"), (b"content-type", b"application/json")])
    body = json.encode({"metadata": {"name": "kites.example.com"}, "spec": {"versions": [version(deprecated=True)]}})
    of_definition = Headers([(b"authorization", b"Bearer root"), (b"content-type", MERGE.encode())])
    changing = asker.application.begin(Incoming("PATCH", f"{DEFINITION}/kites.example.com", NO_QUERY, of_definition, body))
    creating = asker.application.begin(Incoming("POST", KITES, NO_QUERY, headers, json.encode(kite("late"))))
    assert not isinstance(changing, Outgoing)
    assert not isinstance(creating, Outgoing)
    changed, created = await asyncio.gather(changing, creating)
    assert (changed.code, created.code) == (200, 201)
    assert await asker.code(f"GET {KITES}/late") == 200


async def test_what_needs_a_task_is_given_one(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun where none runs, as a connection does it."""
    monkeypatch.setattr("crdkit.registry.versions.FUTURE_WAIT", 0.01)
    loop = asyncio.get_running_loop()

    async def ask(line: str) -> int:
        method, _, target = line.partition(" ")
        path, _, query = target.partition("?")
        asked = Incoming(method, path, Query.parse(query), Headers([(b"authorization", b"Bearer root")]))
        begun: asyncio.Future[Any] = loop.create_future()
        loop.call_soon(lambda: begun.set_result(asker.application.begin(asked)))
        found = await begun
        return found.code if isinstance(found, Outgoing) else (await found).code

    assert await ask("POST /healthz") == 200
    assert await ask("DELETE /readyz") == 200
    assert await ask(f"DELETE {KITES}?resourceVersion=1000000") == 504
    assert await ask(f"DELETE {KITES}") == 200
