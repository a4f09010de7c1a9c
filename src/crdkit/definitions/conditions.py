"""Conditions of a definition's status: finding and setting them."""

from __future__ import annotations

from typing import NamedTuple

from crdkit.meta.types import JsonObject


class Condition(NamedTuple):
    """A condition as a controller decides on it; when it changed is known only where it is written."""

    type: str
    status: str
    reason: str
    message: str


def find(definition: JsonObject, kind: str) -> JsonObject | None:
    """The condition of that type, as written."""
    conditions = (definition.get("status") or {}).get("conditions") or ()
    return next((condition for condition in conditions if condition["type"] == kind), None)


def is_true(definition: JsonObject, kind: str) -> bool:
    found = find(definition, kind)
    return found is not None and found["status"] == "True"


def says(written: JsonObject | None, condition: Condition) -> bool:
    """Whether a written condition says the same, whenever it changed."""
    return written is not None and _content(written) == condition


def _content(written: JsonObject) -> Condition:
    return Condition(written["type"], written["status"], written.get("reason", ""), written.get("message", ""))


def with_conditions(definition: JsonObject, *conditions: Condition, now: str) -> JsonObject:
    """The definition with these conditions set; a new object that shares all else. A known condition keeps its place.

    The time of the last transition changes with the condition's status only.
    """
    status = definition["status"]
    entries = list(status.get("conditions") or ())
    for condition in conditions:
        _set(entries, condition, now)
    return {**definition, "status": {**status, "conditions": entries}}


def _set(entries: list[JsonObject], condition: Condition, now: str) -> None:
    position = next((at for at, entry in enumerate(entries) if entry["type"] == condition.type), None)
    if position is None:
        entries.append(_entry(condition, now))
        return
    before = entries[position]
    moved = before["status"] != condition.status or not before.get("lastTransitionTime")
    observed = {key: before[key] for key in ("observedGeneration",) if key in before}
    entries[position] = _entry(condition, now if moved else before["lastTransitionTime"]) | observed


def _entry(condition: Condition, since: str) -> JsonObject:
    entry = {"type": condition.type, "status": condition.status, "lastTransitionTime": since}
    return entry | {key: text for key, text in (("reason", condition.reason), ("message", condition.message)) if text}
