"""What is made of schemas is tested as it is for the fifth object and all that follow; `test_first_objects` tests the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crdkit.schema import source


@pytest.fixture(scope="package", autouse=True)
def _compiled_at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "WALKED", 0)
        yield
