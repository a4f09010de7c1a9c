"""The order of checks and what every answer carries, seen from outside."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from crdkit.access.user import User
from crdkit.meta.version import V1_33
from crdkit.registry.registry import Registry
from crdkit.testing.server import Server
from tests.server.conftest import KITES, Client, definition, kite


@pytest.fixture(scope="module")
def older() -> Iterator[Server]:
    with Server(tls=False, kube_version=V1_33, tokens={"alice": User("alice", ("dev",), "alice-uid")}) as server:
        server.apply(definition())
        yield server


def test_every_answer_can_be_traced_and_is_not_cached(client: Client) -> None:
    client.ask("GET /version", "Audit-ID: a b c")
    code, headers = client.head()
    assert code == 200
    assert headers["audit-id"] == "a b c"
    assert headers["cache-control"] == "no-cache, private"
    assert headers["date"].endswith(" GMT")
    assert "server" not in headers


def test_a_wrong_token_is_unauthorized_even_for_health(client: Client) -> None:
    client.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n")
    code, body = client.answer()
    assert code == 401
    assert body == (
        b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n'
    )


def test_the_deadline_is_checked_before_all_else(client: Client) -> None:
    client.send(b"GET /nothing?timeout=abc HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n")
    code, body = client.answer()
    assert (code, json.loads(body)["message"]) == (
        400,
        'invalid timeout specified in the request URL - time: invalid duration "abc"',
    )


def test_a_deadline_that_is_over_already_is_a_timeout(client: Client) -> None:
    client.ask("GET /version?timeout=1ns")
    code, headers = client.head()
    assert (code, headers["content-type"]) == (504, "text/plain; charset=utf-8")
    assert client.file.read(int(headers["content-length"])) == (
        b'{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout",'
        b'"reason":"Timeout","details":{},"code":504}\n'
    )


def test_what_kind_of_patch_it_is_comes_before_its_name(client: Client) -> None:
    client.ask(f"PATCH {KITES}", "Content-Type: application/json", body=b"{}")
    assert client.answer()[0] == 415
    client.ask(f"PATCH {KITES}", "Content-Type: application/merge-patch+json", body=b"{}")
    code, body = client.answer()
    assert (code, json.loads(body)["message"]) == (400, "name must be provided")


def test_authorization_comes_before_existence_and_media_types(client: Client) -> None:
    client.send(f"GET {KITES}/zz HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nAuthorization: Bearer alice\r\n\r\n".encode())
    code, headers = client.head()
    body = json.loads(client.file.read(int(headers["content-length"])))
    assert (code, headers["x-content-type-options"]) == (403, "nosniff")
    assert body["message"] == (
        'kites.example.com "zz" is forbidden: User "alice" cannot get resource "kites" in API group "example.com" in the namespace "default"'
    )


def test_paths_are_forbidden_in_words_that_are_no_html(client: Client) -> None:
    client.send(b"GET /<b>&c HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice\r\n\r\n")
    _, body = client.answer()
    assert json.loads(body)["message"] == 'forbidden: User "alice" cannot get path "/&lt;b&gt;&amp;c"'


def test_existence_comes_before_acceptance_and_that_before_the_bodys_type(client: Client) -> None:
    client.ask("POST /apis/example.com/v1/namespaces/default/nothing", "Accept: text/html", "Content-Type: text/plain", body=b"x")
    assert client.answer() == (404, b"404 page not found\n")
    client.ask(f"POST {KITES}", "Accept: text/html", "Content-Type: text/plain", body=b"x")
    assert client.answer()[0] == 406
    client.ask(f"POST {KITES}", "Content-Type: text/plain", body=b"x")
    assert client.answer()[0] == 415


@pytest.mark.parametrize("sent", ["text/plain", "application/json", "Application/merge-patch+json", ""])
def test_built_in_resources_take_patches_of_the_types_of_their_route(client: Client, sent: str) -> None:
    client.ask("PATCH /api/v1/namespaces/nowhere", f"Content-Type: {sent}", "Accept: text/html", body=b"{}")
    code, body = client.answer()
    status = json.loads(body)
    assert (code, status["message"], status["details"]) == (415, "415: Unsupported Media Type", {})


@pytest.mark.parametrize(
    ("request_line", "more"),
    [
        ("GET /api/v1/namespaces", ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"),
        ("GET /api/v1/namespaces?watch=1", ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"),
        ("GET /api/v1/namespaces/default", ""),
        ("DELETE /api/v1/namespaces/nowhere", ""),
    ],
)
@pytest.mark.parametrize("accept", ["application/*", "text/html;q=0.5, application/xml"])
def test_built_in_resources_tell_what_their_route_produces(client: Client, request_line: str, more: str, accept: str) -> None:
    client.ask(request_line, f"Accept: {accept}")
    code, body = client.answer()
    types = f"application/json, application/yaml, application/vnd.kubernetes.protobuf{more}"
    assert (code, json.loads(body)["message"]) == (406, f"406: Not Acceptable\n\nAvailable representations: {types}")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("GET /api/v1/watch/namespaces/default", 200),
        ("GET /api/v1/watch/namespaces/default/configmaps/a", 200),
        ("GET /api/v1/watch/configmaps", 200),
        ("GET /api/v1/watch/configmaps/a", 404),
        ("GET /api/v1/watch/namespaces/default/configmaps/a/b", 404),
        ("GET /api/v1/watch/namespaces/default/status", 404),
        ("POST /api/v1/watch/namespaces/default/configmaps", 405),
        ("DELETE /api/v1/watch/namespaces/default/configmaps/a", 405),
        ("GET /api/v1/proxy/namespaces/default", 404),
        ("GET /api/v1/namespaces/default/namespaces", 404),
        ("GET /api/v1/namespaces/default/status/more", 404),
        ("GET /api/v1/namespaces/default/status/", 200),
        ("GET /apis/apiextensions.k8s.io/v1/watch/customresourcedefinitions/a", 200),
        ("GET //api/v1", 404),
    ],
)
def test_built_in_paths_lead_to_one_resource_or_nowhere(client: Client, line: str, code: int) -> None:
    client.ask(f"{line}?timeoutSeconds=1")
    assert client.head()[0] == code


@pytest.mark.parametrize(
    ("line", "content_type", "code"),
    [
        (f"POST {KITES}?dryRun=some", "text/plain", 415),
        (f"PUT {KITES}/a?dryRun=some", "text/plain", 422),
        (f"DELETE {KITES}/a?dryRun=some", "text/plain", 415),
        (f"DELETE {KITES}?limit=few", "text/plain", 400),
        (f"DELETE {KITES}?fieldSelector=spec=x", "text/plain", 400),
        (f"DELETE {KITES}?dryRun=some", "text/plain", 415),
    ],
)
def test_some_options_are_checked_before_the_bodys_type(client: Client, line: str, content_type: str, code: int) -> None:
    client.ask(line, f"Content-Type: {content_type}", body=b"x")
    assert client.answer()[0] == code


@pytest.mark.parametrize(
    ("query", "code"), [("limit=few", 400), ("resourceVersion=new", 500), ("resourceVersionMatch=Exact", 422), ("", 406)]
)
def test_the_options_of_a_watch_are_checked_before_its_form(client: Client, query: str, code: int) -> None:
    client.ask(f"GET {KITES}?watch=1&{query}", "Accept: application/yaml")
    assert client.answer()[0] == code


@pytest.mark.parametrize(
    ("line", "code"),
    [(f"{KITES}?limit=few", 400), (f"{KITES}?watch=1&sendInitialEvents=true", 422), (f"{KITES}?fieldSelector=spec.x=1", 406), (KITES, 406)],
)
def test_before_1_36_the_options_of_a_list_are_checked_before_its_form(client: Client, older: Server, line: str, code: int) -> None:
    client.ask(f"GET {line}", "Accept: text/html")
    assert client.answer()[0] == 406
    other = Client(older)
    other.ask(f"GET {line}", "Accept: text/html")
    assert other.answer()[0] == code
    other.close()


def test_a_bug_is_an_error_without_a_traceback(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(self: Registry, request: object) -> None:
        msg = "secret detail"
        raise ZeroDivisionError(msg)

    monkeypatch.setattr(Registry, "handle", broken)
    with Server(tls=False) as server:
        response = server.request("GET", "/api/v1/namespaces")
    assert (response.code, response.body["kind"], response.body["reason"]) == (500, "Status", "InternalError")
    assert "secret detail" not in json.dumps(response.body)
    assert "unhandled error: GET /api/v1/namespaces" in caplog.text


def test_answers_come_as_yaml_for_those_who_ask(client: Client) -> None:
    client.ask(f"GET {KITES}/zz", "Accept: application/yaml")
    code, headers = client.head()
    body = client.file.read(int(headers["content-length"]))
    assert (code, headers["content-type"]) == (404, "application/yaml")
    assert body.decode().startswith("apiVersion: v1\ncode: 404\ndetails:\n  group: example.com\n")


def test_a_watch_ends_after_its_time_and_the_connection_goes_on(client: Client) -> None:
    client.ask(f"GET {KITES}?watch=1&timeoutSeconds=1")
    code, headers = client.head()
    assert (code, headers["transfer-encoding"], headers["content-type"]) == (200, "chunked", "application/json")
    assert read_chunks(client)[0]["type"] == "ADDED"
    client.ask("GET /healthz")
    assert client.answer() == (200, b"ok")


def test_watches_end_cleanly_when_the_server_stops() -> None:
    with Server(tls=False) as server:
        server.apply([definition(), kite("a")])
        client = Client(server)
        client.ask(f"GET {KITES}?watch=1")
        assert client.head()[0] == 200
        time.sleep(0.05)
        server.stop()
        assert [event["object"]["metadata"]["name"] for event in read_chunks(client)] == ["a"]
        client.close()


def test_a_reset_server_is_empty_and_keeps_its_address(plain: Server) -> None:
    with Server(tls=False) as server:
        server.apply([definition(), kite("a")])
        client = Client(server)
        client.ask(f"GET {KITES}/a")
        assert client.answer()[0] == 200
        server.reset()
        client.ask(f"GET {KITES}/a")
        assert client.answer() == (404, b"404 page not found\n")
        client.close()


def read_chunks(client: Client) -> list[dict[str, object]]:
    """The events of a stream that comes to its proper end."""
    content = b""
    while size := int(client.file.readline(), 16):
        content += client.file.read(size + 2)[:-2]
    assert client.file.readline() == b"\r\n"
    return [json.loads(line) for line in content.splitlines()]
