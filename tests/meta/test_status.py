from __future__ import annotations

import pytest

from crdkit.meta import status
from crdkit.meta.errors import required
from crdkit.meta.status import GroupResource, Refusal
from crdkit.meta.version import V1_36

ABOUT = GroupResource("a.io", "boxes")


@pytest.mark.parametrize(
    ("refusal", "message"),
    [
        (status.not_found(ABOUT, 'a"\n'), r'boxes.a.io "a\"\n" not found'),
        (status.already_exists(ABOUT, "é\u00a0"), r'boxes.a.io "é\u00a0" already exists'),
        (status.invalid(ABOUT, "a\\", [required("spec")], V1_36), r'boxes.a.io "a\\" is invalid: spec: Required value'),
        (status.forbidden(ABOUT, "", "no"), "boxes.a.io is forbidden: no"),
    ],
)
def test_names_are_quoted(refusal: Refusal, message: str) -> None:
    assert refusal.status["message"] == message
