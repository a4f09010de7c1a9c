from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from crdkit.testing import Server
from tests.clients.binaries import ABSENT
from tests.e2e.kubectl import PROGRAMS, Kubectl
from tests.e2e.pair import SIDES, Servers, prefix_of
from tests.storage.etcd import Etcd


@pytest.fixture(params=PROGRAMS or [None])
def kubectl(crdkit: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Kubectl:
    """kubectl of each version at hand."""
    if request.param is None:
        pytest.skip(f"needs kubectl on the PATH, or {ABSENT}")
    return Kubectl(PROGRAMS[request.param](), str(crdkit.kubeconfig), tmp_path / "cache")


@pytest.fixture
def servers(etcd: Etcd, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Servers]:
    for side in SIDES:
        (tmp_path / side).mkdir()
    with ExitStack() as stack:
        yield Servers(etcd.endpoint, tmp_path, prefix_of(request), stack)
