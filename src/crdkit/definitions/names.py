"""Which names a definition gets: those it asks for, unless another of its group holds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from crdkit.definitions.conditions import Condition, find, says, with_conditions
from crdkit.meta import golang
from crdkit.meta.types import JsonObject
from crdkit.schema.equality import same

_ACCEPTED: Final = Condition("NamesAccepted", "True", "NoConflicts", "no conflicts found")
_NOT_ACCEPTED: Final = Condition("Established", "False", "NotAccepted", "not all names are accepted")
_INSTALLING: Final = Condition("Established", "False", "Installing", "the initial names have been accepted")
_RESOURCE_NAMES: Final = (("plural", "PluralConflict"), ("singular", "SingularConflict"))
_KIND_NAMES: Final = (("kind", "KindConflict"), ("listKind", "ListKindConflict"))


class Taken(NamedTuple):
    """The names held in a group. Resources and kinds are apart."""

    resources: frozenset[str]
    kinds: frozenset[str]

    @classmethod
    def by(cls, definitions: Iterable[JsonObject], group: str) -> Taken:
        """The accepted names of the group's definitions."""
        held = [definition["status"]["acceptedNames"] for definition in definitions if definition["spec"]["group"] == group]
        resources = {name for names in held for name in (names["plural"], names.get("singular", ""), *(names.get("shortNames") or ()))}
        kinds = {name for names in held for name in (names["kind"], names.get("listKind", ""))}
        return cls(frozenset(resources), frozenset(kinds))


class Verdict(NamedTuple):
    """The names that a definition gets, and whether these are the ones it wants."""

    names: JsonObject
    condition: Condition


def judge(wanted: JsonObject, held: JsonObject, taken: Taken) -> Verdict:
    """Grant each name that is free or held already; short names only together. The last conflict is the one told."""
    granted, conflict = dict(held), _ACCEPTED
    for group, used in ((_RESOURCE_NAMES, taken.resources), (_KIND_NAMES, taken.kinds)):
        for field, reason in group:
            name = wanted.get(field, "")
            if name != held.get(field, "") and name in used:
                conflict = _conflict(reason, [name])
            else:
                granted[field] = name
        if group is _RESOURCE_NAMES:
            mine = held.get("shortNames") or ()
            lost = [name for name in wanted.get("shortNames") or () if name not in mine and name and name in used]
            if lost:
                conflict = _conflict("ShortNamesConflict", lost)
            else:
                granted["shortNames"] = wanted.get("shortNames")
    granted["categories"] = wanted.get("categories")
    return Verdict(_ordered(granted), conflict)


def _conflict(reason: str, names: list[str]) -> Condition:
    texts = list(dict.fromkeys(f"{golang.quote(name)} is already in use" for name in names))
    return Condition("NamesAccepted", "False", reason, texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]")


def _ordered(names: JsonObject) -> JsonObject:
    """In the order in which names are written; only plural and kind are written although empty."""
    fields = ("plural", "singular", "shortNames", "kind", "listKind", "categories")
    return {field: names.get(field, "") for field in fields if field in ("plural", "kind") or names.get(field)}


def settle(definition: JsonObject, group: Iterable[JsonObject], now: str) -> JsonObject | None:
    """The definition with its names settled, or None if there is nothing to write.

    ``group`` are the stored definitions, this one among them; those of other groups do not matter. While the names asked for are the
    accepted ones nothing is done, not even where the condition tells otherwise.
    """
    wanted, status = definition["spec"]["names"], definition["status"]
    held = status["acceptedNames"]
    if same(_ordered(wanted), _ordered(held)):
        return None
    names, condition = judge(wanted, held, Taken.by(group, definition["spec"]["group"]))
    if same(names, _ordered(held)) and says(find(definition, "NamesAccepted"), condition):
        return None
    named = {**definition, "status": {**status, "acceptedNames": names}}
    return with_conditions(named, condition, _established(definition, condition), now=now)


def _established(definition: JsonObject, accepted: Condition) -> Condition:
    """What is said of the definition being established: it stays as it was, unless that is not so yet and its names are accepted now."""
    before = find(definition, "Established")
    if accepted.status == "True" and not (before and before["status"] == "True"):
        return _INSTALLING
    if before is None:
        return _NOT_ACCEPTED
    return Condition("Established", before["status"], before.get("reason", ""), before.get("message", ""))
