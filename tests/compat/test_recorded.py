"""What was once answered as a real API server answers stays so."""

from __future__ import annotations

import pytest

from tests.compat import recorded


@pytest.mark.timeout(900)
@pytest.mark.parametrize("run", recorded.runs(), ids=str)
def test_cases_that_passed_still_pass(run: recorded.Run) -> None:
    assert recorded.lost(run) == []
