"""The real helm: 3, which merges three ways on its side, and 4, which lets the server apply."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from crdkit.testing import Server
from tests.clients.binaries import ABSENT, Layer, layers

CHART: Final = str(Path(__file__).with_name("chart"))
KITE: Final = "/apis/example.com/v1/namespaces/default/kites/red"
MERGE: Final = "application/merge-patch+json"

pytestmark = pytest.mark.skipif(not layers(), reason=f"needs {ABSENT}")


@dataclass(frozen=True)
class Helm:
    """Runs helm with nothing of the user's around it."""

    program: Path
    kubeconfig: Path
    home: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        folders = {f"HELM_{kind}_HOME": str(self.home / kind) for kind in ("CACHE", "CONFIG", "DATA")}
        environment = {**os.environ, **folders, "KUBECONFIG": str(self.kubeconfig)}
        return subprocess.run([str(self.program), *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False)

    def __call__(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode == 0, f"helm {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    def refused(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode != 0, f"helm {' '.join(arguments)} succeeded: {done.stdout}"
        return done.stderr


def oldest_and_newest() -> list[Layer]:
    return [layers()[0], layers()[-1]] if layers() else []


@pytest.fixture(params=oldest_and_newest(), ids=lambda layer: f"of-{layer.minor}")
def helm(crdkit: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Helm:
    return Helm(request.param.helm, crdkit.kubeconfig, tmp_path)


def spec(server: Server) -> Any:
    return server.request("GET", KITE).body["spec"]


def test_a_release_is_installed_upgraded_rolled_back_and_uninstalled(helm: Helm, crdkit: Server) -> None:
    assert "STATUS: deployed" in helm("install", "red", CHART)
    made = crdkit.request("GET", KITE).body
    assert (made["spec"], made["metadata"]["labels"]) == ({"lines": 1, "color": "red"}, {"app.kubernetes.io/managed-by": "Helm"})
    assert made["metadata"]["annotations"]["meta.helm.sh/release-name"] == "red"

    crdkit.request("PATCH", KITE, {"spec": {"owner": "ann"}}, content_type=MERGE)
    helm("upgrade", "red", CHART, "--set", "lines=2,color=")
    assert spec(crdkit) == {"lines": 2, "owner": "ann"}
    helm("rollback", "red", "1")
    assert spec(crdkit) == {"lines": 1, "color": "red", "owner": "ann"}

    history = json.loads(helm("history", "red", "-o", "json"))
    assert [one["status"] for one in history] == ["superseded", "superseded", "deployed"]
    assert [one["name"] for one in json.loads(helm("list", "-o", "json"))] == ["red"]
    secrets = crdkit.request("GET", "/api/v1/namespaces/default/secrets?labelSelector=owner=helm,status=deployed").body["items"]
    assert [(one["metadata"]["name"], one["type"]) for one in secrets] == [("sh.helm.release.v1.red.v3", "helm.sh/release.v1")]

    helm("uninstall", "red")
    assert crdkit.request("GET", KITE).code == 404
    assert crdkit.request("GET", "/api/v1/namespaces/default/secrets?labelSelector=owner=helm").body["items"] == []
    assert crdkit.request("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kites.example.com").code == 200


def test_what_the_server_refuses_fails_the_release(helm: Helm, crdkit: Server) -> None:
    refused = helm.refused("install", "red", CHART, "--set", "lines=0")
    assert "spec.lines in body should be greater than or equal to 1" in refused
    (release,) = json.loads(helm("list", "--all", "-o", "json") if major(helm) == 3 else helm("list", "-o", "json"))
    assert release["status"] == "failed"
    assert "STATUS: deployed" in helm("upgrade", "--install", "red", CHART, "--set", "lines=1")
    assert spec(crdkit) == {"lines": 1, "color": "red"}


def major(helm: Helm) -> int:
    return int(helm("version", "--template", "{{.Version}}").removeprefix("v").partition(".")[0])


def test_a_release_into_a_new_namespace(helm: Helm, crdkit: Server) -> None:
    helm("install", "red", CHART, "--namespace", "sky", "--create-namespace", "--wait", "--timeout", "10s")
    assert crdkit.request("GET", "/apis/example.com/v1/namespaces/sky/kites/red").code == 200
    assert json.loads(helm("list", "-o", "json")) == []
    assert len(json.loads(helm("list", "-A", "-o", "json"))) == 1
    assert "kind: Kite" in helm("get", "manifest", "red", "-n", "sky")


def test_a_trial_changes_nothing(helm: Helm, crdkit: Server) -> None:
    assert "kind: Kite" in helm("template", "red", CHART)
    helm("install", "red", CHART)
    assert "lines: 2" in helm("upgrade", "red", CHART, "--set", "lines=2", "--dry-run=server")
    assert spec(crdkit)["lines"] == 1


def test_what_another_has_set_is_only_taken_by_force(crdkit: Server, tmp_path: Path) -> None:
    """Of helm 4, which applies; helm 3 overwrites."""
    helm = Helm(layers()[-1].helm, crdkit.kubeconfig, tmp_path)
    helm("install", "red", CHART)
    crdkit.request("PATCH", f"{KITE}?fieldManager=ann", {"spec": {"lines": 7}}, content_type=MERGE)
    assert 'conflict with "ann" using example.com/v1: .spec.lines' in helm.refused("upgrade", "red", CHART, "--set", "lines=2")
    helm("upgrade", "red", CHART, "--set", "lines=2", "--force-conflicts")
    assert spec(crdkit) == {"lines": 2, "color": "red"}


def test_helm_4_merges_three_ways_where_it_is_told_to(crdkit: Server, tmp_path: Path) -> None:
    helm = Helm(layers()[-1].helm, crdkit.kubeconfig, tmp_path)
    helm("install", "red", CHART, "--server-side=false")
    crdkit.request("PATCH", KITE, {"spec": {"owner": "ann"}}, content_type=MERGE)
    helm("upgrade", "red", CHART, "--set", "lines=2,color=")
    assert spec(crdkit) == {"lines": 2, "owner": "ann"}
    assert {entry["operation"] for entry in crdkit.request("GET", KITE).body["metadata"]["managedFields"]} == {"Update"}
