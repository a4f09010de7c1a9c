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

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from crdkit.meta.changes import Changed, Changes
from crdkit.meta.status import bad_request, unknown
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership import capping, entries, fieldsets, lastapplied
from crdkit.ownership.comparison import compare, compare_changes, same
from crdkit.ownership.conflicts import Conflicts
from crdkit.ownership.conformity import NotOfType, require, require_beside
from crdkit.ownership.entries import APPLY, UPDATE, Identity, InvalidManagers, Managers, Owned
from crdkit.ownership.extraction import fields_of
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.items import Unnameable
from crdkit.ownership.merging import merge_object
from crdkit.ownership.shapes import Shape, compile_shape
from crdkit.ownership.tracking import Change, Tracking
from crdkit.ownership.typed import Typed
from crdkit.ownership.versions import ConversionFailed, Versions

if TYPE_CHECKING:
    from crdkit.schema.survey import Outline

BEFORE_FIRST_APPLY: Final = "before-first-apply"
_SYSTEM_FIELDS: Final = (
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
)
_NEVER_OWNED: Final = fieldsets.of(
    ("f:apiVersion",), ("f:kind",), ("f:metadata",), *(("f:metadata", f"f:{name}") for name in _SYSTEM_FIELDS)
)
_NOTHING_OWNED: Final = Owned(fieldsets.EMPTY, "")
_MOST_SHAPES: Final = 512
_LARGEST_SHAPE: Final = 1000
"""How many parts an object kept for its shape may have; with the number of shapes, it bounds what they hold."""


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
        self._created: dict[Hashable, FieldSet] = {}

    def create(self, obj: JsonObject, manager: str, now: str, outline: Outline | None = None) -> None:
        """The creator owns all that a new object has. Sets ``metadata.managedFields`` in place, whatever it was before.

        The outline is that of a valid object; it may tell of fields that cannot be set through this endpoint though they are gone.
        """
        metadata: dict[str, Json] = obj["metadata"]
        metadata.pop("managedFields", None)
        try:
            fields = self._fields_of_new(obj, outline)
        except (NotOfType, Unnameable):
            return
        if fields:
            metadata["managedFields"] = entries.encode({self._identity(manager, UPDATE): Owned(fields, self.api_version, now)})

    async def update(self, live: JsonObject, new: JsonObject, manager: str, now: str, *, sound: bool = False) -> None:
        """Who changes a field owns it alone; who removes one owns it no more. Sets ``metadata.managedFields`` of ``new`` in place.

        What ``new`` has there is heeded if it is usable: a client may edit the owners, or forget them all. If changes cannot be followed,
        since an owner's version cannot be had, the object has no owners any more, as on a real server. ``sound`` tells that ``live`` is
        known to be of the type: then only what ``new`` does not share with it is looked at.
        """
        metadata: dict[str, Json] = new["metadata"]
        managers = self._given(live, metadata.pop("managedFields", None))
        if not managers and live["metadata"].get("uid"):
            return
        before = without_managers(live)
        try:
            self._require_both(before, new, sound=sound)
            managers = await self._updated(before, new, managers, self._identity(manager, UPDATE), now)
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
        if not self._speak_here(managers):
            return False
        metadata.pop("managedFields", None)
        if not managers and live["metadata"].get("uid"):
            return True
        owner = self._identity(manager, UPDATE)
        held = self._tracking.reconciled_here(self._type, managers)
        try:
            compared = compare_changes(self._type, live, new, changes)
        except Unnameable:
            return True
        change = self._tracking.change_in(self.api_version, compared)
        self._tracking.take_here(change, held, owner)
        if left := self._with_change(held, change, owner, managers.get(owner), now):
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
        if sound and self._speak_here(managers):
            applied = self._applied_here(live, config, managers, self._identity(manager, APPLY), force=force, now=now)
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

    def _identity(self, manager: str, operation: str) -> Identity:
        return entries.identity(manager or "unknown", operation, self.api_version, self.subresource)

    def _typed(self, obj: JsonObject) -> Typed:
        return Typed(obj, self._type, self.api_version)

    @cached_property
    def _shape(self) -> Shape:
        return compile_shape(self._type)

    @cached_property
    def _shape_of_metadata(self) -> Shape:
        assert self._type.map is not None
        return compile_shape(self._type.map.fields["metadata"])

    def _fields_of_new(self, obj: JsonObject, outline: Outline | None) -> FieldSet:
        shape: Any = None
        if outline is None and "status" in obj:  # it may be dropped, and nobody else finds out what is wrong with it
            require(self._type, obj, duplicates=True)
        try:
            shape = self._shape(obj) if outline is None else (outline, self._shape_of_metadata(obj["metadata"]))
            if (known := self._created.get(shape)) is not None:
                return known
        except (TypeError, AttributeError):
            shape = None  # a value of another type than it should be, which is found out below
        require(self._type, obj, duplicates=True)
        fields = self._owned_when_new(obj)
        if shape is not None and _size(fields) <= _LARGEST_SHAPE:
            if len(self._created) >= _MOST_SHAPES:
                self._created.clear()
            self._created[shape] = fields
        return fields

    def _owned_when_new(self, obj: JsonObject) -> FieldSet:
        return fieldsets.ordered(self._own(compare(self._type, self._empty, obj).written))

    def _own(self, fields: FieldSet) -> FieldSet:
        return fieldsets.difference(self._tracking.settable(fields, self.api_version), _NEVER_OWNED)

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
        return self._with_change(held, change, owner, managers.get(owner), now)

    def _speak_here(self, managers: Managers) -> bool:
        """Whether all owners speak in words of this version, so that nothing has to be converted."""
        return {owned.api_version for owned in managers.values()} <= {self.api_version}

    def _with_change(self, managers: Managers, change: Change, owner: Identity, known: Owned | None, now: str) -> Managers:
        """The owners with what one of them wrote and removed, which was taken from the others; ``known`` is how his set is written."""
        held = managers.get(owner, _NOTHING_OWNED)
        written = fieldsets.difference(change.written, _NEVER_OWNED)
        kept = fieldsets.difference(held.fields, change.removed)
        if written is not change.written:
            kept = fieldsets.difference(kept, fieldsets.difference(change.written, written))
        if written:
            fields = fieldsets.ordered(fieldsets.union(kept, written), known.fields if known else fieldsets.EMPTY)
            managers[owner] = Owned(fields, self.api_version, now)
        elif kept is not held.fields:
            managers[owner] = held._replace(fields=kept)
        managers = {key: owned for key, owned in managers.items() if owned.fields}
        capping.cap(managers)
        return managers

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
        owner = self._identity(BEFORE_FIRST_APPLY, UPDATE)
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
        owner = self._identity(manager, APPLY)
        held, new = await self._merged(self._typed(live), config, managers, owner, force=force)
        if (owned := held.get(owner)) is not None:
            fields = fieldsets.difference(owned.fields, _NEVER_OWNED)
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
        type_, tracking = self._type, self._tracking
        held = tracking.reconciled_here(type_, managers)
        last = held.get(owner, _NOTHING_OWNED)
        if "managedFields" in (config.get("metadata") or ()):
            return None  # as a null, which is merged like any other
        try:
            new, changes = merge_object(type_, live, config)
            fields = tracking.settable(fields_of(type_, config), self.api_version)
            compared = compare_changes(type_, live, new, changes, conforms=True)
        except Unnameable:
            return None
        change = tracking.change_in(self.api_version, compared)
        if not fieldsets.is_subset(last.fields, fields) or not (force or tracking.is_free(change, held, owner)):
            return None
        tracking.take_here(change, held, owner)
        if not changes or (compared.is_same and same(live, new)):
            new, changes, now = live, {}, last.time
        known = managers.get(owner, _NOTHING_OWNED).fields
        fields = fieldsets.difference(fields, _NEVER_OWNED)
        held[owner] = Owned(known if known == fields else fieldsets.ordered(fields, known), self.api_version, now)
        return Changed(_with_managers(new, held), changes)

    def _check_config(self, config: JsonObject) -> None:
        """A configuration is of the type. Raises a `Refusal` (400 or 500)."""
        metadata = config.get("metadata")
        if isinstance(metadata, dict) and metadata.get("managedFields") is not None:
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


def _size(fields: FieldSet) -> int:
    return sum(1 + _size(node) for node in fields.values())


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
