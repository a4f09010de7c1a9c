"""Which discovery document is answered, and in which form."""

from __future__ import annotations

import pytest

from crdkit.builtin.kinds import kinds
from crdkit.meta import json
from crdkit.meta.status import Refusal
from crdkit.meta.types import Json
from crdkit.meta.version import V1_36
from crdkit.server.directory import Directory
from crdkit.server.message import Answer, Headers, Incoming, Query
from tests.server.kites import Shelf, kite, version

V2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
V2_BETA = V2.replace("v=v2", "v=v2beta1")


def directory(shelf: Shelf | None = None) -> Directory:
    return Directory(shelf or Shelf(kite()), kinds(V1_36), V1_36, address="127.0.0.1:6443")


def incoming(path: str, accept: str = "", method: str = "GET", **more: str) -> Incoming:
    fields = [(b"accept", accept.encode())] if accept else []
    fields += [(name.replace("_", "-").encode(), value.encode()) for name, value in more.items()]
    return Incoming(method, path, Query.parse(""), Headers(fields))


async def ask(path: str, accept: str = "", method: str = "GET", **more: str) -> Answer:
    answer = await directory().answer(incoming(path, accept, method, **more))
    assert answer is not None
    return answer


async def kind(path: str, accept: str = "", method: str = "GET") -> Json:
    return json.decode((await ask(path, accept, method)).body)["kind"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/api", "APIVersions"),
        ("/api/v1", "APIResourceList"),
        ("/apis/", "APIGroupList"),
        ("/apis/apiextensions.k8s.io", "APIGroup"),
        ("/apis/apiextensions.k8s.io/v1", "APIResourceList"),
        ("/apis/example.com/", "APIGroup"),
        ("/apis/example.com/v1", "APIResourceList"),
    ],
)
async def test_a_path_has_a_document(path: str, told: str) -> None:
    assert await kind(path) == told


@pytest.mark.parametrize("path", ["/", "/api/v2", "/apis/nope.example.com", "/apis/example.com/v2", "/apis/example.com/v1/kites", "/apix"])
async def test_other_paths_have_none(path: str) -> None:
    assert await directory().answer(incoming(path)) is None


@pytest.mark.parametrize("path", ["/apis", "/apis/example.com", "/apis/example.com/v1", "/apis/apiextensions.k8s.io"])
async def test_most_documents_answer_any_method(path: str) -> None:
    assert (await ask(path, method="POST")).code == 200


@pytest.mark.parametrize("path", ["/api", "/api/v1", "/apis/apiextensions.k8s.io/v1"])
async def test_those_of_built_in_versions_can_only_be_read(path: str) -> None:
    with pytest.raises(Refusal) as refused:
        await ask(path, method="HEAD")
    assert refused.value.code == 405


@pytest.mark.parametrize("accept", [V2, f"{V2_BETA},{V2},application/json", f"application/json,{V2}", f"{V2};q=0.1,application/json"])
async def test_the_aggregated_form_wins(accept: str) -> None:
    answer = await ask("/apis", accept)
    assert (json.decode(answer.body)["kind"], answer.content_type) == ("APIGroupDiscoveryList", V2)
    assert answer.cache_control == "public"


async def test_an_older_aggregated_form_is_gone() -> None:
    assert await kind("/apis", f"{V2_BETA},application/json") == "APIGroupList"
    with pytest.raises(Refusal, match="only the following media types are accepted"):
        await ask("/apis", V2_BETA)


async def test_one_group_has_no_aggregated_form() -> None:
    with pytest.raises(Refusal, match="only the following media types are accepted"):
        await ask("/apis/example.com", V2)


async def test_the_core_group_tells_what_it_could_be_read_as() -> None:
    with pytest.raises(Refusal, match="406: Not Acceptable\n\nAvailable representations: application/json, application/yaml"):
        await ask("/api", "text/html")


async def test_a_client_that_has_the_document_gets_no_other() -> None:
    answer = await ask("/apis", V2)
    tag = dict(answer.headers)["ETag"]
    again = await ask("/apis", V2, if_none_match=tag)
    assert (again.code, again.body) == (304, b"")


async def test_documents_can_be_had_as_yaml() -> None:
    answer = await ask("/apis/example.com", "application/yaml")
    assert answer.content_type == "application/yaml"
    assert answer.body.decode() == (
        "apiVersion: v1\nkind: APIGroup\nname: example.com\npreferredVersion:\n  groupVersion: example.com/v1\n  version: v1\n"
        "versions:\n- groupVersion: example.com/v1\n  version: v1\n"
    )


async def test_documents_can_be_had_as_protocol_buffers() -> None:
    answer = await ask("/apis/example.com", "application/vnd.kubernetes.protobuf")
    one = b"\x0a\x0eexample.com/v1\x12\x02v1"
    group = b"\x0a\x0bexample.com" + b"\x12" + bytes((len(one),)) + one + b"\x1a" + bytes((len(one),)) + one
    meta = b"\x0a\x02v1\x12\x08APIGroup"
    head = b"k8s\x00" + b"\x0a" + bytes((len(meta),)) + meta
    assert answer.body == head + b"\x12" + bytes((len(group),)) + group + b'\x1a\x00"\x00'


async def test_documents_follow_the_definitions() -> None:
    shelf = Shelf()
    served = directory(shelf)
    assert await served.answer(incoming("/apis/example.com")) is None
    shelf.put(kite(version(), version("v2")))
    answer = await served.answer(incoming("/apis/example.com"))
    assert answer is not None
    assert json.decode(answer.body)["preferredVersion"]["version"] == "v2"
