"""What is looked up of owners, as text, is what following a change of them comes to; whatever was looked up before."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.meta import json
from crdkit.meta.changes import Changes
from crdkit.meta.status import Refusal
from crdkit.meta.version import V1_36
from crdkit.ownership import kinds, outcomes
from crdkit.ownership.manager import FieldManager
from crdkit.ownership.outcomes import Outcomes, OwnersText
from crdkit.registry.comparison import changes_between
from tests.ownership.stories import definition
from tests.ownership.strategies import EVERYTHING, SPECS

HEAD: dict[str, Any] = {"apiVersion": "g/v1", "kind": "Thing"}
OWNERS = st.sampled_from(("ann", "bob", 'c"d'))
MINUTES = st.integers(0, 3)
CHANGES = st.lists(st.tuples(st.sampled_from(("update", "apply", "force")), OWNERS, MINUTES, SPECS), min_size=1, max_size=6)


def managing() -> FieldManager:
    version = definition({"v1": EVERYTHING}, V1_36, status=True).version("v1")
    assert version is not None
    return kinds.custom(version)


MANAGER = managing()
"""Knows of all outcomes of all examples."""


def apart(obj: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """An object without its owners, and their text."""
    metadata = dict(obj["metadata"])
    return {**obj, "metadata": metadata}, json.encode(metadata.pop("managedFields"), sort=True)


def owners_in(text: bytes) -> OwnersText | None:
    MANAGER.texts._outcomes._resting = 0  # though many of the examples have an outcome of their own
    return MANAGER.texts.taken_apart(text)


def applied(live: dict[str, Any], config: dict[str, Any], owner: str, now: str, *, force: bool) -> dict[str, Any] | None:
    try:
        made = asyncio.run(managing().apply(copy.deepcopy(live), copy.deepcopy(config), owner, force=force, now=now))
    except Refusal:
        return None
    return made.new


def check_applied(live: dict[str, Any], config: dict[str, Any], owner: str, now: str, *, force: bool) -> dict[str, Any] | None:
    """An object as it is once a configuration is applied; None where that is refused."""
    expected = applied(live, config, owner, now, force=force)
    old, text = apart(copy.deepcopy(live))
    owners = owners_in(text)
    found = None if owners is None else MANAGER.texts.apply(owners, old, copy.deepcopy(config), owner, force=force, now=now)
    if found is not None:
        assert expected is not None
        assert apart(expected) == (found.new, found.owners)
        assert found.changes.keys() == changes_between(found.new, old).keys()
    return expected


def check_followed(live: dict[str, Any], spec: dict[str, Any], owner: str, now: str) -> dict[str, Any]:
    """An object as it is once it was changed."""
    new = copy.deepcopy({**live, "spec": spec})
    changes: Changes = changes_between(new, live)
    assert MANAGER.follow(live, new, changes, owner, now)
    old, text = apart(live)
    owners = owners_in(text)
    assert owners is not None
    assert MANAGER.texts.follow(owners, old, apart(new)[0], changes, owner, now=now) == apart(new)[1]
    return new


@settings(max_examples=60, deadline=None)
@given(SPECS, CHANGES)
def test_owners_are_looked_up_as_they_would_be_followed(spec: dict[str, Any], changes: list[Any]) -> None:
    obj = {**HEAD, "metadata": {"name": "a", "uid": "u", "labels": {"x": "y"}}, "spec": spec}
    MANAGER.create(obj, "ann", "2026-01-01T00:00:00Z")
    for deed, owner, minute, given_spec in changes:
        now = f"2026-01-01T00:0{minute}:00Z"
        if deed == "update":
            obj = check_followed(obj, given_spec, owner, now)
        else:
            config = {**HEAD, "metadata": {"name": "a"}, "spec": given_spec}
            obj = check_applied(obj, config, owner, now, force=deed == "force") or obj


@settings(max_examples=60, deadline=None)
@given(st.lists(SPECS, min_size=2, max_size=8))
def test_fields_of_equal_shapes_are_the_same(specs: list[dict[str, Any]]) -> None:
    for spec in specs:
        config = {**HEAD, "metadata": {"name": "a"}, "spec": spec}
        assert MANAGER.texts._fields_of(config) == managing().texts._fields_of(config)


def test_nothing_is_looked_up_where_each_change_has_an_outcome_of_its_own() -> None:
    known = Outcomes()
    for number in range(outcomes._MOST_OUTCOMES + 1):
        assert known.taken_apart(b"[]") is not None
        assert known.find(number) is None
        known.keep(number, None)
    for _ in range(outcomes._REST):
        assert known.taken_apart(b"[]") is None
    assert known.taken_apart(b"[]") is not None


def test_outcomes_that_were_of_use_are_looked_up_on() -> None:
    known = Outcomes()
    for number in range(outcomes._MOST_OUTCOMES + 1):
        known.keep(number, None)
        assert known.find(number) is outcomes.UNTOLD
    assert known.taken_apart(b"[]") is not None
