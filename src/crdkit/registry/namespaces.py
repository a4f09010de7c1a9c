"""Namespaces as a resource (core/v1): a name for objects to stand under, emptied before it goes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from crdkit.builtin.behaviour import CORE_RULES
from crdkit.builtin.kinds import NAMESPACE
from crdkit.builtin.namespaces import ACTIVE, FINALIZER, INITIAL, NAME_LABEL, NAMESPACE_FIELDS, TERMINATING
from crdkit.meta import errors, names, objectmeta, time
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import Decoded
from crdkit.meta.paths import ROOT
from crdkit.meta.status import forbidden
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import metadata
from crdkit.registry.builtinresource import BuiltinEndpoint, BuiltinResource
from crdkit.registry.columns import age
from crdkit.registry.definitionresource import check_plain_preconditions
from crdkit.registry.deleteoptions import DeleteOptions
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.owners import SERVER
from crdkit.registry.tables import AGE, NAME, Column, Table
from crdkit.storage.cache import Cache
from crdkit.storage.types import ABSENT, Conflict

_PROTECTED: Final = ("default", "kube-system", "kube-public")
_PHASE: Final = "status.phase"
_TABLE: Final = Table(
    (NAME, Column("Status", "string", "", "The status of the namespace"), AGE),
    lambda obj: [obj["metadata"].get("name", ""), obj.get("status", {}).get("phase", ""), age(obj)],
)


class NamespaceResource(BuiltinResource):
    """Namespaces. Their deletion begins here, and ends when both lists of finalizers are empty."""

    has_status = True

    def __init__(self, kube: KubeVersion) -> None:
        super().__init__(NAMESPACE, NAMESPACE_FIELDS, kube)
        self.main = NamespaceEndpoint(self)
        self._endpoints: dict[str, Endpoint] = {
            "": self.main,
            "status": NamespaceStatusEndpoint(self),
            "finalize": NamespaceFinalizeEndpoint(self),
        }

    def endpoint(self, subresource: str) -> Endpoint | None:
        return self._endpoints.get(subresource)

    def decode(self, value: Json, duplicates: list[str]) -> Decoded:
        decoded = super().decode(value, duplicates)
        set_name_label(decoded.value["metadata"])
        return decoded

    def supports_field(self, field: str) -> bool:
        return field == _PHASE or super().supports_field(field)

    def field_text(self, obj: JsonObject, field: str) -> str:
        if field != _PHASE:
            return super().field_text(obj, field)
        phase: str = obj.get("status", {}).get("phase", "")
        return phase

    def prepare_create(self, obj: JsonObject) -> None:
        obj["status"] = {"phase": ACTIVE}
        finalizers = obj.setdefault("spec", {}).setdefault("finalizers", [])
        if FINALIZER not in finalizers:
            finalizers.append(FINALIZER)
        set_name_label(obj["metadata"])

    def check_create(self, obj: JsonObject) -> list[FieldError]:
        return self.check_new_metadata(obj) + check_finalizers(obj, self.kube, indexed=False)

    def check_new_metadata(self, obj: JsonObject) -> list[FieldError]:
        return CORE_RULES.check_new(obj["metadata"], namespaced=False, name_check=names.dns1123_label, kube=self.kube)

    def check_metadata_update(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        return self.check_common_metadata(new, old) + CORE_RULES.check_change(new["metadata"], old["metadata"], self.kube)

    def may_be_deleted_by_update(self, new: JsonObject) -> bool:
        return not (new.get("spec") or {}).get("finalizers")

    def check_deletion(self, name: str) -> None:
        if name in _PROTECTED:
            raise forbidden(self.about, name, "this namespace may not be deleted")

    def check_preconditions(self, metadata: JsonObject, options: DeleteOptions) -> None:
        check_plain_preconditions(self.about, metadata, options)

    def begin_deletion(self, obj: JsonObject, options: DeleteOptions) -> JsonObject | None:
        meta = obj["metadata"]
        if meta.get("deletionTimestamp") is None:
            meta["deletionTimestamp"] = time.now()
            obj.setdefault("status", {})["phase"] = TERMINATING
            finalizers = self.policy_finalizers(meta.get("finalizers") or [], options)
            meta.pop("finalizers", None)
            if finalizers:
                meta["finalizers"] = finalizers
            return obj
        return obj if (obj.get("spec") or {}).get("finalizers") else None


class NamespacePartEndpoint(BuiltinEndpoint):
    """A part of namespaces, with their metadata."""

    table = _TABLE
    resource: NamespaceResource

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        return self.resource.check_metadata_update(new, old)


class NamespaceEndpoint(NamespacePartEndpoint):
    """Namespaces themselves: spec and status stay as they are."""

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        keep(new, old, "spec")
        keep(new, old, "status")
        set_name_label(new["metadata"])

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        return super().check(new, old) + self.resource.check_new_metadata(new)


class NamespaceStatusEndpoint(NamespacePartEndpoint):
    """The status of namespaces; metadata goes with it."""

    subresource = "status"

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        keep(new, old, "spec")
        new.setdefault("status", {}).setdefault("phase", ACTIVE)
        set_name_label(new["metadata"])

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        found = super().check(new, old)
        phase, marked = new["status"]["phase"], bool(new["metadata"].get("deletionTimestamp"))
        if phase != (TERMINATING if marked else ACTIVE):
            wanted = (
                "may only be 'Terminating' if `deletionTimestamp` is not empty"
                if marked
                else "may only be 'Active' if `deletionTimestamp` is empty"
            )
            found.append(errors.invalid("status.Phase", phase, wanted))
        return found


class NamespaceFinalizeEndpoint(NamespacePartEndpoint):
    """The finalizers in a namespace's spec, which its controller takes away when all it holds is gone."""

    subresource = "finalize"

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        keep(new, old, "status")
        if "spec" not in new:
            new["spec"] = {}
        set_name_label(new["metadata"])

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        return super().check(new, old) + check_finalizers(new, self.resource.kube, indexed=True)


