"""The fixtures, as a project that uses crdkit sees them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.test_server import DEFINITION

INI = """
[pytest]
crdkit_definitions = kites.yaml
crdkit_kube_version = 1.33
"""
TESTS = """
KITES = "/apis/example.com/v1/namespaces/default/kites"
KITE = {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": "b"}}

def test_definitions_named_in_the_ini_file_are_there(crdkit):
    assert [item["metadata"]["name"] for item in crdkit.request("GET", KITES).body["items"]] == ["a"]
    crdkit.apply(KITE)

def test_what_another_test_made_is_not(crdkit):
    assert crdkit.request("GET", f"{KITES}/b").code == 404

def test_the_server_is_one_for_the_session(crdkit_server, crdkit):
    assert crdkit is crdkit_server
    assert crdkit.request("GET", "/version").body["minor"] == "33"
    assert crdkit.kubeconfig.exists()
"""


def test_a_project_gets_a_server_by_naming_a_fixture(tmp_path: Path) -> None:
    (tmp_path / "kites.yaml").write_text(DEFINITION)
    (tmp_path / "pytest.ini").write_text(INI)
    (tmp_path / "test_kites.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


def test_a_project_that_uses_no_fixture_loads_no_server(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("import sys\ndef test_nothing():\n    assert 'crdkit.server' not in sys.modules\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("crdkit_definitions = kits.yaml", "crdkit_definitions: there is no {here}/kits.yaml"),
        ("crdkit_kube_version = 1.2", "crdkit_kube_version: unsupported Kubernetes version '1.2': supported versions are 1.36, 1.33"),
    ],
)
def test_an_ini_option_that_cannot_be_followed_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "pytest.ini").write_text(f"[pytest]\n{line}\n")
    done = subprocess.run([sys.executable, "-m", "pytest"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert f"ERROR: {told.format(here=tmp_path)}" in done.stderr.splitlines()


def test_what_is_refused_shows_the_line_of_the_test_alone(tmp_path: Path) -> None:
    (tmp_path / "test_refused.py").write_text(
        'def test_it(crdkit_server):\n    crdkit_server.apply({"apiVersion": "v1", "kind": "Nothing"})\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "test_refused.py:2: Refused" in done.stdout
    assert ".py:" not in done.stdout.replace("test_refused.py:", "")
