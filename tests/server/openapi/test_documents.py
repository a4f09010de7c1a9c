"""Whole documents, in both versions of OpenAPI."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crdkit.builtin.kinds import kinds
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_36
from crdkit.server.openapi import documents, gnostic, v2
from tests.server.kites import kite, version

KITE = {"group": "example.com", "version": "v1", "kind": "Kite"}


def references(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, child in value.items():
            if key == "$ref" and isinstance(child, str):
                yield child
            else:
                yield from references(child)
    elif isinstance(value, list):
        for child in value:
            yield from references(child)


def defined() -> JsonObject:
    return documents.defined(kite(version()).versions, V1_36)


def built_in() -> JsonObject:
    return documents.builtin([kind for kind in kinds(V1_36) if not kind.group], V1_36)


def everything() -> JsonObject:
    return v2.document(kinds(V1_36), kite(version()).versions, V1_36)


@pytest.mark.parametrize("document", [defined(), built_in()], ids=["defined", "built in"])
def test_a_document_holds_all_it_refers_to(document: JsonObject) -> None:
    held = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= held


def test_the_document_of_everything_holds_all_it_refers_to() -> None:
    document = everything()
    held = {f"#/{part}/{name}" for part in ("definitions", "parameters") for name in document[part]}
    assert set(references(document)) == held


def test_documents_of_definitions_hold_no_more_than_they_need() -> None:
    schemas = defined()["components"]["schemas"]
    assert [name for name in schemas if not name.startswith("io.k8s.apimachinery.pkg.apis.meta.v1.")] == [
        "com.example.v1.Kite",
        "com.example.v1.KiteList",
    ]


def test_a_patch_tells_kubectl_that_fields_are_validated() -> None:
    for document in (defined(), everything()):
        patch = document["paths"]["/apis/example.com/v1/namespaces/{namespace}/kites/{name}"]["patch"]
        assert patch["x-kubernetes-group-version-kind"] == KITE
        assert {"fieldValidation", "dryRun"} <= {each.get("name") for each in patch["parameters"]}


def test_version_2_lists_the_types_of_patches_as_a_real_server_does() -> None:
    paths = everything()["paths"]
    json_types = ["application/json-patch+json", "application/merge-patch+json"]
    assert paths["/apis/example.com/v1/namespaces/{namespace}/kites/{name}"]["patch"]["consumes"] == [
        *json_types,
        "application/apply-patch+yaml",
    ]
    built_in_types = [*json_types, "application/strategic-merge-patch+json", "application/apply-patch+yaml"]
    assert paths["/api/v1/namespaces/{name}"]["patch"]["consumes"] == built_in_types


def test_operations_without_parameters_of_their_own_do_not_speak_of_them() -> None:
    assert "parameters" not in everything()["paths"]["/apis/example.com/v1/kites"]["get"]


def test_definitions_of_one_group_version_share_its_document() -> None:
    both = [kite(version()).versions[0], kite(version(), plural="skies", kind="Sky").versions[0]]
    paths = documents.defined(both, V1_36)["paths"]
    assert "/apis/example.com/v1/kites" in paths
    assert "/apis/example.com/v1/skies" in paths


def test_shared_parameters_are_called_as_on_a_real_server() -> None:
    assert {
        "allowWatchBookmarks-HC2hJt-J",
        "fieldManager-Qy4HdaTW",
        "fieldManager-7c6nTn1T",
        "pretty-tJGM1-ng",
        "body-2Y1dVQaQ",
    } <= everything()["parameters"].keys()


def fields(data: bytes) -> dict[int, list[bytes]]:
    """The length-delimited fields of a protobuf message."""
    found: dict[int, list[bytes]] = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while at < len(data):
        key = number()
        match key & 7:
            case 0:
                number()
            case 1:
                at += 8
            case _:
                size = number()
                found.setdefault(key >> 3, []).append(data[at : at + size])
                at += size
    return found


def test_gnostic_form() -> None:
    document = everything()
    written = fields(gnostic.encode(document))
    assert written[1] == [b"2.0"]
    assert [fields(pair)[1][0].decode() for pair in fields(written[8][0])[2]] == list(document["paths"])
    types = {fields(pair)[1][0].decode(): fields(pair)[2][0] for pair in fields(written[9][0])[1]}
    assert list(types) == list(document["definitions"])
    kind = fields(types["com.example.v1.Kite"])
    names = [fields(pair)[1][0] for pair in fields(kind[25][0])[1]]
    assert names == [b"apiVersion", b"kind", b"metadata"]
    assert fields(kind[22][0])[1] == [b"object"]
    extension = fields(kind[31][0])
    assert extension[1] == [b"x-kubernetes-group-version-kind"]
    assert fields(extension[2][0])[2] == [b'[{"group":"example.com","version":"v1","kind":"Kite"}]\n']
