"""UIDs."""

from __future__ import annotations

from uuid import RFC_4122, UUID

from crdkit.meta.uids import new_uid


def test_uids_are_random_ones_of_version_4_and_never_the_same() -> None:
    made = [new_uid() for _ in range(300)]
    assert len(set(made)) == len(made)
    assert all(str(UUID(uid)) == uid for uid in made)
    assert {(UUID(uid).version, UUID(uid).variant) for uid in made} == {(4, RFC_4122)}
    assert {uid[19] for uid in made} == set("89ab")
