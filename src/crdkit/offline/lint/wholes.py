"""Rules on whole definitions, and on definitions beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.meta.records import record
from crdkit.offline.lint.rules import Concern, DefinitionRule, Rule, rule

_SHOWN: Final = 3
_KUBECTL_NAMES: Final = frozenset(
    [
        "cm",
        "cs",
        "ep",
        "ev",
        "limits",
        "ns",
        "no",
        "pvc",
        "pv",
        "po",
        "rc",
        "quota",
        "sa",
        "svc",
        "crd",
        "crds",
        "ds",
        "deploy",
        "rs",
        "sts",
        "hpa",
        "cj",
        "csr",
        "ing",
        "netpol",
        "pdb",
        "pc",
        "sc",
        "leases",
    ]
)
"""Short names that kubectl has for what every cluster serves."""


@rule(
    "conversion-loses-fields",
    why="With the conversion strategy None an object is stored in the storage version as it is, and what that version's schema does not name is"
    " pruned: such fields vanish without a word.",
    fix="Give the versions the same fields, or convert between them by a webhook.",
)
def conversion_loses_fields(definition: Definition) -> Iterator[Concern]:
    """Fields that only one of two versions has."""
    if definition.conversion.get("strategy") != "None":
        return
    storage = definition.storage_version
    for index, version in enumerate(definition.versions):
        if version is storage or not version.served:
            continue
        at = f"spec.versions[{index}].schema"
        if lost := _missing(version, storage):
            yield Concern(at, f"fields of {version.name} are not stored, since {storage.name} does not have them: {_some(lost)}")
        if hidden := _missing(storage, version):
            yield Concern(at, f"who writes {version.name} drops fields that only {storage.name} has: {_some(hidden)}")


def _missing(version: DefinitionVersion, other: DefinitionVersion) -> list[str]:
    """The fields of a version that are lost in another; what is below a lost field is not told again."""
    lost: list[str] = []
    _compare(version.schema, other.schema, "", lost)
    return lost


def _compare(mine: dict[str, object], theirs: dict[str, object], field: str, lost: list[str]) -> None:
    if theirs.get("x-kubernetes-preserve-unknown-fields") and not theirs.get("properties"):
        return
    names, other_names = _children(mine), _children(theirs)
    for name, child in names.items():
        place = f"{field}{name}"
        if name in other_names:
            _compare(child, other_names[name], place, lost)
        elif not _takes(theirs):
            lost.append(place)


def _children(schema: dict[str, object]) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    properties, items, values = schema.get("properties"), schema.get("items"), schema.get("additionalProperties")
    if isinstance(properties, dict):
        found.update({f".{name}": child or {} for name, child in properties.items()})
    if isinstance(items, dict):
        found["[]"] = items
    if isinstance(values, dict):
        found[".*"] = values
    return found


def _takes(schema: dict[str, object]) -> bool:
    """Whether a schema keeps fields that it does not name."""
    return any(
        schema.get(key) for key in ("x-kubernetes-preserve-unknown-fields", "additionalProperties", "x-kubernetes-embedded-resource")
    )


def _some(fields: Sequence[str]) -> str:
    shown = ", ".join(fields[:_SHOWN])
    return f"{shown} and {len(fields) - _SHOWN} more" if len(fields) > _SHOWN else shown


@record
class Neighbours:
    """A definition among those looked at before it."""

    definition: Definition
    before: Sequence[Definition]


@rule(
    "short-name-taken",
    why="A short name that two resources have leads kubectl to one of them, and not always the same; within a group the second definition is"
    " not served at all.",
    fix="Choose another short name.",
)
def short_name_taken(looked: Neighbours) -> Iterator[Concern]:
    """Short names of others."""
    for index, name in enumerate(looked.definition.spec_names.short_names):
        at = f"spec.names.shortNames[{index}]"
        if name in _KUBECTL_NAMES:
            yield Concern(at, f"the short name {name} is that of a kind which every cluster has")
        if other := next((one for one in looked.before if name in _names(one) and one.name != looked.definition.name), None):
            yield Concern(at, f"the short name {name} is one of {other.name} too")


def _names(definition: Definition) -> tuple[str, ...]:
    names = definition.spec_names
    return (*names.short_names, names.plural, names.singular)


RULES: Final[tuple[DefinitionRule, ...]] = (conversion_loses_fields,)
NEIGHBOUR_RULES: Final[tuple[Rule[Neighbours], ...]] = (short_name_taken,)
