"""Who depends on whom: which objects a write makes worth a look, and that nothing is remembered of what has gone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from crdkit.controllers.garbagecollection.awaiting import Awaiting
from crdkit.controllers.garbagecollection.decision import Dependents
from crdkit.controllers.garbagecollection.index import Index


@pytest.fixture
def index() -> Index:
    return Index()


def metadata(uid: str, *owners: str, blocking: bool = True, waiting: bool = False, orphaning: bool = False) -> dict[str, Any]:
    made: dict[str, Any] = {"uid": uid}
    if owners:
        made["ownerReferences"] = [{"uid": owner, "blockOwnerDeletion": blocking} for owner in owners]
    if waiting or orphaning:
        made |= {"deletionTimestamp": "now", "finalizers": ["foregroundDeletion" if waiting else "orphan"]}
    return made


def test_an_object_with_owners_is_worth_a_look(index: Index) -> None:
    assert list(index.put("/a", metadata("A"))) == []
    assert list(index.put("/b", metadata("B", "A"))) == ["/b"]
    assert (index.dependents("A"), index.about("A")) == (["/b"], Dependents(some=True, blocking=True))


def test_an_owner_that_goes_makes_its_dependents_worth_a_look(index: Index) -> None:
    index.put("/b", metadata("B", "A"))
    index.put("/c", metadata("C", "A", "X"))
    assert list(index.remove("/a", "A")) == ["/b", "/c"]
    assert (index.saw_deletion("A"), index.saw_deletion("X")) == (True, False)
    index.remove("/b", "B")
    index.put("/c", metadata("C", "X"))
    assert not index.saw_deletion("A")


def test_an_owner_that_begins_to_wait_makes_itself_and_its_dependents_worth_a_look(index: Index) -> None:
    index.put("/b", metadata("B", "A"))
    assert sorted(index.put("/a", metadata("A", waiting=True))) == ["/a", "/b"]
    assert list(index.put("/a", metadata("A", waiting=True))) == []


@pytest.mark.parametrize("change", ["gone", "released", "unblocked"])
def test_an_owner_is_worth_a_look_when_nothing_blocks_it_any_more(index: Index, change: str) -> None:
    for key, uid in (("/b", "B"), ("/c", "C")):
        index.put(key, metadata(uid, "A"))
    index.put("/a", metadata("A", waiting=True))
    index.remove("/b", "B")
    assert index.about("A").blocking
    if change == "gone":
        due = index.remove("/c", "C")
    elif change == "released":
        due = index.put("/c", metadata("C", "X"))
    else:
        due = index.put("/c", metadata("C", "A", blocking=False))
    assert "/a" in due
    assert not index.about("A").blocking


def test_two_that_wait_for_each_other_are_told(index: Index) -> None:
    index.put("/a", metadata("A", "B", waiting=True))
    assert not index.about("A").waiting
    index.put("/b", metadata("B", "A"))
    assert index.about("B").waiting


def test_an_object_that_orphans_is_worth_a_look_until_it_is_done(index: Index) -> None:
    for _ in range(2):
        assert list(index.put("/a", metadata("A", orphaning=True))) == ["/a"]


def test_a_finalizer_taken_by_hand_ends_the_waiting(index: Index) -> None:
    index.put("/a", metadata("A", waiting=True))
    index.put("/b", metadata("B", "A"))
    assert sorted(index.put("/a", metadata("A"))) == ["/b"]
    index.remove("/b", "B")
    assert not len(index)


def test_an_object_that_owns_itself_leaves_nothing_behind(index: Index) -> None:
    index.put("/a", metadata("A", "A"))
    index.put("/a", metadata("A", "A", waiting=True))
    assert index.about("A") == Dependents(some=True, blocking=True, waiting=True)
    index.remove("/a", "A")
    assert not len(index)


def test_nothing_is_left_of_a_random_walk(index: Index) -> None:
    """Whatever objects come, change and go in whatever order: the counts are those of a plain recount, and in the end all is forgotten."""
    chance = random.Random(7)
    there: dict[str, dict[str, Any]] = {}
    for _ in range(3000):
        uid = chance.choice("ABCDEFGH")
        if uid in there and chance.random() < 0.3:
            index.remove(f"/{uid}", uid)
            del there[uid]
        else:
            owners = chance.sample("ABCDEFGH", chance.randrange(3))
            there[uid] = metadata(uid, *owners, blocking=chance.random() < 0.5, waiting=chance.random() < 0.3)
            index.put(f"/{uid}", there[uid])
        for owner in "ABCDEFGH":
            found = {key: one for key, one in there.items() if owner in [it["uid"] for it in one.get("ownerReferences", ())]}
            blocking = any(one["ownerReferences"][0]["blockOwnerDeletion"] for one in found.values())
            waiting = any("deletionTimestamp" in one for one in found.values())
            assert index.about(owner) == Dependents(some=bool(found), blocking=blocking, waiting=waiting)
            assert sorted(index.dependents(owner)) == [f"/{key}" for key in sorted(found)]
    for uid in there:
        index.remove(f"/{uid}", uid)
    assert not len(index)


def test_who_waits_for_a_definition_is_taken_once() -> None:
    awaiting = Awaiting()
    awaiting.add("example.com", "/a")
    awaiting.add("example.com", "/b")
    awaiting.add("example.org", "/a")
    awaiting.remove("/b")
    assert list(awaiting.take("example.com")) == ["/a"]
    assert list(awaiting.take("example.com")) == []
    awaiting.remove("/a")
    assert (list(awaiting.take("example.org")), len(awaiting)) == ([], 0)
