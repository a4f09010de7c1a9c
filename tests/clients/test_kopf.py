"""An operator on kopf, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from crdkit.testing import Server
from tests.clients.widgets import GROUP, VERSION, widget

pytest.importorskip("kopf", reason="needs kopf: pip install kopf")
pytest.importorskip("kubernetes", reason="needs the Python client: pip install kubernetes")

HANDLERS: Final = Path(__file__).with_name("operator_of_widgets.py")
ALL: Final = f"/apis/{GROUP}/{VERSION}/namespaces/default/widgets"
ONE: Final = f"{ALL}/a"
LABEL: Final = "/api/v1/namespaces/default/configmaps/a-label"
MERGE: Final = "application/merge-patch+json"
SOON: Final = 20.0
FINALIZER: Final = "example.com/kopf"


@pytest.fixture
def operator(server: Server, tmp_path: Path) -> Iterator[Path]:
    """The log of an operator that runs."""
    log = tmp_path / "operator.log"
    command = [sys.executable, "-m", "kopf", "run", "--standalone", "--namespace", "default", str(HANDLERS)]
    with log.open("wb") as output:
        process = subprocess.Popen(command, env={**os.environ, "KUBECONFIG": str(server.kubeconfig)}, stdout=output, stderr=output)
    yield log
    process.terminate()
    assert process.wait(SOON) == 0, log.read_text()


def awaited(happened: Callable[[], Any], log: Path) -> Any:
    """What is true soon."""
    end = time.monotonic() + SOON
    while not (found := happened()):
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.02)
    return found


def test_a_resource_is_reconciled_until_it_is_gone(server: Server, operator: Path) -> None:
    def read(path: str) -> dict[str, Any]:
        answer = server.request("GET", path)
        found: dict[str, Any] = answer.body if answer.code == 200 else {}
        return found

    assert server.request("POST", ALL, widget("a", size=1)).code == 201
    made = awaited(lambda: "label" in read(ONE).get("status", {}) and read(ONE), operator)
    assert made["metadata"]["finalizers"] == [FINALIZER]
    assert (made["status"]["size"], made["status"]["label"]) == (1, {"labelled": 1})
    assert made["metadata"]["generation"] == 1
    child = read(LABEL)
    assert (child["data"], child["metadata"]["ownerReferences"][0]["uid"]) == ({"size": "1"}, made["metadata"]["uid"])

    server.request("PATCH", ONE, {"spec": {"size": 2}}, content_type=MERGE)
    awaited(lambda: read(ONE)["status"].get("label") == {"labelled": 2}, operator)
    assert read(LABEL)["data"] == {"size": "2"}

    def told() -> set[str]:
        events = read("/api/v1/namespaces/default/events?fieldSelector=reason=Labelled")["items"]
        return {event["message"] for event in events if event["involvedObject"]["uid"] == made["metadata"]["uid"]}

    assert awaited(lambda: len(told()) == 2 and told(), operator) == {"size 1", "size 2"}

    deleted = server.request("DELETE", ONE).body
    assert (deleted["metadata"]["finalizers"], "deletionTimestamp" in deleted["metadata"]) == ([FINALIZER], True)
    awaited(lambda: not read(ONE), operator)
    assert read(LABEL) == {}


def test_what_was_there_before_the_operator_is_handled_too(server: Server, request: pytest.FixtureRequest) -> None:
    server.apply(widget("a", size=5))
    log = request.getfixturevalue("operator")
    awaited(lambda: server.request("GET", ONE).body.get("status", {}).get("label") == {"labelled": 5}, log)
