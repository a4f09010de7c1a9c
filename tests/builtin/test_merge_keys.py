"""Which lists strategic merge patches merge."""

from __future__ import annotations

import pytest

from crdkit.builtin import kinds
from crdkit.builtin.kinds import BuiltinKind
from crdkit.builtin.merge_keys import merge_keys
from crdkit.meta.version import DEFAULT

METADATA = {"metadata.ownerReferences": "uid", "metadata.finalizers": ""}


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        (kinds.CONFIG_MAP, {}),
        (kinds.NAMESPACE, {"status.conditions": "type"}),
        (kinds.SERVICE_ACCOUNT, {"secrets": "name"}),
        (kinds.VALIDATING_WEBHOOKS, {"webhooks": "name", "webhooks.matchConditions": "name"}),
        (kinds.VALIDATING_POLICY, {"spec.matchConditions": "name", "spec.variables": "name"}),
        (kinds.ROLE, {}),
    ],
)
def test_merge_keys(kind: BuiltinKind, own: dict[str, str]) -> None:
    assert merge_keys(kind, DEFAULT) == {**METADATA, **own}


def test_types_that_contain_themselves_end() -> None:
    assert merge_keys(kinds.DEFINITION, DEFAULT).items() >= METADATA.items()
