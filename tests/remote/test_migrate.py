"""Writing objects anew on a server that runs, by the command."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from crdkit.cli.main import main
from crdkit.remote import client
from crdkit.remote.kubeconfig import NoAccess, access, default_paths
from crdkit.testing.server import Server

Json = Any
NAME = "kilns.example.com"


def definition(stored: str, **spec: Json) -> Json:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": NAME},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "kilns", "kind": "Kiln"},
            "versions": [{"name": name, "served": True, "storage": name == stored, "schema": schema} for name in ("v1beta1", "v1")],
            **spec,
        },
    }


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(controllers=False) as server:
        yield server


@pytest.fixture
def api(server: Server) -> Iterator[client.Client]:
    with closing(client.Client(access([server.kubeconfig]))) as asked:
        yield asked


def run(server: Server, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["migrate", "--kubeconfig", str(server.kubeconfig), *arguments])
    return result.exit_code, result.stdout, result.stderr


def kilns(api: client.Client, count: int) -> None:
    for number in range(count):
        body = {"apiVersion": "example.com/v1beta1", "kind": "Kiln", "metadata": {"name": f"k{number}"}}
        api.call("POST", "/apis/example.com/v1beta1/namespaces/default/kilns", body)


def test_objects_are_written_anew_and_the_old_version_can_go(server, api, monkeypatch):
    monkeypatch.setattr(client, "_PAGE", 2)
    server.apply(definition("v1beta1"))
    kilns(api, 5)
    server.apply(definition("v1"))
    assert run(server, "--dry-run") == (1, f"{NAME}: 5 objects, stored as v1beta1, v1, to be stored as v1\n", "")
    assert run(server) == (0, f"{NAME}: 5 objects written; stored as v1 alone\n", "")
    assert run(server) == (0, "nothing to migrate\n", "")
    assert run(server, "--dry-run", NAME) == (0, f"{NAME}: 5 objects, stored as v1, to be stored as v1\n", "")
    assert run(server, NAME) == (0, f"{NAME}: 5 objects written; stored as v1 alone\n", "")
    found = api.call("GET", f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{NAME}")
    assert found["status"]["storedVersions"] == ["v1"]


def test_what_cannot_be_written_is_told_and_nothing_is_promised(server, api):
    server.apply(definition("v1beta1"))
    kilns(api, 1)
    conversion = {
        "strategy": "Webhook",
        "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://127.0.0.1:1/c"}},
    }
    server.apply(definition("v1", conversion=conversion))
    code, out, err = run(server, NAME)
    assert (code, out) == (1, f"{NAME}: 0 objects written\n")
    assert err.startswith(f"{NAME}: default/k0: conversion webhook for example.com/v1beta1, Kind=Kiln failed: Post ")
    assert run(server, "--dry-run") == (1, f"{NAME}: 1 object, stored as v1beta1, v1, to be stored as v1\n", "")


def test_nothing_is_lost_that_only_the_storage_version_knows(server, api):
    """Writes in another version, be it the preferred one, would prune it."""

    def version(name: str, field: str, *, storage: bool) -> Json:
        spec = {"type": "object", "properties": {field: {"type": "string"}}}
        schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
        return {"name": name, "served": True, "storage": storage, "schema": schema}

    def stored_as(name: str) -> Json:
        fields = {"v1beta1": "old", "v1": "old", "v2": "new"}
        return definition("", versions=[version(one, field, storage=one == name) for one, field in fields.items()])

    server.apply(stored_as("v1beta1"))
    body = {"apiVersion": "example.com/v1", "kind": "Kiln", "metadata": {"name": "a"}, "spec": {"old": "kept"}}
    api.call("POST", "/apis/example.com/v1/namespaces/default/kilns", body)
    server.apply(stored_as("v1"))
    assert run(server) == (0, f"{NAME}: 1 object written; stored as v1 alone\n", "")
    assert api.call("GET", "/apis/example.com/v1/namespaces/default/kilns/a")["spec"] == {"old": "kept"}


def test_a_definition_that_serves_nothing_is_told_of(server):
    server.apply(definition("v1beta1"))
    unserved = definition("v1")
    for one in unserved["spec"]["versions"]:
        one["served"] = False
    server.apply(unserved)
    assert run(server) == (1, f"{NAME}: 0 objects written\n", f"{NAME}: no version is served\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing.example.com",), 'crdkit: customresourcedefinitions.apiextensions.k8s.io "nothing.example.com" not found\n'),
        (("--context", "other"), "crdkit: the kubeconfig has no context named 'other'\n"),
        (("--kubeconfig", "/none"), "crdkit: cannot read /none: No such file or directory\n"),
    ],
)
def test_what_keeps_it_from_its_work(server, arguments, told):
    assert run(server, *arguments) == (2, "", told)


def test_a_server_that_is_not_there(tmp_path):
    path = kubeconfig(tmp_path, {"server": "https://127.0.0.1:1"})
    result = CliRunner().invoke(main, ["migrate", "--kubeconfig", str(path)])
    assert result.exit_code == 2
    assert result.stderr == "crdkit: the server https://127.0.0.1:1 cannot be reached: connection refused\n"


def test_a_server_that_is_another(tmp_path, server):
    path = kubeconfig(tmp_path, {"server": server.url})
    result = CliRunner().invoke(main, ["migrate", "--kubeconfig", str(path)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"crdkit: the server {server.url} cannot be reached: its certificate is not trusted: ")
    path = kubeconfig(tmp_path, {"server": server.url.replace("https:", "http:")})
    result = CliRunner().invoke(main, ["migrate", "--kubeconfig", str(path)])
    assert result.stderr.startswith(f"crdkit: the server http{server.url[5:]} cannot be reached: ")


def kubeconfig(directory: Path, cluster: Json, user: Json = None) -> Path:
    config = {
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": user or {}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    path = directory / "config"
    path.write_text(json.dumps(config))
    return path


@pytest.mark.parametrize(
    ("user", "headers"),
    [
        ({}, {}),
        ({"token": "t"}, {"Authorization": "Bearer t"}),
        ({"tokenFile": "token"}, {"Authorization": "Bearer from a file"}),
        ({"username": "a", "password": "b"}, {"Authorization": f"Basic {base64.b64encode(b'a:b').decode()}"}),
    ],
)
def test_who_asks(tmp_path, user, headers):
    (tmp_path / "token").write_text("from a file\n")
    assert access([kubeconfig(tmp_path, {"server": "http://a"}, user)]).headers == headers


@pytest.mark.parametrize(
    ("cluster", "user", "told"),
    [
        ({}, {}, "the server of context 'x' has no URL"),
        ({"server": "https://a"}, {"exec": {}}, None),
        (
            {"server": "https://a"},
            {"exec": {"command": "aws"}},
            "the certificates or the token of context 'x' cannot be used: users whose credentials another program provides are not supported",
        ),
    ],
)
def test_kubeconfigs_that_lead_nowhere(tmp_path, cluster, user, told):
    path = kubeconfig(tmp_path, cluster, user)
    if told is None:
        assert access([path]).url == "https://a"
        return
    with pytest.raises(NoAccess) as refused:
        access([path])
    assert str(refused.value) == told


def test_the_kubeconfig_is_that_of_kubectl(monkeypatch, tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    monkeypatch.setenv("KUBECONFIG", f"{first}::{second}")
    assert default_paths() == [first]
    second.touch()
    assert default_paths() == [second]
    first.touch()
    assert default_paths() == [first, second]
    monkeypatch.delenv("KUBECONFIG")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_paths() == [tmp_path / ".kube" / "config"]


def test_kubeconfigs_together_lead_where_the_first_says_that_says_something(tmp_path):
    def part(directory: str, config: Json) -> Path:
        path = tmp_path / directory / "config"
        path.parent.mkdir()
        path.write_text(json.dumps(config))
        return path

    paths = [
        part("a", {"contexts": None, "clusters": [{"name": "c", "cluster": {"server": "http://first"}}], "current-context": ""}),
        part("b", {"contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}], "current-context": "x"}),
        part(
            "c",
            {
                "clusters": [{"name": "c", "cluster": {"server": "http://second"}}, {"name": "d", "cluster": {"server": "http://other"}}],
                "contexts": [{"name": "x", "context": {"cluster": "d"}}, {"name": "y", "context": {"cluster": "d"}}],
                "users": [{"name": "u", "user": {"tokenFile": "token"}}],
                "current-context": "y",
            },
        ),
    ]
    (tmp_path / "c" / "token").write_text("beside its file")
    found = access(paths)
    assert (found.url, found.headers) == ("http://first", {"Authorization": "Bearer beside its file"})
    assert access(paths, "y").url == "http://other"
    assert access(paths[::-1]).url == "http://other"
    with pytest.raises(NoAccess, match="the kubeconfig has no context named 'z'"):
        access(paths, "z")
    with pytest.raises(NoAccess, match="the kubeconfig has no current context: "):
        access(paths[:1])
