"""What a method and a path ask for."""

from __future__ import annotations

import pytest

from crdkit.meta.status import PlainRefusal
from crdkit.server import requestinfo
from crdkit.server.requestinfo import RequestInfo
from crdkit.server.target import split

NS = "/apis/example.com/v1/namespaces/default"


def info_of(line: str) -> RequestInfo:
    method, target = line.split(" ", 1)
    path, query = split(target.encode())
    return requestinfo.parse(method, path, query)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"GET {NS}/kites", "list kites ns=default"),
        (f"GET {NS}/kites/", "list kites ns=default"),
        (f"GET {NS}/kites/a", "get kites/a ns=default"),
        (f"HEAD {NS}/kites/a", "get kites/a ns=default"),
        (f"GET {NS}/kites/a/status", "get kites/a status ns=default"),
        (f"GET {NS}/kites/a/status/deeper", "get kites/a status ns=default"),
        (f"GET {NS}/kites/a%2Fstatus", "get kites/a status ns=default"),
        (f"GET {NS}/kites/%61", "get kites/a ns=default"),
        (f"GET {NS}/kites/..", "get kites/.. ns=default"),
        (f"GET {NS}/kites//a", "list kites a ns=default"),
        (f"GET {NS}/kites?watch", "watch kites ns=default"),
        (f"GET {NS}/kites?watch=maybe", "watch kites ns=default"),
        (f"GET {NS}/kites?watch=FALSE", "list kites ns=default"),
        (f"GET {NS}/kites?watch=0&watch=1", "list kites ns=default"),
        (f"GET {NS}/kites/a?watch=1", "get kites/a ns=default"),
        (f"GET {NS}/kites?fieldSelector=metadata.name%3Da", "list kites/a ns=default"),
        (f"GET {NS}/kites?fieldSelector=metadata.name!%3Da", "list kites ns=default"),
        (f"POST {NS}/kites", "create kites ns=default"),
        (f"POST {NS}/kites/a", "create kites/a ns=default"),
        (f"PUT {NS}/kites/a", "update kites/a ns=default"),
        (f"PATCH {NS}/kites/a", "patch kites/a ns=default"),
        (f"DELETE {NS}/kites/a", "delete kites/a ns=default"),
        (f"DELETE {NS}/kites", "deletecollection kites ns=default"),
        (f"OPTIONS {NS}/kites", " kites ns=default"),
        (f"get {NS}/kites", " kites ns=default"),
        ("GET /apis/example.com/v1/kites", "list kites"),
        ("GET /apis/example.com/v1/namespaces//kites", "list kites"),
        ("GET /apis/example.com/v1/watch/kites", "watch kites"),
        ("GET /apis/example.com/v1/watch/namespaces/default/kites/a", "watch kites/a ns=default"),
        ("DELETE /apis/example.com/v1/watch/kites?watch=false", "watch kites"),
        ("GET /apis/example.com/v1/proxy/kites/a/b", "proxy kites/a"),
        ("GET /apis/example.com/v1/namespaces/default", "get namespaces/default ns=default"),
        ("GET /api/v1/namespaces", "list namespaces"),
        ("GET /api/v1/namespaces/default", "get namespaces/default ns=default"),
        ("PUT /api/v1/namespaces/default/finalize", "update namespaces/default finalize ns=default"),
        ("GET /api/v1/namespaces/default/configmaps/a", "get configmaps/a ns=default"),
    ],
)
def test_a_path_below_a_version_is_a_verb_on_a_resource(line: str, expected: str) -> None:
    info = info_of(line)
    assert info.is_resource
    name = f"/{info.name}" if info.name else ""
    subresource = f" {info.subresource}" if info.subresource else ""
    namespace = f" ns={info.namespace}" if info.namespace else ""
    assert f"{info.verb} {info.resource}{name}{subresource}{namespace}" == expected


@pytest.mark.parametrize("path", ["/", "/api", "/api/v1", "/apis", "/apis/example.com", "/apis/example.com/v1", "/healthz", "/metrics"])
def test_other_paths_are_documents_asked_for_by_a_method(path: str) -> None:
    assert info_of(f"POST {path}") == RequestInfo("post", path)


def test_a_group_and_a_version_are_told() -> None:
    info = info_of(f"GET {NS}/kites")
    assert (info.group, info.version) == ("example.com", "v1")
    assert info_of("GET /api/v1/namespaces").group == ""


def test_a_name_in_the_path_differs_from_one_in_a_selector() -> None:
    assert info_of(f"GET {NS}/kites/a").named_in_path
    assert not info_of(f"GET {NS}/kites?fieldSelector=metadata.name%3Da").named_in_path


def test_a_watch_without_a_resource_cannot_be_made_out() -> None:
    with pytest.raises(PlainRefusal) as refused:
        info_of("GET /apis/example.com/v1/watch")
    assert refused.value.code == 500
    assert refused.value.text == (
        'Internal Server Error: "/apis/example.com/v1/watch": failed to create RequestInfo: '
        "unable to determine kind and namespace from url, /apis/example.com/v1/watch\n"
    )
