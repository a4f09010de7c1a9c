from __future__ import annotations

from pathlib import Path

import pytest

from crdkit.testing import Server
from tests.clients.binaries import ABSENT
from tests.e2e.kubectl import PROGRAMS, Kubectl


@pytest.fixture(params=PROGRAMS or [None])
def kubectl(crdkit: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Kubectl:
    """kubectl of each version at hand."""
    if request.param is None:
        pytest.skip(f"needs kubectl on the PATH, or {ABSENT}")
    return Kubectl(PROGRAMS[request.param](), str(crdkit.kubeconfig), tmp_path / "cache")
