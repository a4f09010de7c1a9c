"""Ownership of the fields of one kind's objects: what the verbs call, and all they need to know of this room.

A `FieldManager` stands for a kind in one version, seen whole or through a subresource; make one per endpoint with `kinds` and keep it.
It reads and writes ``metadata.managedFields``:

- a create calls `FieldManager.create` once the object is decoded and defaulted, with its outline if it was surveyed and found valid;
- an update or a patch (JSON, merge) calls `FieldManager.update` with the object as the request makes it, before anything is put back
  that requests cannot change;
- an apply calls `FieldManager.apply`, which gives the object that it makes; it is completed (defaults) and written like an update's;
- all but creates call `keep_times` last, just before what is to be written is compared with what is there.

Objects are in the version of the manager and belong to the caller; those passed as ``live`` are never changed, but parts of them,
and of configurations, are shared by what is made of them. ``now`` is a time as `crdkit.meta.time.now` gives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from crdkit.meta.changes import Changed, Changes
from crdkit.meta.status import bad_request, unknown
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership import entries, fieldsets, lastapplied
from crdkit.ownership.comparison import compare_changes, same
from crdkit.ownership.conflicts import Conflicts
from crdkit.ownership.conformity import NotOfType, require, require_beside
from crdkit.ownership.creation import Creations
from crdkit.ownership.entries import APPLY, UPDATE, Identity, InvalidManagers, Managers, Owned
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.items import Unnameable
from crdkit.ownership.merging import merge_object
from crdkit.ownership.oneversion import OneVersion
from crdkit.ownership.ownable import ownable
from crdkit.ownership.ownertexts import OwnerTexts
from crdkit.ownership.tracking import Tracking
from crdkit.ownership.typed import Typed
from crdkit.ownership.versions import ConversionFailed, Versions

if TYPE_CHECKING:
    from crdkit.schema.survey import Outline

BEFORE_FIRST_APPLY: Final = "before-first-apply"


class FieldManager:
    """Who owns what in the objects of a kind, in one version and through one endpoint.

    ``reset`` has, by version, the fields that requests to this endpoint cannot set, ``empty`` what an object has before anything is set.
    """

    def __init__(
        self,
        *,
        api_version: str,
        kind: str,
        versions: Versions,
        kube: KubeVersion,
        subresource: str = "",
        reset: Mapping[str, FieldSet] | None = None,
        empty: JsonObject | None = None,
    ) -> None:
        self.api_version: Final = api_version
        self.kind: Final = kind
        self.subresource: Final = subresource
        self._versions = versions
        self._tracking = Tracking(versions, reset or {}, kube)
        self._empty: JsonObject = {"metadata": {}, **(empty or {}), "apiVersion": api_version, "kind": kind}
        self._type = versions.type_in(api_version)
        self._version = OneVersion(api_version, kind, subresource, self._type, self._tracking)
        self.creations = Creations(self._version, self._empty)

    def make_ready(self) -> None:
        """Make what a first object needs."""
        self.creations.make_ready()

    @cached_property
    def texts(self) -> OwnerTexts:
        """What becomes of owners that are not read."""
        return OwnerTexts(self._version)

    def create(self, obj: JsonObject, manager: str, now: str, outline: Outline | None = None) -> None:
        """The creator owns all that a new object has. Sets ``metadata.managedFields`` in place, whatever it was before.

        The outline is that of a valid object; it may tell of fields that cannot be set through this endpoint though they are gone.
        """
        metadata: dict[str, Json] = obj["metadata"]
        metadata.pop("managedFields", None)
        try:
            fields = self.creations.fields_of(obj, outline)
        except (NotOfType, Unnameable):
            return
        if fields:
            metadata["managedFields"] = entries.encode({self._version.identity(manager, UPDATE): Owned(fields, self.api_version, now)})

    async def update(self, live: JsonObject, new: JsonObject, manager: str, now: str, *, sound: bool = False) -> None:
        """Who changes a field owns it alone; who removes one owns it no more. Sets ``metadata.managedFields`` of ``new`` in place.

        What ``new`` has there is heeded if it is usable: a client may edit the owners, or forget them all. If changes cannot be followed,
        since an owner's version cannot be had, the object has no owners any more, as on a real server. ``sound`` tells that ``live`` is
        known to be of the type: then only what ``new`` does not share with it is looked at.
        """
        metadata: dict[str, Json] = new["metadata"]
        managers = self._given(live, metadata.pop("managedFields", None))
        if (not managers and live["metadata"].get("uid")) or not _is_same_kind(live, new):
            return
        before = without_managers(live)
        try:
            self._require_both(before, new, sound=sound)
            managers = await self._updated(before, new, managers, self._version.identity(manager, UPDATE), now)
        except (ConversionFailed, NotOfType, Unnameable):
            return
        if managers:
            metadata["managedFields"] = entries.encode(managers)

    def follow(self, live: JsonObject, new: JsonObject, changes: Changes, manager: str, now: str) -> bool:
        """What `update` does, where ``live`` is known to be of the type and ``changes`` tell what differs from it but for the owners.

        False where owners speak in words of other versions; nothing was done then.
        """
        metadata: dict[str, Json] = new["metadata"]
        managers = self._given(live, metadata.get("managedFields"))
        if not self._version.is_spoken_by(managers) or "kind" in changes or "apiVersion" in changes:
            return False
        metadata.pop("managedFields", None)
        if not managers and live["metadata"].get("uid"):
            return True
        try:
            compared = compare_changes(self._type, live, new, changes)
        except Unnameable:
            return True
        if left := self._version.after_update(managers, compared, self._version.identity(manager, UPDATE), now):
            metadata["managedFields"] = entries.encode(left)
        return True

    async def apply(
        self, live: JsonObject | None, config: JsonObject, manager: str, *, force: bool, now: str, sound: bool = False
    ) -> Changed:
        """Merge an applied configuration into an object, or make one of it. Gives the object with its ``metadata.managedFields``.

        It is yet to be completed and judged. ``sound`` tells that ``live`` is known to be of the type; then it may be told what differs
        from it, but for the owners. Raises a `Refusal`: 400 for another kind's configuration, 409 for conflicts, 500 for what is not of
        the type.
        """
        self._check_kind(config)
        live = live or self._empty
        managers = entries.read(live["metadata"].get("managedFields") or ())
        if not managers:
            managers = await self._before_first_apply(live, now)
        self._check_config(config)
        if sound and self._version.is_spoken_by(managers):
            applied = self._applied_here(live, config, managers, self._version.identity(manager, APPLY), force=force, now=now)
            if applied is not None and not (manager == lastapplied.KUBECTL and lastapplied.has_annotation(applied.new)):
                return applied
        before = without_managers(live)
        if not sound:
            self._require_typed(before, "live", duplicates=True)
        new = await self._applied(before, config, managers, manager, force=force, now=now)
        if manager == lastapplied.KUBECTL:
            lastapplied.keep_up(new, config)
        return Changed(new)

    # Updates

    def _typed(self, obj: JsonObject) -> Typed:
        return Typed(obj, self._type, self.api_version)

    def _given(self, live: JsonObject, given: Json) -> Managers:
        """The owners before a change: those that the client says there are, if it says something usable, else the object's."""
        held = live["metadata"].get("managedFields")
        if given is not None and given is not held and not self.subresource and given != held:
            if entries.is_reset(given):
                return {}
            try:
                managers = entries.decode(given)
            except InvalidManagers:
                managers = {}
            if managers:
                return managers
        return entries.read(held or ())

    def _require_both(self, live: JsonObject, new: JsonObject, *, sound: bool) -> None:
        if sound:
            require_beside(self._type, new, live)
        else:
            require(self._type, new, duplicates=True)
            require_beside(self._type, live, new)

    async def _updated(self, live: JsonObject, new: JsonObject, managers: Managers, owner: Identity, now: str) -> Managers:
        before = self._typed(live)
        held = await self._tracking.reconciled(before, managers)
        change = await self._tracking.update(before, self._typed(new), held, owner)
        return self._version.with_change(held, change, owner, managers.get(owner), now)

    # Applies

    def _check_kind(self, config: JsonObject) -> None:
        api_version, kind = _text(config.get("apiVersion")), _text(config.get("kind"))
        if (api_version, kind) == (self.api_version, self.kind):
            return
        if api_version.count("/") > 1:
            api_version = kind = ""
        group, _, version = api_version.rpartition("/")
        msg = f"invalid object type: {group}/{version}, Kind={kind}"
        raise bad_request(msg)

    async def _before_first_apply(self, live: JsonObject, now: str) -> Managers:
        """What was never tracked belongs to one owner of its own from the first apply on, so that the applier meets conflicts."""
        owner = self._version.identity(BEFORE_FIRST_APPLY, UPDATE)
        try:
            tracked = without_managers(live)
            require(self._type, tracked, duplicates=True)
            return await self._updated(self._empty, tracked, {}, owner, now)
        except (ConversionFailed, NotOfType, Unnameable) as error:
            told = f"failed to convert new object ({self.shown(live)}) to smd typed: {error}"
            msg = f"failed to create manager for existing fields: {told}"
            raise unknown(msg) from error

    async def _applied(
        self, live: JsonObject, config: JsonObject, managers: Managers, manager: str, *, force: bool, now: str
    ) -> JsonObject:
        owner = self._version.identity(manager, APPLY)
        held, new = await self._merged(self._typed(live), config, managers, owner, force=force)
        if (owned := held.get(owner)) is not None:
            fields = ownable(owned.fields)
            last = managers.get(owner)
            fields = last.fields if last is not None and last.fields == fields else fieldsets.ordered(fields)
            held[owner] = Owned(fields, owned.api_version, now if new is not None else owned.time)
        return _with_managers(live if new is None else new, held)

    async def _merged(
        self, live: Typed, config: JsonObject, managers: Managers, owner: Identity, *, force: bool
    ) -> tuple[Managers, JsonObject | None]:
        """The owners after an apply, and the object if it changes. Raises a `Refusal` (409 or 500)."""
        try:
            held = await self._tracking.reconciled(live, managers)
            return held, await self._tracking.apply(live, config, held, owner, force=force)
        except Conflicts as conflicts:
            left = lastapplied.left_over(conflicts.conflicts, live) if owner.manager == lastapplied.KUBECTL else conflicts.conflicts
            if left:
                raise Conflicts(left).refusal() from conflicts
            return await self._merged(live, config, managers, owner, force=True)
        except (ConversionFailed, NotOfType, Unnameable) as error:
            raise unknown(str(error)) from error

    def _applied_here(
        self, live: JsonObject, config: JsonObject, managers: Managers, owner: Identity, *, force: bool, now: str
    ) -> Changed | None:
        """What `_applied` makes of a live object of the type, where all owners speak in words of this version.

        None where something is given up, or owned by others, or cannot be named: all that takes more than a look at what differs.
        """
        if "managedFields" in (config.get("metadata") or ()):
            return None  # as a null, which is merged like any other
        try:
            new, changes = merge_object(self._type, live, config)
            fields = self._version.fields_of(config)
            compared = compare_changes(self._type, live, new, changes, conforms=True)
        except Unnameable:
            return None
        if not changes or (compared.is_same and same(live, new)):
            new, changes = live, {}
        held = self._version.after_apply(managers, compared, fields, owner, force=force, now=now if changes else "")
        return None if held is None else Changed(_with_managers(new, held), changes)

    def _check_config(self, config: JsonObject) -> None:
        """A configuration is of the type. Raises a `Refusal` (400 or 500)."""
        metadata = config.get("metadata")
        if isinstance(metadata, dict) and _tells_owners(metadata.get("managedFields")):
            raise bad_request("metadata.managedFields must be nil")
        self._require_typed(config, "patch", duplicates=False)

    def _require_typed(self, obj: JsonObject, which: str, *, duplicates: bool) -> None:
        try:
            require(self._type, obj, duplicates=duplicates)
        except NotOfType as error:
            msg = f"failed to create typed {which} object ({self.shown(obj)}): {error}"
            raise unknown(msg) from error

    def shown(self, obj: JsonObject) -> str:
        """An object of the kind as error texts name it."""
        metadata = obj.get("metadata")
        fields = metadata if isinstance(metadata, dict) else {}
        group, _, version = self.api_version.rpartition("/")
        return f"{_text(fields.get('namespace'))}/{_text(fields.get('name'))}; {group}/{version}, Kind={self.kind}"


