"""What is particular to a built-in kind: its fields, what is filled in, and what may be stored.

Objects passed in belong to the caller: defaults and preparations change them in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Final, NamedTuple

from crdkit.meta import names, objectmeta
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.objectmeta import NameCheck
from crdkit.meta.paths import ROOT
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

Check = Callable[[JsonObject, KubeVersion], Iterable[FieldError]]
ChangeCheck = Callable[[JsonObject, JsonObject, KubeVersion], Iterable[FieldError]]
"""Gets the new object, and the old one."""


def leave(obj: JsonObject) -> None:
    """Change nothing."""


def leave_change(new: JsonObject, old: JsonObject) -> None:
    """Change nothing."""


def accept(obj: JsonObject, kube: KubeVersion) -> Iterable[FieldError]:
    """Find nothing wrong."""
    del obj, kube
    return ()


def accept_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterable[FieldError]:
    """Find nothing wrong."""
    del new, old, kube
    return ()


def tell_nothing(obj: JsonObject, old: JsonObject | None, kube: KubeVersion) -> list[str]:
    """Have no warnings."""
    del obj, old, kube
    return []


class MetadataRules(NamedTuple):
    """How a kind's own validation looks at metadata: what it finds that all kinds are asked about is told once more."""

    as_change: bool = True
    """Whether the metadata of a changed object is judged as a change."""
    as_new: bool = False
    """Whether it is judged as that of a new object."""
    standard_finalizers: bool = False
    """Whether finalizers have a domain or are known."""

    def check_new(self, metadata: JsonObject, *, namespaced: bool, name_check: NameCheck, kube: KubeVersion) -> list[FieldError]:
        found = objectmeta.check_create(metadata, _METADATA, namespaced=namespaced, name_check=name_check, kube=kube)
        return found + self._check_finalizers(metadata)

    def check_change(self, new: JsonObject, old: JsonObject, kube: KubeVersion) -> list[FieldError]:
        return objectmeta.check_update(new, old, _METADATA, kube=kube) + self._check_finalizers(new)

    def _check_finalizers(self, metadata: JsonObject) -> list[FieldError]:
        finalizers = metadata.get("finalizers") if self.standard_finalizers else None
        return list(objectmeta.check_standard_finalizers(finalizers, _METADATA / "finalizers")) if finalizers else []


_METADATA: Final = ROOT / "metadata"
CHANGE_RULES: Final = MetadataRules()
CORE_RULES: Final = MetadataRules(as_new=True, standard_finalizers=True)
"""Those of the core group's kinds, and of others that use its rules."""
NEW_RULES: Final = MetadataRules(as_change=False, as_new=True)
"""Those of kinds whose changed objects are judged like new ones."""


@record(kw_only=True)
class Behaviour:
    """A kind's own rules. Those that all kinds share are the registry's."""

    fields: StructTable
    """Its Go types, the kind's own under its name."""
    name_check: NameCheck = names.dns1123_subdomain
    metadata: MetadataRules = CHANGE_RULES
    default: Callable[[JsonObject], None] = leave
    """Fills in what a decoded object leaves open; run on patched objects too."""
    prepare_create: Callable[[JsonObject], None] = leave
    prepare_update: Callable[[JsonObject, JsonObject], None] = leave_change
    check: Check = accept
    """What is wrong with an object beside its metadata, on create and on update."""
    check_change: ChangeCheck = accept_change
    """What is wrong with a change, told before what ``check`` finds."""
    change_is_whole: bool = False
    """Whether ``check_change`` looks at the whole object, as an update may keep what ``check`` would not let in."""
    warnings: Callable[[JsonObject, JsonObject | None, KubeVersion], list[str]] = tell_nothing
    selectable: Mapping[str, Callable[[JsonObject], str]] = field(default_factory=dict)
    """Fields that field selectors may name beside name and namespace."""
    counts_generations: bool = False
    unconditional_update: bool = True
    creates_on_update: bool = False
    """Whether a PUT of what is not there creates it."""
    answers_deleted: bool = False
    """Whether a deletion is answered with the object, not with a Status."""
