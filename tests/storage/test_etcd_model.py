"""A random walk on an etcd, compared with dictionaries."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.types import Driver
from tests.storage.etcd import Etcd, needs_etcd
from tests.storage.test_model import StoreMachine

pytestmark = [needs_etcd, pytest.mark.timeout(60)]


class EtcdMachine(StoreMachine):
    restarts = True

    def __init__(self) -> None:
        self.etcd = Etcd()
        self.etcd.start()
        super().__init__()

    async def open(self) -> Driver:
        return await EtcdDriver.open(self.etcd.settings(), above="")

    def teardown(self) -> None:
        super().teardown()
        self.etcd.remove()


TestEtcd = EtcdMachine.TestCase
TestEtcd.settings = settings(
    max_examples=5, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
