"""``crdkit serve``, ``backup`` and ``restore`` with an etcd, as processes."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from crdkit.storage.errors import StorageError
from tests.cli.test_serve import get, serving
from tests.storage.etcd import Etcd, needs_etcd


def crdkit(*arguments: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", "crdkit", *arguments], capture_output=True, text=True, check=False, timeout=30)
    return done.returncode, done.stdout + done.stderr


def namespaces(address: dict[str, str]) -> list[str]:
    _, body = get(address, "/api/v1/namespaces")
    return [item["metadata"]["name"] for item in json.loads(body)["items"]]


@needs_etcd
def test_two_servers_a_backup_and_a_restore(etcd: Etcd, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    where = ("--etcd-endpoints", etcd.endpoint)
    with serving(tmp_path / "one", "--http", *where) as (_, one), serving(tmp_path / "two", "--http", "--etcd-shared", *where) as (_, two):
        assert namespaces(one) == namespaces(two) != []
        code, told = crdkit("backup", str(tmp_path / "backup"), *where)
        assert code == 0
        assert told.endswith(f" objects are in {tmp_path / 'backup'}.\n")
        code, told = crdkit("restore", str(tmp_path / "backup"), *where)
        assert code == 1
        assert told.startswith("Error: there are ")
        assert told.endswith(" objects already: --replace lets them go\n")
        assert crdkit("restore", str(tmp_path / "backup"), "--replace", *where)[0] == 0
        assert namespaces(one) == namespaces(two)
    # From etcd into a directory of its own.
    assert crdkit("restore", str(tmp_path / "backup"), "--data-dir", str(tmp_path / "three"))[0] == 0
    with serving(tmp_path / "three", "--http") as (_, three):
        assert "kube-system" in namespaces(three)
        code, told = crdkit("restore", str(tmp_path / "backup"), "--data-dir", str(tmp_path / "three"), "--replace")
        assert code == 1
        assert told.startswith(f"Error: the data directory {tmp_path / 'three' / 'store'} is in use by another process (pid ")
        assert crdkit("backup", str(tmp_path / "again"), "--data-dir", str(tmp_path / "three"))[0] == 0


def test_options_that_do_not_go_together() -> None:
    where = ("--etcd-endpoints", "http://127.0.0.1:1")
    for arguments, told in (
        (("--memory", *where), "--memory and --etcd-endpoints exclude each other"),
        (("--etcd-shared",), "--etcd-shared needs --etcd-endpoints"),
        (("--etcd-endpoints", "ftp://x"), "'ftp://x' is no address of an etcd: it looks like https://host:2379"),
        (("--etcd-certfile", __file__, *where), "--etcd-certfile and --etcd-keyfile belong together"),
    ):
        code, output = crdkit("serve", *arguments)
        assert code == 2
        assert told in " ".join(output.split())


def test_the_library_that_is_missing_is_told_for_a_clone_and_for_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "grpc", None)
    monkeypatch.delitem(sys.modules, "crdkit.storage.etcd.client", raising=False)
    with pytest.raises(StorageError, match=r"pip install -e '\.\[etcd\]' in a clone, else pip install 'crdkit\[etcd\]'$"):
        importlib.import_module("crdkit.storage.etcd.client")
