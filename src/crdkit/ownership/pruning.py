"""What an applier named the last time and names no longer: it is removed from the object unless somebody else owns it."""

from __future__ import annotations

from typing import Final

from crdkit.meta.version import KubeVersion
from crdkit.ownership import fieldsets
from crdkit.ownership.entries import Identity, Managers, Owned
from crdkit.ownership.extraction import fields_of
from crdkit.ownership.fieldsets import EMPTY, FieldSet
from crdkit.ownership.removal import remove, with_named_fields
from crdkit.ownership.typed import Typed, convert
from crdkit.ownership.versions import ConversionFailed, UnknownVersion, Versions

_DANGLING: Final = "failed add back dangling items: failed to convert pruned object to last applied version: "


async def prune(merged: Typed, managers: Managers, owner: Identity, last: Owned | None, *, versions: Versions, kube: KubeVersion) -> Typed:
    """The merged object without what ``owner`` gave up. ``managers`` have its new set already, ``last`` is the one before."""
    if last is None or not last.fields:
        return merged
    if last.api_version == merged.api_version and fieldsets.is_subset(last.fields, managers[owner].fields):
        return merged  # nothing was given up
    pruning = _Pruning(versions, kube)
    whole = await pruning.converted(merged, last.api_version, "failed to convert merged object to last applied version: ")
    if whole is None:
        return merged
    given_up = with_named_fields(whole.type, last.fields)
    pruned = await pruning.with_owned(whole, pruning.without(whole, given_up), managers)
    pruned = await pruning.with_never_named(whole, pruned, given_up)
    back = await pruning.converted(pruned, merged.api_version, "")
    assert back is not None
    return back


class _Pruning:
    def __init__(self, versions: Versions, kube: KubeVersion) -> None:
        self._versions = versions
        self._kube = kube
        self._known: list[tuple[Typed, FieldSet]] = []

    async def converted(self, obj: Typed, api_version: str, words: str) -> Typed | None:
        """The object in another version; None if there is no such version. ``words`` stand before what is told of a failure."""
        try:
            return await convert(obj, api_version, self._versions)
        except UnknownVersion:
            return None
        except (ConversionFailed, ValueError) as error:
            msg = f"failed to prune fields: {words}{error}"
            raise ConversionFailed(msg) from error

    def without(self, obj: Typed, fields: FieldSet) -> Typed:
        return obj.with_value(remove(obj.type, obj.value, fields, self._kube)) if fields else obj

    async def with_owned(self, merged: Typed, pruned: Typed, managers: Managers) -> Typed:
        """Add back what anybody owns, version by version; that of the objects comes first, since conversions may need it."""
        for api_version, fields in _owned_by_version(managers, pruned.api_version).items():
            words = "failed add back owned items: failed to convert"
            whole = await self.converted(merged, api_version, f"{words} merged object at version {api_version}: ")
            part = await self.converted(pruned, api_version, f"{words} pruned object at version {api_version}: ")
            if whole is None or part is None:
                continue
            merged = whole
            kept = fieldsets.union(self._fields_of(part), with_named_fields(whole.type, fields))
            pruned = self.without(whole, fieldsets.difference(self._fields_of(whole), kept))
        return pruned

    async def with_never_named(self, merged: Typed, pruned: Typed, given_up: FieldSet) -> Typed:
        """Add back what the owner did not name the last time either."""
        part = await self.converted(pruned, merged.api_version, _DANGLING)
        if part is None:
            return merged
        candidates = fieldsets.intersection(given_up, self._fields_of(merged))
        return self.without(merged, fieldsets.difference(candidates, self._fields_of(part)))

    def _fields_of(self, obj: Typed) -> FieldSet:
        """All fields of an object, those that its type names among them; remembered, since the whole object is asked for repeatedly."""
        for known, fields in self._known:
            if known is obj:
                return fields
        fields = with_named_fields(obj.type, fields_of(obj.type, obj.value))
        self._known.append((obj, fields))
        return fields


def _owned_by_version(managers: Managers, first: str) -> dict[str, FieldSet]:
    owned: dict[str, FieldSet] = {}
    for held in sorted(managers.values(), key=lambda held: held.api_version != first):
        owned[held.api_version] = fieldsets.union(owned.get(held.api_version, EMPTY), held.fields)
    return owned
