"""Who owns what after a change: the core of ownership, which knows sets of fields and versions, but neither names nor times of owners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership import fieldsets
from crdkit.ownership.comparison import Comparison, compare, same
from crdkit.ownership.conflicts import Conflicts
from crdkit.ownership.entries import Identity, Managers, Owned
from crdkit.ownership.extraction import fields_of
from crdkit.ownership.fieldsets import EMPTY, FieldSet
from crdkit.ownership.merging import merge
from crdkit.ownership.pruning import prune
from crdkit.ownership.reconciliation import reconcile
from crdkit.ownership.typed import Typed, convert
from crdkit.ownership.types import Type
from crdkit.ownership.versions import ConversionFailed, UnknownVersion, Versions


class Change(NamedTuple):
    """The fields that a change wrote, and those that it removed."""

    written: FieldSet
    removed: FieldSet


_NO_CHANGE: Final = Change(EMPTY, EMPTY)


class Tracking(NamedTuple):
    """Changes of one kind's objects, whatever the version they are made in. ``reset``: what they cannot set, by version."""

    versions: Versions
    reset: Mapping[str, FieldSet]
    kube: KubeVersion

    def settable(self, fields: FieldSet, api_version: str) -> FieldSet:
        """What of these fields a change can set at all."""
        return fieldsets.without_trees(fields, self.reset.get(api_version, EMPTY))

    async def reconciled(self, live: Typed, managers: Managers) -> Managers:
        """The owners' sets under the schemas as they are now; owners in versions that are gone are left out."""
        found: Managers = {}
        known: dict[str, Type | None] = {live.api_version: live.type}
        for key, owned in managers.items():
            if owned.api_version not in known:
                known[owned.api_version] = await self._type_in(owned.api_version, live)
            type_ = known[owned.api_version]
            if type_ is not None:
                fields = reconcile(type_, owned.fields)
                found[key] = owned if fields is owned.fields else owned._replace(fields=fields)
        return found

    def reconciled_here(self, type_: Type, managers: Managers) -> Managers:
        """The same where all owners speak in words of one version; gives owners that the caller may change."""
        found = dict(managers)
        for key, owned in managers.items():
            fields = reconcile(type_, owned.fields)
            if fields is not owned.fields:
                found[key] = owned._replace(fields=fields)
        return found

    async def _type_in(self, api_version: str, live: Typed) -> Type | None:
        try:
            return (await convert(live, api_version, self.versions)).type
        except UnknownVersion:
            return None

    async def update(self, live: Typed, new: Typed, managers: Managers, owner: Identity) -> Change:
        """Follow a change that was made: take from all other ``managers`` than its ``owner``, in place, what it wrote or removed."""
        changes = compare(live.type, live.value, new.value)
        if changes.is_same:
            return _NO_CHANGE
        change = self.change_in(live.api_version, changes)
        await self._take(live, new, change, managers, owner, force=True)
        return change

    async def apply(self, live: Typed, config: JsonObject, managers: Managers, owner: Identity, *, force: bool) -> JsonObject | None:
        """Merge a configuration into an object and remove what its owner names no longer; ``managers`` change in place.

        None if the object stays as it is. Raises `Conflicts`, unless forced.
        """
        merged = live.with_value(merge(live.type, live.value, config))
        last = managers.get(owner)
        fields = self.settable(fields_of(live.type, config), live.api_version)
        managers[owner] = Owned(fields, live.api_version, last.time if last else "")
        new = await prune(merged, managers, owner, last, versions=self.versions, kube=self.kube)
        changes = compare(live.type, live.value, new.value)
        await self._take(live, new, self.change_in(live.api_version, changes), managers, owner, force=force)
        if not managers[owner].fields:
            del managers[owner]
        return None if changes.is_same and same(live.value, new.value) else new.value

    async def _take(self, old: Typed, new: Typed, change: Change, managers: Managers, owner: Identity, *, force: bool) -> None:
        """Take from all but ``owner`` what was changed or removed."""
        by_version = {old.api_version: change}
        conflicts: dict[Identity, FieldSet] = {}
        others = [key for key in managers if key != owner]
        for key in others:
            version = managers[key].api_version
            if version not in by_version:
                found = await self._compared_in(version, old, new)
                if found is None:
                    del managers[key]
                    continue
                by_version[version] = found
            if taken := fieldsets.intersection(managers[key].fields, by_version[version].written):
                conflicts[key] = taken
        if conflicts and not force:
            raise Conflicts.of(conflicts)
        for key in others:
            if key in managers:
                _shrink(managers, key, conflicts.get(key, EMPTY), by_version[managers[key].api_version].removed)

    async def _compared_in(self, api_version: str, old: Typed, new: Typed) -> Change | None:
        """The change as that version sees it; None if it is gone."""
        versioned = []
        for which, obj in (("old", old), ("new", new)):
            try:
                versioned.append(await convert(obj, api_version, self.versions))
            except UnknownVersion:
                return None
            except (ConversionFailed, ValueError) as error:
                msg = f"failed to convert {which} object: {error}"
                raise ConversionFailed(msg) from error
        before, after = versioned
        return self.change_in(api_version, compare(before.type, before.value, after.value))

    def is_free(self, change: Change, managers: Managers, owner: Identity) -> bool:
        """Whether nobody but ``owner`` owns what a change writes."""
        return not any(fieldsets.intersection(owned.fields, change.written) for key, owned in managers.items() if key != owner)

    def take_here(self, change: Change, managers: Managers, owner: Identity) -> None:
        """Take, in place, from all but ``owner`` what a change writes or removes. All of them speak in words of one version."""
        for key in [key for key in managers if key != owner]:
            _shrink(managers, key, change.written, change.removed)

    def change_in(self, api_version: str, changes: Comparison) -> Change:
        """What of a change matters to owners, who speak in words of that version."""
        return Change(self.settable(changes.written, api_version), self.settable(changes.removed, api_version))


def _shrink(managers: Managers, key: Identity, taken: FieldSet, removed: FieldSet) -> None:
    owned = managers[key]
    fields = fieldsets.difference(fieldsets.difference(owned.fields, taken), removed)
    if not fields:
        del managers[key]
    elif fields is not owned.fields:
        managers[key] = owned._replace(fields=fields)
