"""A served resource: its names, how its objects are read, stored and answered, and the rules of its kind; `Endpoint` is what its paths show."""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Final

from crdkit.conversion.converter import ConversionFailed
from crdkit.meta import json, names, objectmeta
from crdkit.meta.changes import Changes
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT
from crdkit.meta.status import GroupResource, conflict
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.deleteoptions import DeleteOptions, with_policy
from crdkit.registry.labels import KnownLabels
from crdkit.registry.patches.strategicpatch import METADATA_KEYS, MergeKeys
from crdkit.registry.patchtypes import APPLY_PATCH, JSON_PATCH, MERGE_PATCH
from crdkit.registry.rendering import Items, Known, Parts, Renderings, Style
from crdkit.registry.request import Request
from crdkit.registry.sharedlines import LinesByForm
from crdkit.storage.types import ABSENT, Entry, Guard, Revision
from crdkit.storage.watching import Subscription

if TYPE_CHECKING:
    from crdkit.registry.endpoint import Endpoint
    from crdkit.schema.survey import Survey
    from crdkit.storage.cache import Cache

ALL_VERBS: Final = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
_IN_ONE_TURN: Final = 50
"""So many objects are read before the event loop goes on with other work."""
_serials: Final = itertools.count(1)


class Stale(Exception):
    """The rules of a resource have changed while a request was handled: it is to be handled again, by the new ones."""


