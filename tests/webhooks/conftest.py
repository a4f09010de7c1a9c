from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from crdkit.webhooks.client import HttpCaller
from tests.webhooks.hooks import Authority


@pytest.fixture(scope="session")
def authority() -> Authority:
    return Authority()


@pytest.fixture
async def caller() -> AsyncIterator[HttpCaller]:
    caller = HttpCaller()
    yield caller
    await caller.close()
