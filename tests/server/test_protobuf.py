"""Built-in kinds in protobuf over HTTP, as controller-runtime and client-go ask for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from crdkit.builtin.protobuf import envelope
from crdkit.testing.server import Server
from tests.server.conftest import KITES, Client

PROTOBUF = "application/vnd.kubernetes.protobuf"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
PREFERRED = f"Accept: {PROTOBUF},application/json"
SENT = f"Content-Type: {PROTOBUF}"


@pytest.fixture
def client(plain: Server) -> Iterator[Client]:
    client = Client(plain)
    yield client
    client.close()


def config_map(name: str, **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def read(body: bytes) -> dict[str, Any]:
    found = envelope.open_envelope(body)
    table = envelope.table_of(found.api_version, found.kind)
    assert table is not None
    return {"kind": found.kind, **table.read(found.kind, found.raw)}


def test_an_object_is_created_listed_and_deleted(client: Client) -> None:
    client.ask(f"POST {CONFIG_MAPS}", SENT, PREFERRED, body=envelope.encode(config_map("proto", a="1")))
    code, body = client.answer()
    created = read(body)
    assert (code, created["kind"], created["data"]) == (201, "ConfigMap", {"a": "1"})
    client.ask(f"GET {CONFIG_MAPS}?fieldSelector=metadata.name%3Dproto", PREFERRED)
    code, head = client.head()
    listed = read(client.file.read(int(head["content-length"])))
    assert (code, head["content-type"], listed["kind"]) == (200, PROTOBUF, "ConfigMapList")
    assert listed["items"] == [{name: value for name, value in created.items() if name != "kind"}]
    options = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": "another"}}
    client.ask(f"DELETE {CONFIG_MAPS}/proto", SENT, PREFERRED, body=envelope.encode(options))
    code, body = client.answer()
    assert (code, read(body)["reason"]) == (409, "Conflict")
    options["preconditions"] = {"uid": created["metadata"]["uid"]}
    client.ask(f"DELETE {CONFIG_MAPS}/proto", SENT, PREFERRED, body=envelope.encode(options))
    code, body = client.answer()
    assert (code, read(body)["status"]) == (200, "Success")


def test_a_definition_is_updated(client: Client) -> None:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kites.example.com"
    client.ask(f"GET {path}")
    _, body = client.answer()
    definition = json.loads(body)
    definition["spec"]["names"]["shortNames"] = ["kt"]
    client.ask(f"PUT {path}", SENT, body=envelope.encode(definition))
    code, body = client.answer()
    updated = json.loads(body)
    assert (code, updated["spec"]) == (200, definition["spec"])
    client.ask(f"GET {path}", PREFERRED)
    _, body = client.answer()
    assert read(body)["spec"]["names"]["shortNames"] == ["kt"]


def test_a_watch_comes_in_frames(client: Client) -> None:
    client.ask(f"POST {CONFIG_MAPS}", SENT, body=envelope.encode(config_map("watched")))
    assert client.answer()[0] == 201
    client.ask(f"GET {CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3Dwatched&timeoutSeconds=1", f"Accept: {PROTOBUF};stream=watch")
    code, head = client.head()
    assert (code, head["content-type"]) == (200, f"{PROTOBUF};stream=watch")
    frame = client.file.read(int(client.file.readline(), 16))
    assert int.from_bytes(frame[:4], "big") == len(frame) - 4
    assert frame[4:14] == b"\n\x05ADDED\x12" + frame[12:14]
    event = frame[frame.index(b"k8s\x00") :]
    assert read(event)["metadata"]["name"] == "watched"


def test_the_metadata_of_custom_objects_has_a_message(client: Client) -> None:
    client.ask(f"GET {KITES}", f"Accept: {PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
    code, body = client.answer()
    found = read(body)
    assert (code, found["kind"], [item["metadata"]["name"] for item in found["items"]]) == (200, "PartialObjectMetadataList", ["a"])


NO_PROTOBUF = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"nonsense", f"the object provided is unrecognized (must be of type ConfigMap): {NO_PROTOBUF} (6e6f6e73656e7365)"),
        (
            b"k8s\x00\n\x0f\n\x02v1\x12\tConfigMap\x12\x02\x08\x01",
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field ObjectMeta',
        ),
    ],
)
def test_a_broken_body_is_refused_in_the_words_of_go(client: Client, body: bytes, told: str) -> None:
    client.ask(f"POST {CONFIG_MAPS}", SENT, body=body)
    code, answer = client.answer()
    assert (code, json.loads(answer)["message"]) == (400, told)


def test_custom_objects_have_no_messages(client: Client) -> None:
    client.ask(f"POST {KITES}", SENT, body=envelope.encode(config_map("b")))
    code, body = client.answer()
    assert (code, json.loads(body)["reason"]) == (400, "BadRequest")
    client.ask(f"GET {KITES}/a", f"Accept: {PROTOBUF}")
    code, body = client.answer()
    assert (code, read(body)["reason"]) == (406, "NotAcceptable")


def test_a_table_has_no_message(client: Client) -> None:
    client.ask(f"GET {CONFIG_MAPS}", f"Accept: {PROTOBUF};as=Table;g=meta.k8s.io;v=v1")
    assert client.answer()[0] == 406
