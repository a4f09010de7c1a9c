"""Validation of an object's metadata, on create and on update (apimachinery's api/validation/objectmeta.go)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from crdkit.meta import errors, golang, managers, names
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

ANNOTATIONS_LIMIT: Final = 256 * 1024
"""Bytes that the keys and values of all annotations may have together."""

_MOST_BYTES: Final = 4
"""Of a character in UTF-8."""

ORPHAN: Final = "orphan"
FOREGROUND_DELETION: Final = "foregroundDeletion"
_PLAIN_FINALIZERS: Final = frozenset((ORPHAN, FOREGROUND_DELETION, "kubernetes"))
NO_STANDARD_FINALIZER: Final = "name is neither a standard finalizer name nor is it fully qualified"
_COMMON: Final = frozenset(("name", "namespace", "labels", "annotations"))
_IMMUTABLE: Final = ("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")
_EMPTY_OWNER_FIELD: Final = ((KubeVersion(1, 34), "must not be empty"), (KubeVersion(1, 0), "{field} must not be empty"))
_FIXED: Final = ("generateName", *_IMMUTABLE, "ownerReferences", "finalizers")
_OPERATIONS: Final = ("Apply", "Update")

NameCheck = Callable[[str], list[str]]


def check_create(metadata: JsonObject, at: FieldPath, *, namespaced: bool, name_check: NameCheck, kube: KubeVersion) -> list[FieldError]:
    """What is wrong with the metadata of a new object, whose name has been generated if one was to be."""
    if _is_valid_new(metadata, namespaced=namespaced, name_check=name_check):
        return []
    found = list(_check_name(metadata, at, name_check))
    found += _check_namespace(metadata.get("namespace") or "", at / "namespace", namespaced=namespaced)
    found += _check_not_negative(metadata.get("generation") or 0, at / "generation")
    found += _check_common(metadata, at, kube)
    found += check_finalizers(metadata.get("finalizers") or [], at / "finalizers", kube)
    found += _check_managed_fields(metadata.get("managedFields") or [], at / "managedFields", kube)
    return found


def _is_valid_new(metadata: JsonObject, *, namespaced: bool, name_check: NameCheck) -> bool:
    """Whether there is surely nothing wrong with what most new objects have."""
    get = metadata.get
    name, labels, annotations = get("name"), get("labels"), get("annotations")
    if not namespaced or not name or name_check(name) or not _is_namespace(get("namespace") or ""):
        return False
    if get("generateName") or get("ownerReferences") or get("finalizers") or (get("generation") or 0) < 0:
        return False
    if (labels and not _are_valid_labels(labels)) or (annotations and not _are_valid_annotations(annotations)):
        return False
    return all(map(_is_valid_manager, get("managedFields") or ()))


def is_common(metadata: JsonObject, namespace: str) -> bool:
    """Whether metadata, of the right types, has a name, labels and annotations at most, and nothing is wrong with these.

    The namespace is that of the request, empty for cluster-wide objects. A no may be wrong.
    """
    if not metadata.keys() <= _COMMON or metadata.get("namespace", namespace) != namespace:
        return False
    name, labels, annotations = metadata.get("name"), metadata.get("labels"), metadata.get("annotations")
    if not name or names.dns1123_subdomain(name) or (namespace and not _is_namespace(namespace)):
        return False
    return (labels is None or _are_valid_labels(labels)) and (annotations is None or _are_valid_annotations(annotations))


@functools.lru_cache(maxsize=1024)
def _is_namespace(name: str) -> bool:
    return not names.dns1123_label(name)


def check_update(new: JsonObject, old: JsonObject, at: FieldPath, *, kube: KubeVersion) -> list[FieldError]:
    """What is wrong with an object's metadata as a change of what it was."""
    found: list[FieldError] = []
    if old.get("deletionTimestamp"):
        found += check_no_new_finalizers(new.get("finalizers") or [], old.get("finalizers") or [], at / "finalizers")
    if not new.get("resourceVersion"):
        found.append(errors.invalid(at / "resourceVersion", "", "must be specified for an update"))
    found += _check_generation(new, old, at / "generation")
    for field in _IMMUTABLE:
        if new.get(field) != old.get(field):
            found.append(errors.invalid(at / field, _immutable_value(new, field), "field is immutable"))
    found += _check_common(new, at, kube)
    found += _check_managed_fields(new.get("managedFields") or [], at / "managedFields", kube)
    return found


def keeps_valid(new: JsonObject, old: JsonObject, changed: Iterable[str]) -> bool:
    """Whether a change leaves metadata valid which was so; what may be ``changed``, beside its managers, is named. A no may be wrong."""
    if not new.get("resourceVersion") or (new.get("generation") or 0) < (old.get("generation") or 0):
        return False
    for name in changed:
        if (check := _MAP_CHECKS.get(name)) is not None:
            if (value := new.get(name)) and not check(value):
                return False
        elif name in _FIXED and new.get(name) != old.get(name):
            return False
    entries = new.get("managedFields")
    return not entries or entries is old.get("managedFields") or all(map(_is_valid_manager, entries))


