"""The table of built-in kinds."""

from __future__ import annotations

import pytest

from crdkit.builtin.kinds import CONFIG_MAP, DEFINITION, EVENT, EVENT_OF_EVENTS, KINDS, LEASE, NAMESPACE, TOKEN_REVIEW, BuiltinKind, kinds
from crdkit.meta.version import V1_33, V1_36


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (NAMESPACE, "Q3oi5N2YM8M="),
        (CONFIG_MAP, "qFsyl6wFWjQ="),
        (EVENT, "r2yiGXH7wu8="),
        (EVENT_OF_EVENTS, "r2yiGXH7wu8="),
        (LEASE, "gqkMMb/YqFM="),
        (DEFINITION, "jfWCUB31mvA="),
        (TOKEN_REVIEW, ""),
    ],
)
def test_the_hash_tells_the_storage_version(kind: BuiltinKind, told: str) -> None:
    assert kind.storage_version_hash == told


def test_older_versions_serve_fewer_kinds() -> None:
    missing = {kind.plural for kind in kinds(V1_36)} - {kind.plural for kind in kinds(V1_33)}
    assert missing == {"mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "storageversionmigrations"}


def test_every_kind_has_a_place_of_its_own() -> None:
    assert len({(kind.group, kind.version, kind.plural) for kind in KINDS}) == len(KINDS)
    shared = [kind for kind in KINDS if kind.prefix and kind is not EVENT_OF_EVENTS]
    assert len({kind.prefix for kind in shared}) == len(shared)


def test_verbs_stand_in_the_order_of_discovery() -> None:
    assert all(list(kind.verbs) == sorted(kind.verbs) for kind in KINDS)
