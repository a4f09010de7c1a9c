"""What tests of several rooms share: an etcd, and how property tests are run.

Those come as they will on a developer's machine, and are the same each time where a green run lets a change land.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.storage.etcd import Etcd, running

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="module")
def etcd() -> Iterator[Etcd]:
    """An etcd that the tests of a module share. They are marked with ``needs_etcd``."""
    with running() as etcd:
        yield etcd
