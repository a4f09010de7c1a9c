"""How the OpenAPI documents are asked for."""

from __future__ import annotations

import gzip

import pytest

from crdkit.builtin.kinds import kinds
from crdkit.meta import json
from crdkit.meta.version import V1_36
from crdkit.server.message import Answer, Headers, Incoming, Query
from crdkit.server.openapi.serving import OpenApi
from tests.server.kites import Shelf, kite, version

KITES = "/openapi/v3/apis/example.com/v1"
GNOSTIC = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"


def served(shelf: Shelf | None = None) -> OpenApi:
    return OpenApi(shelf or Shelf(kite()), kinds(V1_36), V1_36)


async def ask(openapi: OpenApi, path: str, accept: str = "", query: str = "", **headers: str) -> Answer:
    fields = [(b"accept", accept.encode())] if accept else []
    fields += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    answer = await openapi.answer(Incoming("GET", path, Query.parse(query), Headers(fields)))
    assert answer is not None
    return answer


async def url(openapi: OpenApi) -> str:
    index = json.decode((await ask(openapi, "/openapi/v3")).body)
    found: str = index["paths"]["apis/example.com/v1"]["serverRelativeURL"]
    return found


async def test_the_index_leads_to_documents_that_never_change() -> None:
    openapi = served()
    path, _, query = (await url(openapi)).partition("?")
    answer = await ask(openapi, path, query=query)
    assert (answer.code, answer.cache_control) == (200, "public, immutable")
    assert "Expires" in dict(answer.headers)
    assert json.decode(answer.body)["info"] == {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"}


async def test_an_outdated_hash_leads_to_the_document_of_today() -> None:
    openapi = served()
    answer = await ask(openapi, KITES, query="hash=ABC")
    assert (answer.code, answer.body) == (301, b"")
    assert dict(answer.headers)["Location"] == await url(openapi)


async def test_an_empty_hash_is_none() -> None:
    answer = await ask(served(), KITES, query="hash=")
    assert (answer.code, answer.cache_control) == (200, "no-cache, private")


async def test_a_client_that_has_the_document_gets_no_other() -> None:
    openapi = served()
    tag = dict((await ask(openapi, KITES)).headers)["ETag"]
    assert (await ask(openapi, KITES, if_none_match=tag)).code == 304
    assert (await ask(openapi, KITES, if_none_match='"ABC"')).code == 200


@pytest.mark.parametrize("path", ["/openapi/v3/apis/example.com/v2", "/openapi/v3/apis/example.com", "/openapi/v3/"])
async def test_a_missing_document_is_nothing_at_all(path: str) -> None:
    answer = await ask(served(), path)
    assert (answer.code, answer.body, answer.content_type) == (404, b"", "")


@pytest.mark.parametrize("path", ["/openapi", "/openapi/v1", "/openapi/v", "/version"])
async def test_other_paths_are_not_its_own(path: str) -> None:
    assert await served().answer(Incoming("GET", path, Query.parse(""), Headers([]))) is None


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/com.github.proto-openapi.spec.v2@v1.0+protobuf", GNOSTIC),
        (f"{GNOSTIC}, application/json;q=0.5", GNOSTIC),
    ],
)
async def test_the_old_document_has_two_forms(accept: str, given: str) -> None:
    answer = await ask(served(), "/openapi/v2", accept)
    assert (answer.code, answer.content_type) == (200, given)


@pytest.mark.parametrize("path", ["/openapi/v2", KITES])
async def test_other_forms_are_refused_without_a_word(path: str) -> None:
    answer = await ask(served(), path, "text/html")
    assert (answer.code, answer.body, answer.content_type) == (406, b"", "")


async def test_documents_are_compressed_for_those_who_can_read_that() -> None:
    openapi = served()
    plain = await ask(openapi, "/openapi/v2", accept_encoding="br")
    packed = await ask(openapi, "/openapi/v2", accept_encoding="gzip, br")
    assert dict(packed.headers)["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


async def test_documents_follow_the_definitions() -> None:
    shelf = Shelf(kite())
    openapi = served(shelf)
    before = await url(openapi)
    shelf.put(kite(version(schema={"type": "object", "description": "Kites fly."})))
    path, _, query = (await url(openapi)).partition("?")
    assert f"{path}?{query}" != before
    assert b"Kites fly." in (await ask(openapi, path, query=query)).body
    assert b"Kites fly." in (await ask(openapi, "/openapi/v2")).body
    shelf.put()
    assert (await ask(openapi, path)).code == 404


async def test_what_is_no_part_of_a_document_leaves_its_hash_alone() -> None:
    shelf = Shelf(kite())
    openapi = served(shelf)
    before = await url(openapi)
    shelf.put(kite(conditions=("Established", "NamesAccepted", "Terminating")))
    assert await url(openapi) == before
