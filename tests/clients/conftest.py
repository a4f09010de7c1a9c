from __future__ import annotations

import pytest

from crdkit.testing import Server
from tests.clients.widgets import DEFINITION


@pytest.fixture
def server(crdkit: Server) -> Server:
    """A server that has widgets, but none yet."""
    crdkit.apply(DEFINITION)
    return crdkit
