"""Gateway API's own definitions and samples, where a folder of public definitions is at hand (``CRDKIT_CRDS``)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.kubectl import NEWEST, Kubectl

PUBLIC = Path(os.environ.get("CRDKIT_CRDS", Path(__file__).parents[3] / "shared" / "crds"))
FOLDER = PUBLIC / "gateway-api"
VERDICTS = PUBLIC / "verdicts-1.36.json"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="needs a folder of public definitions (CRDKIT_CRDS)")


def accepted() -> list[dict[str, Any]]:
    """The samples that a real server took."""
    verdicts = json.loads(VERDICTS.read_text())["projects"]["gateway-api"]["objects"]
    return [yaml.safe_load((FOLDER / "objects" / name).read_text()) for name, verdict in verdicts.items() if verdict["code"] == 201]


@pytest.mark.parametrize("kubectl", NEWEST, indirect=True)
def test_its_definitions_and_samples_are_taken(kubectl: Kubectl) -> None:
    definitions = FOLDER / "crds"
    assert kubectl("create", "-f", str(definitions)).count("created") == len(list(definitions.glob("*.yaml")))
    samples = accepted()
    assert len(samples) > 10
    for sample in samples:
        sample["metadata"].pop("namespace", None)
    done = kubectl.run("create", "--validate=warn", "--dry-run=server", "-f", "-", given=samples)
    assert (done.stdout.count("created (server dry run)"), [line for line in done.stderr.splitlines() if "rror" in line]) == (
        len(samples),
        [],
    )