def keep(new: JsonObject, old: JsonObject, field: str) -> None:
    if field in old:
        new[field] = old[field]
    else:
        new.pop(field, None)


def set_name_label(meta: JsonObject) -> None:
    """Selectors can choose a namespace by its name."""
    if name := meta.get("name"):
        meta["labels"] = {**(meta.get("labels") or {}), NAME_LABEL: name}


def check_finalizers(obj: JsonObject, kube: KubeVersion, *, indexed: bool) -> list[FieldError]:
    """Finalizers in a namespace's spec are its own or have a domain."""
    found: list[FieldError] = []
    for index, finalizer in enumerate((obj.get("spec") or {}).get("finalizers") or []):
        at = ROOT / "spec" / "finalizers"
        place = at.index(index) if indexed else at
        messages = names.label_key(finalizer, kube)
        found += [errors.invalid(place, finalizer, message) for message in messages]
        if not objectmeta.is_standard_finalizer(finalizer):
            found.append(errors.invalid(place, finalizer, objectmeta.NO_STANDARD_FINALIZER))
    return found


async def create_initial_namespaces(cache: Cache, kube: KubeVersion) -> None:
    """Create the namespaces that a cluster has from the start, unless they are there: at once, as the store commits such writes together."""
    resource = NamespaceResource(kube)
    await asyncio.gather(*(_create(cache, resource, name) for name in INITIAL))


async def _create(cache: Cache, resource: NamespaceResource, name: str) -> None:
    key = resource.key("", name)
    if cache.get(key) is not None:
        return
    obj: JsonObject = {"metadata": {"name": name}, "apiVersion": resource.api_version, "kind": resource.kind}
    set_name_label(obj["metadata"])
    resource.main.owners.create(obj, SERVER)
    metadata.fill_system_fields(obj["metadata"])
    resource.prepare_create(obj)
    with contextlib.suppress(Conflict):
        await cache.put(key, resource.stored_head + (await resource.dump(obj)).text(), expected=ABSENT)