def _immutable_value(metadata: JsonObject, field: str) -> object:
    value = metadata.get(field)
    if field == "deletionTimestamp" and value is not None:
        return golang.Typed(value, str(value))  # 1.33 prints times without quotes
    return "" if value is None and field in ("name", "namespace", "uid") else value


def _check_name(metadata: JsonObject, at: FieldPath, name_check: NameCheck) -> Iterator[FieldError]:
    prefix, name = metadata.get("generateName") or "", metadata.get("name") or ""
    if prefix:
        # What is appended may end the name, so a trailing dash is judged as if a letter followed it.
        judged = prefix[:-1] + "a" if prefix.endswith("-") and len(prefix) > 1 else prefix
        yield from (errors.invalid(at / "generateName", prefix, message) for message in name_check(judged))
    if not name:
        yield errors.required(at / "name", "name or generateName is required")
    yield from (errors.invalid(at / "name", name, message) for message in name_check(name) if name)


def _check_namespace(namespace: str, at: FieldPath, *, namespaced: bool) -> Iterator[FieldError]:
    if not namespaced:
        if namespace:
            yield errors.forbidden(at, "not allowed on this type")
    elif not namespace:
        yield errors.required(at)
    else:
        yield from (errors.invalid(at, namespace, message) for message in names.dns1123_label(namespace))


def _check_not_negative(generation: int, at: FieldPath) -> Iterator[FieldError]:
    if generation < 0:
        yield errors.invalid(at, generation, "must be greater than or equal to 0")


