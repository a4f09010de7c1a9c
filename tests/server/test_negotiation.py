"""Accept, Content-Type, Accept-Encoding and indentation."""

from __future__ import annotations

import pytest

from crdkit.meta.status import Refusal
from crdkit.registry.request import PLAIN, Form, Query
from crdkit.server import negotiation
from crdkit.server.negotiation import Media

JSON, YAML = "application/json", "application/yaml"
TYPES = "application/json, application/yaml, application/vnd.kubernetes.protobuf"
META = "g=meta.k8s.io"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("*", JSON),
        ("application/*", JSON),
        ("application/yaml;q=0.3, application/json;q=0.9", JSON),
        ("application/json;q=0.3, application/yaml;q=0.9", YAML),
        ("application/yaml, application/json", YAML),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", JSON),
        ("*/*, application/yaml", YAML),
        ("application/json;q=0", JSON),
        ("application/json;charset=utf-8", JSON),
        ("application/json;export=1", JSON),
        ("application/json;sv=v1", JSON),
        ("application/vnd.kubernetes.protobuf, application/json", JSON),
        ("application/json;as=Table;v=v7;g=meta.k8s.io, application/yaml", YAML),
        ("nonsense, application/yaml", YAML),
    ],
)
def test_the_best_of_what_is_accepted_is_written(accept: str, expected: str) -> None:
    assert negotiation.for_objects(accept) == Media(expected)


@pytest.mark.parametrize(
    "accept",
    [
        "text/html",
        "nonsense",
        "application/vnd.kubernetes.protobuf",
        "application/json;sv=v2",
        "application/json;stream=odd",
        f"application/json;as=Nonsense;{META};v=v1",
        f"application/json;as=Table;{META};v=v3",
        f"application/json;as=table;{META};v=v1",
        f"application/json;as=Table;{META}",
        "application/json;v=v1",
    ],
)
def test_what_cannot_be_written_is_not_acceptable(accept: str) -> None:
    with pytest.raises(Refusal) as refused:
        negotiation.for_objects(accept)
    assert refused.value.status == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": f"only the following media types are accepted: {TYPES}",
        "reason": "NotAcceptable",
        "code": 406,
    }


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (f"application/json;as=Table;v=v1;{META}", Form("Table", "v1")),
        (f"application/json;as=Table;v=v1;{META},application/json;as=Table;v=v1beta1;{META},application/json", Form("Table", "v1")),
        (f"application/json;as=PartialObjectMetadataList;v=v1beta1;{META}", Form("PartialObjectMetadataList", "v1beta1")),
        (f"application/json;AS=Table;v=v1;{META}", None),
        (f"application/json;AS=Table;{META}", None),
        ("application/json", PLAIN),
    ],
)
def test_other_forms_are_asked_for_by_parameters(accept: str, form: Form | None) -> None:
    if form is None:
        with pytest.raises(Refusal):
            negotiation.for_objects(accept)
    else:
        assert negotiation.for_objects(accept).form == form


def test_a_watch_cannot_be_yaml() -> None:
    with pytest.raises(Refusal) as refused:
        negotiation.check_streamed(negotiation.for_objects(YAML))
    assert str(refused.value) == (
        "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"
    )
    assert negotiation.check_streamed(negotiation.for_objects("application/json;stream=watch")).type == JSON


def test_an_error_is_json_where_nothing_else_is_left() -> None:
    assert negotiation.for_error(YAML).type == YAML
    assert negotiation.for_error("text/html") == Media(JSON, pretty=True)
    assert negotiation.for_error(f"application/json;as=Table;v=v1;{META},application/json") == Media(JSON)


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("", JSON),
        ("application/json", JSON),
        ("Application/JSON; charset=utf-8", JSON),
        ("application/yaml", YAML),
        ("application/json;", JSON),
    ],
)
def test_the_type_of_a_body_is_read_leniently(content_type: str, expected: str) -> None:
    assert negotiation.check_body_type(content_type) == expected


@pytest.mark.parametrize("content_type", ["text/plain", "application/json;x", "application/json; a=1; a=2", "application/x-yaml", ";"])
def test_other_types_of_a_body_are_unsupported(content_type: str) -> None:
    with pytest.raises(Refusal) as refused:
        negotiation.check_body_type(content_type)
    assert refused.value.code == 415
    assert str(refused.value) == f"the body of the request was in an unknown format - accepted media types include: {TYPES}"


def test_patches_have_types_of_their_own() -> None:
    assert negotiation.check_patch_type("application/merge-patch+json; charset=utf-8") == "application/merge-patch+json"
    with pytest.raises(Refusal) as refused:
        negotiation.check_patch_type("application/strategic-merge-patch+json")
    assert str(refused.value) == (
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
    )


@pytest.mark.parametrize(
    ("query", "accept", "agent", "expected"),
    [
        ({}, JSON, "kubectl/v1", False),
        ({}, JSON, "curl/8.5.0", True),
        ({}, JSON, "Curl/1", False),
        ({}, JSON, "Wget/1.21", True),
        ({}, JSON, "Mozilla/5.0 (X11)", True),
        ({"pretty": ["true"]}, JSON, "", True),
        ({"pretty": [""]}, JSON, "", False),
        ({"pretty": ["odd"]}, JSON, "", False),
        ({"pretty": ["0"]}, JSON, "curl/8", False),
        ({}, "application/json;pretty=1", "", True),
    ],
)
def test_humans_get_indented_json(query: dict[str, list[str]], accept: str, agent: str, expected: bool) -> None:
    assert negotiation.wants_indentation(Query(query), negotiation.for_objects(accept), agent) is expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [("gzip", True), ("br, gzip", True), ("br;q=1.0, gzip;q=0.8", False), ("*", False), ("GZIP", False), ("", False)],
)
def test_gzip_must_be_asked_for_plainly(header: str, expected: bool) -> None:
    assert negotiation.wants_gzip(header) is expected
