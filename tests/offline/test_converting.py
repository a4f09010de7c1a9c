"""Objects from version to version without a server: by the library and by the command."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import crdkit
from crdkit.cli.main import main
from tests.conversion.doubles import conversion, ferry, hostport

Json = Any
V1, V1BETA1 = "example.com/v1", "example.com/v1beta1"


def version(name: str, *fields: str, storage: bool = False) -> Json:
    spec = {"type": "object", "properties": {field: {"type": "string"} for field in fields}}
    spec["properties"]["class"] = {"type": "string", "default": f"of {name}"}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {"name": name, "served": name != "v1alpha1", "storage": storage, "schema": schema}


def definition(**spec: Json) -> Json:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "ferries.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "ferries", "kind": "Ferry"},
            "versions": [version("v1beta1", "hostPort", storage=True), version("v1", "host", "port"), version("v1alpha1")],
            **spec,
        },
    }


@pytest.fixture
def by_webhook() -> crdkit.Definition:
    return crdkit.load(definition(conversion=conversion()))


def test_a_function_does_what_the_webhook_does(by_webhook):
    obj = ferry(hostPort="a:1", unknown=1)
    before = copy.deepcopy(obj)
    there = by_webhook.convert(obj, "v1", using=hostport)
    assert there == ferry(version=V1, host="a", port="1", **{"class": "of v1beta1"})
    assert by_webhook.convert(there, V1BETA1, using=hostport)["spec"] == {"hostPort": "a:1", "class": "of v1beta1"}
    assert obj == before


def test_without_a_webhook_other_fields_are_dropped():
    plain = crdkit.load(definition())
    assert plain.convert(ferry(hostPort="a:1"), "v1")["spec"] == {"class": "of v1beta1"}
    assert plain.convert(ferry(hostPort="a:1"), "v1alpha1")["apiVersion"] == "example.com/v1alpha1"


def test_what_the_function_may_not_do_is_told_as_of_a_webhook(by_webhook):
    def renames(obj: Json, wanted: str) -> Json:
        return {**hostport(obj, wanted), "metadata": {**obj["metadata"], "name": "z"}}

    with pytest.raises(crdkit.ConversionFailed) as failed:
        by_webhook.convert(ferry(hostPort="a:1"), "v1", using=renames)
    told = "conversion webhook for example.com/v1beta1, Kind=Ferry returned invalid object: must have the same name: a != z"
    assert str(failed.value) == told


def test_a_webhook_is_not_called(by_webhook):
    with pytest.raises(crdkit.NeedsWebhook, match=r"ferries\.example\.com converts by a webhook"):
        by_webhook.convert(ferry(), "v1")
    assert by_webhook.convert(ferry(hostPort="a:1"), "v1beta1")["spec"]["hostPort"] == "a:1"


@pytest.mark.parametrize(
    ("obj", "to", "told"),
    [
        (ferry(), "v7", "ferries.example.com has the versions v1beta1, v1, v1alpha1, not 'v7'"),
        (ferry(), "other.com/v1", "ferries.example.com has the versions v1beta1, v1, v1alpha1, not 'other.com/v1'"),
        ({**ferry(), "kind": "Canoe"}, "v1", "ferries.example.com defines Ferry, not 'Canoe'"),
        ({"kind": "Ferry"}, "v1", "ferries.example.com has the versions v1beta1, v1, v1alpha1, not ''"),
    ],
)
def test_what_is_none_of_the_definition(obj, to, told):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 (the whole text is compared)
        crdkit.load(definition()).convert(obj, to)
    assert str(refused.value) == told


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["convert", *arguments])
    return result.exit_code, result.stdout, result.stderr


def written(directory: Path, name: str, *values: Json) -> str:
    path = directory / name
    path.write_text("\n---\n".join(json.dumps(value) for value in values))
    return str(path)


def test_the_command_prints_what_a_server_would_show(tmp_path, monkeypatch):
    (tmp_path / "hostports.py").write_text("from tests.conversion.doubles import hostport\n")
    monkeypatch.syspath_prepend(tmp_path)
    files = [written(tmp_path, "crd.yaml", definition(conversion=conversion())), written(tmp_path, "a.yaml", ferry(hostPort="a:1"))]
    code, out, err = run(*files, "--to", "v1", "--using", "hostports:hostport")
    assert (code, err) == (0, "")
    assert out.endswith('spec:\n  class: of v1beta1\n  host: a\n  port: "1"\n')


def test_the_command_calls_the_webhook(tmp_path):
    conversion_ = conversion(url="https://127.0.0.1:1/convert")
    files = [written(tmp_path, "all.yaml", definition(conversion=conversion_), ferry(hostPort="a:1"), ferry("b", version=V1))]
    code, out, err = run("-f", files[0], "--to", "v1")
    assert code == 1
    assert out.startswith("apiVersion: example.com/v1\n")
    why = 'Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused'
    assert err == f"{files[0]}:3: conversion webhook for example.com/v1beta1, Kind=Ferry failed: {why}\n"


def test_what_keeps_the_command_from_its_work(tmp_path):
    objects = written(tmp_path, "a.yaml", ferry())
    assert run("--to", "v1") == (2, "", "crdkit: no files given\n")
    assert run(objects, "--to", "v1") == (1, "", f"{objects}:1: no definition of Ferry.example.com is among the files\n")
    for unnamed in ("json", "json:", ":loads"):
        assert run(objects, "--to", "v1", "--using", unnamed) == (2, "", f"crdkit: --using {unnamed}: not of the form MODULE:FUNCTION\n")
    assert run(written(tmp_path, "alone.yaml", definition()), "--to", "v1") == (0, "", "crdkit: no objects found to convert\n")
    assert run(objects, "--to", "v1", "--using", "json:nothing")[2].startswith("crdkit: --using json:nothing: ")
    assert run(objects, "--to", "v1", "--using", "json:__name__")[2] == "crdkit: --using json:__name__: not a function\n"
    code, _, told = run(objects, "--to", "v1", "--service-resolver", "x")
    assert (code, told.splitlines()[-1]) == (
        2,
        "Error: Invalid value for --service-resolver: 'x' is not of the form name.namespace=host:port",
    )
    bad = written(tmp_path, "crd.yaml", definition(scope="Galactic"))
    code, _, err = run(bad, objects, "--to", "v1")
    assert (code, 'Unsupported value: "Galactic"' in err) == (2, True)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def f(:", "SyntaxError: invalid syntax (unsound.py, line 1)"),
        ("{}['nope']", "KeyError: 'nope'"),
        ("raise RuntimeError('a\\n b')", "RuntimeError: a b"),
        ("raise SystemExit", "SystemExit"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_in_a_line(tmp_path, monkeypatch, source, told):
    (tmp_path / "unsound.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    objects = written(tmp_path, "a.yaml", ferry())
    assert run(objects, "--to", "v1", "--using", "unsound:f") == (2, "", f"crdkit: --using unsound:f: {told}\n")