def _tells_owners(given: Json) -> bool:
    """Whether owners are given, be it none; what is no list of them is refused as such."""
    return isinstance(given, list) and all(isinstance(entry, dict) for entry in given)


def keep_times(new: JsonObject, live: JsonObject) -> None:
    """Put back, in place, the times of owners if nothing but times would change, so that nothing is written."""
    metadata, before = new["metadata"], live["metadata"]
    written, held = metadata.get("managedFields"), before.get("managedFields")
    if not held or not written or written is held or len(written) != len(held):
        return
    if metadata.get("generation") != before.get("generation"):
        return
    if [entry.get("time") for entry in written] == [entry.get("time") for entry in held]:
        return
    one, other = without_managers(new), without_managers(live)
    if one != other or not same(one, other):
        return
    if [_without_time(entry) for entry in written] == [_without_time(entry) for entry in held]:
        metadata["managedFields"] = held


def _without_time(entry: JsonObject) -> JsonObject:
    return {name: value for name, value in entry.items() if name != "time"}


def without_managers(obj: JsonObject) -> JsonObject:
    """A shallow copy without ``metadata.managedFields``."""
    metadata = dict(obj["metadata"] or ())  # what was applied may have null there
    metadata.pop("managedFields", None)
    return {**obj, "metadata": metadata}


def _with_managers(obj: JsonObject, managers: Managers) -> JsonObject:
    managers = {key: owned for key, owned in managers.items() if owned.fields}
    new = without_managers(obj)
    if managers:
        new["metadata"]["managedFields"] = entries.encode(managers)
    return new


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _is_same_kind(live: JsonObject, new: JsonObject) -> bool:
    """Whether what was made of an object is still one of its kind and group: of others, nobody follows who owns what.

    What does not tell its type is still of the type that it was.
    """
    kind, api_version = new.get("kind") or live.get("kind"), new.get("apiVersion") or live.get("apiVersion")
    return kind == live.get("kind") and _group(api_version) == _group(live.get("apiVersion"))


def _group(api_version: Json) -> str:
    return _text(api_version).rpartition("/")[0]
