"""What people do with kubectl all day, on objects of a definition."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crdkit.testing import Server
from tests.clients.widgets import DEFINITION, GROUP, widget
from tests.e2e.kubectl import NEWEST, Kubectl

pytestmark = pytest.mark.parametrize("kubectl", NEWEST, indirect=True)
ONE = f"widget.{GROUP}/a"


@pytest.fixture(autouse=True)
def _definition(crdkit: Server) -> None:
    crdkit.apply(DEFINITION)


def spec(kubectl: Kubectl) -> Any:
    return kubectl.get("wd", "a")["spec"]


def test_applying_again_removes_what_is_no_longer_said(kubectl: Kubectl) -> None:
    assert kubectl("apply", "-f", "-", given=widget("a", size=1, color="red")) == f"{ONE} created\n"
    assert kubectl("apply", "-f", "-", given=widget("a", size=1, color="red")) == f"{ONE} unchanged\n"
    kubectl("patch", "wd", "a", "--type=merge", "-p", '{"spec":{"parts":[{"name":"arm"}]}}')
    assert kubectl("apply", "-f", "-", given=widget("a", size=2)) == f"{ONE} configured\n"
    assert spec(kubectl) == {"size": 2, "color": "grey", "parts": [{"name": "arm"}]}
    assert "kubectl.kubernetes.io/last-applied-configuration" in kubectl.get("wd", "a")["metadata"]["annotations"]


def test_applying_on_the_server(kubectl: Kubectl) -> None:
    apply = ("apply", "--server-side", "-f", "-")
    assert kubectl(*apply, given=widget("a", size=1, parts=[{"name": "arm"}])) == f"{ONE} serverside-applied\n"
    kubectl(*apply, "--field-manager=ann", given=widget("a", parts=[{"name": "leg"}]))
    refused = kubectl.refused(*apply, "--field-manager=ann", given=widget("a", size=2))
    assert 'Apply failed with 1 conflict: conflict with "kubectl": .spec.size' in refused
    kubectl(*apply, "--field-manager=ann", "--force-conflicts", given=widget("a", size=2))
    assert spec(kubectl) == {"size": 2, "color": "grey", "parts": [{"name": "arm"}]}
    owners = [
        entry["manager"] for entry in json.loads(kubectl("get", ONE, "-o", "json", "--show-managed-fields"))["metadata"]["managedFields"]
    ]
    assert sorted(owners) == ["ann", "kubectl"]


def test_what_was_applied_by_the_client_moves_to_the_server(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=widget("a", size=1, color="red"))
    kubectl("apply", "--server-side", "-f", "-", given=widget("a", size=1))
    assert spec(kubectl) == {"size": 1, "color": "grey"}


def test_a_diff_shows_what_applying_would_change(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=widget("a", size=1))
    assert kubectl("diff", "-f", "-", given=widget("a", size=1)) == ""
    for how in (("--server-side=false",), ("--server-side", "--force-conflicts")):
        shown = kubectl.run("diff", *how, "-f", "-", given=widget("a", size=2))
        assert shown.returncode == 1, shown.stderr
        assert {"-  size: 1", "+  size: 2"} <= set(shown.stdout.splitlines())


def test_labels_and_annotations(kubectl: Kubectl) -> None:
    kubectl("create", "-f", "-", given=widget("a"))
    kubectl("create", "-f", "-", given=widget("b"))
    assert kubectl("label", "wd", "a", "team=red") == f"{ONE} labeled\n"
    assert kubectl("annotate", "wd", "a", "note=mine") == f"{ONE} annotated\n"
    assert kubectl("get", "wd", "-l", "team in (red, blue)", "-o", "name") == f"{ONE}\n"
    assert "already has a value (red)" in kubectl.refused("label", "wd", "a", "team=blue")
    kubectl("label", "wd", "a", "team-")
    assert "labels" not in kubectl.get("wd", "a")["metadata"]
    deleted = kubectl("delete", "wd", "--all").splitlines()
    assert [line.removesuffix(" from default namespace") for line in deleted] == [f'widget.{GROUP} "{name}" deleted' for name in "ab"]


def test_an_edit_and_a_replacement(kubectl: Kubectl, monkeypatch: pytest.MonkeyPatch) -> None:
    kubectl("create", "-f", "-", given=widget("a", size=1))
    monkeypatch.setenv("KUBE_EDITOR", "sed -i 's/size: 1/size: 2/'")
    assert kubectl("edit", "wd", "a") == f"{ONE} edited\n"
    assert spec(kubectl)["size"] == 2
    assert kubectl("replace", "-f", "-", given=widget("a", size=3)) == f"{ONE} replaced\n"
    kubectl("replace", "--force", "-f", "-", given=widget("a", size=4))
    assert spec(kubectl)["size"] == 4


def test_a_condition_and_the_end_are_waited_for(kubectl: Kubectl) -> None:
    kubectl("create", "-f", "-", given=widget("a"))
    status = json.dumps({"status": {"conditions": [{"type": "Ready", "status": "True"}], "phase": "on"}})
    kubectl("patch", "wd", "a", "--subresource=status", "--type=merge", "-p", status)
    assert kubectl("wait", "--for=condition=Ready", "wd/a", "--timeout=10s") == f"{ONE} condition met\n"
    assert kubectl("wait", "--for=jsonpath={.status.phase}=on", "wd/a", "--timeout=10s") == f"{ONE} condition met\n"
    assert kubectl("wait", "--for=condition=Established", f"crd/widgets.{GROUP}", "--timeout=10s").endswith(" condition met\n")
    kubectl("delete", "wd", "a", "--wait=false")
    kubectl("wait", "--for=delete", "wd/a", "--timeout=10s")


@pytest.fixture
def watched(kubectl: Kubectl) -> Iterator[Any]:
    """The lines of `kubectl get --watch`."""
    command = [*kubectl.command, "get", "wd", "--watch", "--output-watch-events"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout
        process.terminate()


def test_a_table_is_watched(kubectl: Kubectl, watched: Any) -> None:
    kubectl("create", "-f", "-", given=widget("a"))
    assert re.split(r"\s{2,}", watched.readline().strip()) == ["EVENT", "NAME", "AGE"]
    assert watched.readline().split()[:2] == ["ADDED", "a"]
    kubectl("label", "wd", "a", "team=red")
    assert watched.readline().split()[:2] == ["MODIFIED", "a"]
    kubectl("delete", "wd", "a")
    assert watched.readline().split()[:2] == ["DELETED", "a"]


def test_a_long_list_is_read_in_chunks(kubectl: Kubectl) -> None:
    kubectl("create", "-f", "-", given=[widget(f"w{number}", size=9 - number) for number in range(7)])
    listed = kubectl("get", "wd", "--chunk-size=3", "--sort-by=.spec.size", "--no-headers")
    assert [line.split()[0] for line in listed.splitlines()] == ["w6", "w5", "w4", "w3", "w2", "w1", "w0"]


def test_discovery_tells_of_it(kubectl: Kubectl) -> None:
    row = next(line for line in kubectl("api-resources", f"--api-group={GROUP}").splitlines() if line.startswith("widgets"))
    assert row.split() == ["widgets", "wd", f"{GROUP}/v1", "true", "Widget"]
    assert f"{GROUP}/v1" in kubectl("api-versions").splitlines()
    assert kubectl("auth", "can-i", "delete", "widgets") == "yes\n"


def test_what_is_no_longer_said_is_pruned(kubectl: Kubectl, tmp_path: Path) -> None:
    labels = {"app": "x"}
    prune = ("apply", "--prune", "-l", "app=x", "--prune-allowlist", f"{GROUP}/v1/Widget", "-f", "-")
    kubectl(*prune, given=[widget("a", labels), widget("b", labels)])
    assert kubectl(*prune, given=[widget("a", labels)]).splitlines() == [f"{ONE} unchanged", f"widget.{GROUP}/b pruned"]


def test_a_description_reads_well(kubectl: Kubectl) -> None:
    kubectl("create", "-f", "-", given=widget("a", size=1))
    told = kubectl("describe", "wd", "a")
    assert re.search(r"^Name: +a$", told, re.MULTILINE)
    assert re.search(r"^Spec:\n  Color: +grey\n  Size: +1$", told, re.MULTILINE)
    assert re.search(r"^Events: +<none>$", told, re.MULTILINE)


def dependent(owner: dict[str, Any]) -> dict[str, Any]:
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": "a", "uid": owner["metadata"]["uid"]}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "of-a", "ownerReferences": [{**reference, "blockOwnerDeletion": True}]},
    }


@pytest.mark.parametrize("cascade", ["background", "foreground", "orphan"])
def test_what_an_object_owns_goes_with_it_or_stays(kubectl: Kubectl, cascade: str) -> None:
    kubectl("create", "-f", "-", given=widget("a"))
    kubectl("create", "-f", "-", given=dependent(kubectl.get("wd", "a")))
    kubectl("delete", "wd", "a", f"--cascade={cascade}")
    if cascade == "orphan":
        assert "ownerReferences" not in kubectl.get("configmap", "of-a")["metadata"]
    else:
        kubectl("wait", "--for=delete", "configmap/of-a", "--timeout=10s")