def _check_generation(new: JsonObject, old: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    generation = new.get("generation") or 0
    yield from _check_not_negative(generation, at)
    if generation < (old.get("generation") or 0):
        yield errors.invalid(at, generation, "must not be decremented")


def _check_common(metadata: JsonObject, at: FieldPath, kube: KubeVersion) -> list[FieldError]:
    found: list[FieldError] = []
    if labels := metadata.get("labels"):
        found += check_labels(labels, at / "labels", kube)
    if annotations := metadata.get("annotations"):
        found += check_annotations(annotations, at / "annotations", kube)
    if owners := metadata.get("ownerReferences"):
        found += check_owners(owners, at / "ownerReferences", kube)
    return found


def check_labels(labels: dict[str, str], at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """Both a bad key and a bad value are told at the map itself."""
    if _are_valid_labels(labels):
        return
    for key, value in labels.items():
        yield from (errors.invalid(at, key, message) for message in names.label_key(key, kube))
        yield from (errors.invalid(at, value, message) for message in names.label_value(value, kube))


def _are_valid_labels(labels: dict[str, str]) -> bool:
    return names.are_label_keys(labels) and names.are_label_values(labels.values())


def check_annotations(annotations: dict[str, str], at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """Keys are judged in lower case; values may be anything, within a size for all of them together."""
    if _are_valid_annotations(annotations):
        return
    for key in annotations:
        yield from (errors.invalid(at, key, message) for message in names.label_key(key.lower(), kube))
    texts = (*annotations, *annotations.values())
    if sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) > ANNOTATIONS_LIMIT:
        yield errors.too_long(at, ANNOTATIONS_LIMIT, kube)


def _are_valid_annotations(annotations: dict[str, str]) -> bool:
    """A no may be wrong: their size is looked at roughly."""
    if not names.are_label_keys(annotations) and not names.are_label_keys([key.lower() for key in annotations]):
        return False
    return (len("".join(annotations)) + len("".join(annotations.values()))) * _MOST_BYTES <= ANNOTATIONS_LIMIT


_MAP_CHECKS: Final[dict[str, Callable[[dict[str, str]], bool]]] = {"labels": _are_valid_labels, "annotations": _are_valid_annotations}


def check_owners(owners: list[JsonObject], at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """The errors' paths have no index."""
    controller = ""
    for owner in owners:
        yield from _check_owner(owner, at, kube)
        if owner.get("controller"):
            this = f"{owner.get('kind', '')}/{owner.get('name', '')}"
            if controller:
                detail = f'Only one reference can have Controller set to true. Found "true" in references for {controller} and {this}'
                yield errors.invalid(at, _owners_value(owners), detail)
            else:
                controller = this


def _check_owner(owner: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    api_version = owner.get("apiVersion") or ""
    group, _, version = api_version.rpartition("/")
    if not version or "/" in group:
        yield errors.invalid(at / "apiVersion", api_version, "version must not be empty")
    empty = next(text for first, text in _EMPTY_OWNER_FIELD if kube >= first)
    for field in ("kind", "name", "uid"):
        if not owner.get(field):
            yield errors.invalid(at / field, "", empty.format(field=field))
    if not group and version == "v1" and owner.get("kind") == "Event":
        yield errors.invalid(at, _owner_value(owner), "/v1, Kind=Event is disallowed from being an owner")


_OWNER_FIELDS: Final = ("apiVersion", "kind", "name", "uid")
_addresses: Final = itertools.count(0x1000, 8)
_OWNER_FLAGS: Final = ("controller", "blockOwnerDeletion")
_GO_NAMES: Final = {
    "apiVersion": "APIVersion", "kind": "Kind", "name": "Name", "uid": "UID",
    "controller": "Controller", "blockOwnerDeletion": "BlockOwnerDeletion",
}  # fmt: skip


def _address() -> str:
    """Where a flag stands in a server's memory, as 1.33 tells it: each time elsewhere, so that no two errors are the same."""
    return f"0xc{next(_addresses):09x}"


def _owner_value(owner: JsonObject) -> golang.Typed:
    plain = {field: owner.get(field) or "" for field in _OWNER_FIELDS}
    flags = {field: owner[field] for field in _OWNER_FLAGS if owner.get(field) is not None}
    fields = [f"{_GO_NAMES[field]}:{golang.quote(plain[field])}" for field in _OWNER_FIELDS]
    fields += [f"{_GO_NAMES[field]}:(*bool)({_address() if field in flags else 'nil'})" for field in _OWNER_FLAGS]
    return golang.Typed(golang.Ordered({**plain, **flags}), "v1.OwnerReference{" + ", ".join(fields) + "}")


def _owners_value(owners: list[JsonObject]) -> golang.Typed:
    values = [_owner_value(owner) for owner in owners]
    return golang.Typed(values, "[]v1.OwnerReference{" + ", ".join(value.go for value in values) + "}")


def check_finalizers(finalizers: list[str], at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    for finalizer in finalizers:
        yield from (errors.invalid(at, finalizer, message) for message in names.label_key(finalizer, kube))
    if ORPHAN in finalizers and FOREGROUND_DELETION in finalizers:
        detail = f"finalizer {ORPHAN} and {FOREGROUND_DELETION} cannot be both set"
        yield errors.invalid(at, golang.strings(finalizers), detail)


def check_standard_finalizers(finalizers: list[str], at: FieldPath) -> Iterator[FieldError]:
    """Built-in kinds take no plain name that Kubernetes does not know itself."""
    for position, finalizer in enumerate(finalizers):
        if not is_standard_finalizer(finalizer):
            yield errors.invalid(at.index(position), finalizer, NO_STANDARD_FINALIZER)


def is_standard_finalizer(name: str) -> bool:
    return "/" in name or name in _PLAIN_FINALIZERS


def check_no_new_finalizers(new: list[str], old: list[str], at: FieldPath) -> Iterator[FieldError]:
    """An object that is being deleted may only lose finalizers."""
    if extra := sorted(set(new) - set(old)):
        detail = "no new finalizers can be added if the object is being deleted, found new finalizers " + golang.strings(extra).go
        yield errors.forbidden(at, detail)


def _check_managed_fields(entries: list[JsonObject], at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    for position, entry in enumerate(entries):
        if _is_valid_manager(entry):
            continue
        place = at.index(position)
        if (operation := entry.get("operation") or "") not in _OPERATIONS:
            yield errors.invalid(place / "operation", operation, "must be `Apply` or `Update`")
        if (kind := entry.get("fieldsType") or "") not in ("", "FieldsV1"):
            yield errors.invalid(place / "fieldsType", kind, "must be `FieldsV1`")
        yield from managers.check_name(entry.get("manager") or "", place / "manager", kube)
        yield from managers.check_subresource(entry.get("subresource") or "", place / "subresource", kube)


def _is_valid_manager(entry: JsonObject) -> bool:
    """A no may be wrong."""
    known = entry.get("operation") in _OPERATIONS and entry.get("fieldsType") == "FieldsV1"
    return known and managers.is_short(entry.get("manager") or "") and managers.is_short(entry.get("subresource") or "")


def finalizer_warnings(finalizers: list[str], old: list[str]) -> list[str]:
    """What is said of finalizers newly set whose names have no path."""
    told = []
    for finalizer in finalizers:
        if finalizer in old or is_standard_finalizer(finalizer):
            continue
        wish = "including a path (/) " if "." in finalizer else ""
        told.append(
            f"metadata.finalizers: {golang.quote(finalizer)}: prefer a domain-qualified finalizer name {wish}"
            "to avoid accidental conflicts with other finalizer writers"
        )
    return told
