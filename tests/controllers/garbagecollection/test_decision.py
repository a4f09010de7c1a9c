"""What is decided about an object, by how its owners stand."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.controllers.garbagecollection.decision import KEEP, Decision, Delete, Dependents, Finish, Owner, Release, Standing, decide

A, B, C = "a", "b", "c"
LIVING, WAITING, ABSENT, IMPOSSIBLE = Standing.LIVING, Standing.WAITING, Standing.ABSENT, Standing.IMPOSSIBLE

NONE = Dependents()
SOME = Dependents(some=True)
BLOCKED = Dependents(some=True, blocking=True)
CYCLE = Dependents(some=True, blocking=True, waiting=True)


def owned(*standings: Standing) -> list[Owner]:
    return [Owner(uid, standing) for uid, standing in zip((A, B, C), standings, strict=False)]


@pytest.mark.parametrize(
    ("owners", "dependents", "decided"),
    [
        # Nobody owns it, or somebody still does
        ((), NONE, KEEP),
        ((), BLOCKED, KEEP),
        ((LIVING,), NONE, KEEP),
        ((LIVING, LIVING), SOME, KEEP),
        # Nobody does any more
        ((ABSENT,), NONE, Delete()),
        ((ABSENT, ABSENT), BLOCKED, Delete()),
        # Another owner still does
        ((ABSENT, LIVING), NONE, Release(frozenset((A,)))),
        ((LIVING, ABSENT, WAITING), NONE, Release(frozenset((B, C)))),
        ((LIVING, WAITING), CYCLE, Release(frozenset((B,)))),
        # An owner waits for it to go
        ((WAITING,), NONE, Delete()),
        ((WAITING,), SOME, Delete("Foreground")),
        ((WAITING, ABSENT), BLOCKED, Delete("Foreground")),
        ((WAITING,), CYCLE, Delete("Foreground", unblock=True)),
        # It cannot be owned like that
        ((IMPOSSIBLE,), NONE, KEEP),
        ((ABSENT, IMPOSSIBLE), NONE, KEEP),
        ((LIVING, ABSENT, IMPOSSIBLE), NONE, KEEP),
    ],
)
def test_of_an_object_that_lives(owners: tuple[Standing, ...], dependents: Dependents, decided: Decision) -> None:
    assert decide({"name": "it"}, owned(*owners), dependents) == decided


@pytest.mark.parametrize(
    ("finalizers", "dependents", "decided"),
    [
        (None, NONE, KEEP),
        (["example.com/hold"], BLOCKED, KEEP),
        (["foregroundDeletion"], NONE, Finish("foregroundDeletion")),
        (["example.com/hold", "foregroundDeletion"], SOME, Finish("foregroundDeletion")),
        (["foregroundDeletion"], BLOCKED, KEEP),
        (["orphan"], NONE, Finish("orphan", orphan=True)),
        (["orphan"], BLOCKED, Finish("orphan", orphan=True)),
    ],
)
@pytest.mark.parametrize("owners", [(), (LIVING,), (ABSENT,), (WAITING,), (IMPOSSIBLE,)])
def test_of_an_object_that_is_being_deleted(
    finalizers: Any, dependents: Dependents, decided: Decision, owners: tuple[Standing, ...]
) -> None:
    metadata = {"name": "it", "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": finalizers}
    assert decide(metadata, owned(*owners), dependents) == decided


@pytest.mark.parametrize("finalizer", ["orphan", "foregroundDeletion"])
def test_a_finalizer_says_nothing_before_the_deletion(finalizer: str) -> None:
    assert decide({"finalizers": [finalizer]}, [], NONE) == KEEP
