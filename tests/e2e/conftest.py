from __future__ import annotations

from pathlib import Path

import pytest

from crdkit.testing import Server
from tests.e2e.kubectl import PROGRAM, Kubectl


@pytest.fixture
def kubectl(crdkit: Server, tmp_path: Path) -> Kubectl:
    if PROGRAM is None:
        pytest.skip("needs kubectl on the PATH")
    return Kubectl(str(crdkit.kubeconfig), tmp_path / "cache")