class Resource(ABC):
    """One resource in one of its versions. The attributes are what routing and discovery need to know."""

    patch_types: Sequence[str] = (JSON_PATCH, MERGE_PATCH, APPLY_PATCH)
    typed = False
    """Whether lists of the kind are those of a Go type, whose items do not tell their kind."""
    go_package = ""
    """Where the Go types are as which the real server has its objects and lists in memory; empty for those that have no type of their own."""
    unconditional_update = False
    """Whether an update need not say which resourceVersion it is based on."""
    creates_on_update = False
    """Whether a PUT of what is not there creates it."""
    answers_deleted = False
    """Whether a deletion is answered with the object, not with a Status."""
    has_status = False
    has_scale = False
    main: Endpoint

    def __init__(
        self,
        *,
        kube: KubeVersion,
        group: str,
        version: str,
        plural: str,
        kind: str,
        list_kind: str,
        namespaced: bool,
        prefix: str,
        singular: str = "",
        short_names: Sequence[str] = (),
        categories: Sequence[str] = (),
        verbs: Sequence[str] = ALL_VERBS,
        stored_version: str = "",
    ) -> None:
        self.kube = kube
        self.serial = next(_serials)
        """Tells this resource, with its rules, from any other."""
        self.group, self.version, self.plural, self.singular = group, version, plural, singular
        self.kind, self.list_kind, self.namespaced = kind, list_kind, namespaced
        self.short_names, self.categories, self.verbs = tuple(short_names), tuple(categories), tuple(verbs)
        self.prefix = prefix
        self.api_version = f"{group}/{version}" if group else version
        self.about = GroupResource(group, plural)
        self.stored_api_version = f"{group}/{stored_version or version}" if group else stored_version or version
        self.style = Style(typed=self.typed)
        self.stored_head = self.style.head(self.stored_api_version, kind)
        self.renderings = Renderings(self.stored_head, self.style.head(self.api_version, kind))
        self.item_head = self.style.item_head(self.api_version, kind)
        self.labels = KnownLabels()
        self.lines = LinesByForm()
        self.watches: set[Subscription] = set()
        self.retired = False
        self.ended = False

    def retire(self) -> None:
        """The resource is not served like this any more; who watches it is still told, until `end`."""
        self.retired = True

    def end(self) -> None:
        """End the watches, also those that are about to begin."""
        self.retired = self.ended = True
        for subscription in list(self.watches):
            subscription.close()

    def watch(self, subscription: Subscription) -> None:
        """Let a watch end with the resource."""
        self.watches.add(subscription)
        if self.ended:
            subscription.close()

    def forget(self, key: str) -> None:
        """The object at a key is gone for good."""
        self.renderings.forget(key)
        self.labels.forget(key)

    def key(self, namespace: str, name: str) -> str:
        """Where an object stands in storage."""
        return f"{self.prefix}{namespace}/{name}" if self.namespaced else self.prefix + name

    def place(self, key: str) -> tuple[str, str]:
        """The namespace and name of the object at a key."""
        namespace, _, name = key[len(self.prefix) :].rpartition("/")
        return namespace, name

    def endpoint(self, subresource: str) -> Endpoint | None:
        """The endpoint of a subresource; the empty name is the object itself."""
        return None if subresource else self.main

    @property
    def merge_keys(self) -> MergeKeys:
        """The lists that a strategic merge patch merges by a key."""
        return METADATA_KEYS

    # Objects and bytes

    async def load(self, value: bytes) -> JsonObject:
        """Stored bytes as an object in this version, without its resourceVersion."""
        obj: JsonObject = json.decode(value)
        return obj

    async def read(self, entry: Entry, revision: int | None = None) -> JsonObject:
        """An entry as an object of this version, the caller's to change."""
        if self.renderings.is_plain(entry):
            return self.read_plain(entry, revision)
        obj = await self.load(entry.value)
        obj["metadata"]["resourceVersion"] = str(entry.revision if revision is None else revision)
        return obj

    def read_plain(self, entry: Entry, revision: int | None = None) -> JsonObject:
        """The same for an entry that is known to be answered as it is stored."""
        obj: JsonObject = json.decode(entry.value)
        obj["apiVersion"] = self.api_version
        obj["metadata"]["resourceVersion"] = str(entry.revision if revision is None else revision)
        return obj

    dumps_at_once = False
    """Whether `dump` surely does nothing but to write an object down in the style of the kind."""

    async def dump(self, obj: JsonObject) -> Parts:
        """An object of this version as it is stored, after its head; equal objects give equal parts."""
        return self.style.parts(obj)

    def store_new(self, cache: Cache, key: str, value: bytes, guards: Sequence[Guard]) -> Awaitable[Revision]:
        """Store a new object. Raises `Conflict`."""
        return cache.put(key, value, expected=ABSENT, guards=guards)

    def items(self, entries: Sequence[Entry], shown: Sequence[Known]) -> Items:
        """Entries as they stand in a list."""
        return self.renderings.items(entries, shown, self.item_head)

    def is_foreign(self, entry: Entry) -> bool:
        """Whether somebody else has to be asked how an entry is shown."""
        del entry
        return False

    @property
    def waits(self) -> bool:
        """Whether reading and writing an object may have to wait for somebody else. What does not may run in a worker thread."""
        return False

    async def look_ahead(self, entries: Sequence[Entry]) -> None:  # noqa: B027 (most are read at once)
        """Do at once, for many entries, what takes long when they are read one after the other. Raises a `Refusal`."""

    def known(self, entry: Entry) -> bytes | None:
        """An entry as it is answered, if that has been found out."""
        found = self.renderings.find(entry)
        return self.renderings.text(entry, found, entry.revision) if found is not None else None

    async def render_at(self, entry: Entry, revision: int) -> bytes:
        """An entry as it is answered at another revision, such as that of its deletion."""
        known = self.renderings.find(entry) or await self.find_out(entry)
        return self.renderings.text(entry, known, revision)

    async def find_out(self, entry: Entry) -> Known:
        """How an entry is answered, as it is not known yet."""
        return self.renderings.keep(entry, self.style.parts(await self.load(entry.value)))

    async def shown(self, entries: Sequence[Entry]) -> list[Known]:
        """How entries are answered in this version. Where much is to be found out first, others have their turn meanwhile."""
        find, found, new = self.renderings.find, [], 0
        for entry in entries:
            if (known := find(entry)) is None:
                known = await self.find_out(entry)
                new += 1
                if new % _IN_ONE_TURN == 0:
                    await asyncio.sleep(0)
            found.append(known)
        return found

    async def render_unstored(self, value: bytes, revision: int) -> bytes:
        return self.renderings.join(self.style.parts(await self.load(value)), revision)

    async def in_version(self, obj: JsonObject, api_version: str) -> JsonObject:
        """An object in another version. Raises `ConversionFailed`."""
        del api_version
        msg = f"request to convert from an unknown version: {obj.get('apiVersion', '')}"
        raise ConversionFailed(msg)

    # Selectors

    def supports_field(self, field: str) -> bool:
        """Whether a field selector may name this field."""
        return field == "metadata.name" or (field == "metadata.namespace" and (self.namespaced or self.typed))

    def unsupported_field(self, field: str) -> str:
        """Why a field selector may not name a field."""
        return f"field label not supported: {field}"

    def field_text(self, obj: JsonObject, field: str) -> str:
        """The text that a field selector compares."""
        value: str = obj["metadata"].get(field.removeprefix("metadata."), "")
        return value

    # Writing

    def check_common_metadata(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        """What is wrong with changed metadata of any kind."""
        at = ROOT / "metadata"
        found = objectmeta.check_create(new["metadata"], at, namespaced=self.namespaced, name_check=names.path_segment, kube=self.kube)
        return found + objectmeta.check_update(new["metadata"], old["metadata"], at, kube=self.kube)

    def check_metadata_update(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        """The same, for kinds whose own rules begin with it: a real server tells twice what it finds twice."""
        found = self.check_common_metadata(new, old)
        return found + objectmeta.check_update(new["metadata"], old["metadata"], ROOT / "metadata", kube=self.kube) if found else found

    def guards(self) -> list[Guard]:
        """What must still stand when a write of this resource commits. Raises `Stale` if it does not already."""
        return []

    owns_late = False
    """Whether preparing a new object adds nothing to it that its creator would seem to own."""
    is_stored_version = True
    """Whether objects are stored in the version that they are asked for in."""
    creates_plain = True
    """Whether a new object needs no more pruning or filling in when it is read again."""

    def creates_quickly(self, obj: JsonObject) -> bool:
        """Whether a new object, valid by its schema, is stored and answered as it is, if nothing is wrong with its metadata. A no may be wrong."""
        del obj
        return False

    def check_open(self, name: str, verb: str) -> None:  # noqa: B027 (most kinds are open)
        """Whether new objects may be created at all by this verb. Raises a `Refusal`."""

    def check_rights(self, request: Request, new: JsonObject, old: JsonObject | None) -> None:  # noqa: B027 (most kinds give none)
        """Whether who asks may write this object: for kinds that give rights. Raises a `Refusal` (403)."""

    @abstractmethod
    def prepare_create(self, obj: JsonObject) -> None:
        """Drop, in place, what a new object cannot have."""

    @abstractmethod
    def check_create(self, obj: JsonObject) -> list[FieldError]:
        """What is wrong with a prepared new object."""

    def check_new(self, obj: JsonObject, survey: Survey | None) -> list[FieldError]:
        """The same for one whose content is as it was when it was read, which may have been found in order then."""
        del survey
        return self.check_create(obj)

    def takes_long(self, obj: JsonObject) -> bool:
        """Whether checking such an object should not hold up others."""
        del obj
        return False

    def broken_by_new(self, obj: JsonObject, *, patience: int) -> list[FieldError] | None:
        """What the rules of the kind find in a new object in which all else is in order, if that is easily seen; else None.

        Raises `Impatient` as `with_rules` does.
        """
        del obj, patience
        return None

    def with_rules(
        self,
        found: list[FieldError],
        new: JsonObject,
        old: JsonObject | None,
        warnings: list[str],
        *,
        changes: Changes | None = None,
        patience: int | None = None,
    ) -> list[FieldError]:
        """What was found, and what the rules of a kind that has some find besides; ``warnings`` are added to.

        ``changes`` tell what differs from the old one, if that is sound. With ``patience``, raises `Impatient` where that takes long, or first
        has to compile; then it may be asked again, in a thread.
        """
        del new, old, warnings, changes, patience
        return found

    def wrong_uid(self, key: str, wanted: str, found: str) -> str:
        """Why an object of another UID than the one meant cannot be updated."""
        why = f"Precondition failed: UID in precondition: {wanted}, UID in object meta: {found}"
        return f"StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {why}"

    def may_be_deleted_by_update(self, new: JsonObject) -> bool:
        """Whether an object marked as deleted goes when its last finalizer does."""
        del new
        return True

    def policy_finalizers(self, finalizers: list[str], options: DeleteOptions) -> list[str]:
        """The finalizers of an object that is being deleted, with those that stand for the fate of its dependents."""
        return with_policy(finalizers, options)

    def begin_deletion(self, obj: JsonObject, options: DeleteOptions) -> JsonObject | None:
        """The object as a first step of its deletion leaves it, for kinds that are deleted in steps of their own; else None."""
        del obj, options
        return None

    def check_preconditions(self, metadata: JsonObject, options: DeleteOptions) -> None:
        """Only the object meant is deleted. Raises a `Refusal` (409)."""
        uid, version = metadata.get("uid", ""), metadata["resourceVersion"]
        about = GroupResource(self.group, self.kind)
        if options.uid is not None and options.uid != uid:
            why = f"the UID in the precondition ({options.uid}) does not match the UID in record ({uid})"
            raise conflict(about, metadata["name"], f"{why}. The object might have been deleted and then recreated")
        if options.resource_version is not None and options.resource_version != version:
            why = f"the ResourceVersion in the precondition ({options.resource_version}) does not match the ResourceVersion in record"
            raise conflict(about, metadata["name"], f"{why} ({version}). The object might have been modified")

    def check_deletion(self, name: str) -> None:  # noqa: B027 (most objects may)
        """Whether an object of that name may be deleted at all. Raises a `Refusal`."""
