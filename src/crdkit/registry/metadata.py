"""What the server itself does to an object's metadata when the object is written."""

from __future__ import annotations

import random
from typing import Final

from crdkit.meta import errors, golang, gonumbers, json, time, uids
from crdkit.meta.changes import Changes
from crdkit.meta.status import GroupResource, bad_request, conflict, invalid, unknown
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

UNNAMABLE: Final = frozenset((".", ".."))
"""Names that can be part of no path."""
_SUFFIX_ALPHABET: Final = "bcdfghjklmnpqrstvwxz2456789"
_SUFFIX_LENGTH: Final = 5
_GENERATED_PREFIX_LIMIT: Final = 58
_UINT64: Final = 1 << 64
_SYSTEM_FIELDS: Final = frozenset(("creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"))
_FREE: Final = frozenset(("labels", "annotations", "finalizers"))
_CHANGED: Final = "the object has been modified; please apply your changes to the latest version and try again"
_SET_ON_CREATE: Final = "resourceVersion should not be set on objects to be created"


def is_settled(changes: Changes, obj: JsonObject) -> bool:
    """Whether nothing differs of an object's metadata that the server sets, or holds against the request. Owners may."""
    below = changes.get("metadata")
    if below is None:
        return "ownerReferences" not in obj["metadata"]
    return isinstance(below, dict) and below.keys() <= _FREE and "ownerReferences" not in obj["metadata"]


def metadata_of(obj: JsonObject) -> JsonObject:
    """The metadata of an object, made if there is none, so that fields can be set."""
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict):
        metadata = obj["metadata"] = {}
    return metadata


_random: Final = random.SystemRandom()


def wipe_system_fields(metadata: JsonObject) -> None:
    """Drop what only the server may set on a new object."""
    if not _SYSTEM_FIELDS.isdisjoint(metadata):
        for field in _SYSTEM_FIELDS:
            metadata.pop(field, None)


def fill_system_fields(metadata: JsonObject) -> None:
    metadata["creationTimestamp"] = time.now()
    metadata["uid"] = uids.new_uid()


def generate_name(prefix: str) -> str:
    """A name that begins as asked (cut, where it is long) and ends at random."""
    suffix = "".join(_random.choices(_SUFFIX_ALPHABET, k=_SUFFIX_LENGTH))
    return prefix.encode()[:_GENERATED_PREFIX_LIMIT].decode(errors="replace") + suffix


def ensure_namespace(metadata: JsonObject, namespace: str) -> None:
    """An object stands in the namespace of its request, if in any. Raises a `Refusal` where it says otherwise."""
    own = metadata.get("namespace") or ""
    if namespace:
        if own and own != namespace:
            raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
        metadata["namespace"] = namespace
    else:
        metadata.pop("namespace", None)


def check_name(metadata: JsonObject, name: str) -> None:
    """The name in a body is that of the path. Raises a `Refusal` (400)."""
    own = metadata.get("name")
    if not own:
        raise bad_request(f"the name of the object ({name} based on URL) was undeterminable: name must be provided")
    if own != name:
        raise bad_request(f"the name of the object ({own}) does not match the name on the URL ({name})")


def check_path(name: str) -> None:
    """Names that can be part of no key are refused, those that no object can have are not. Raises a `Refusal` (400)."""
    if "%" not in name and "/" not in name and name not in UNNAMABLE:
        return
    why = f"may not be '{name}'" if name in UNNAMABLE else ";".join(f"may not contain '{char}'" for char in "/%" if char in name)
    raise bad_request(f"Name parameter invalid: {golang.quote(name)}: {why}")


def parse_revision(text: str) -> int:
    """A resourceVersion as a number. Raises `ValueError` with Go's text."""
    if not text.isascii() or not text.isdigit():
        msg = f"strconv.ParseUint: parsing {golang.quote(text)}: invalid syntax"
        raise ValueError(msg)
    value = gonumbers.of_digits(text)
    if value >= _UINT64:
        msg = f"strconv.ParseUint: parsing {golang.quote(text)}: value out of range"
        raise ValueError(msg)
    return value


def check_revision_text(metadata: JsonObject) -> None:
    """A resourceVersion must be a number, whatever becomes of it. Raises a `Refusal`."""
    if text := metadata.get("resourceVersion"):
        try:
            parse_revision(text)
        except ValueError as error:
            raise unknown(str(error)) from error


def check_no_revision(metadata: JsonObject) -> None:
    """A new object cannot have a resourceVersion; one that is no number is overlooked."""
    if not (text := metadata.get("resourceVersion")):
        return
    try:
        given = parse_revision(text)
    except ValueError:
        return
    if given:
        raise unknown(_SET_ON_CREATE)


def drop_what_is_not_stored(metadata: JsonObject) -> None:
    """Drop what of an object is only known where it is answered."""
    for field in ("resourceVersion", "selfLink"):
        metadata.pop(field, None)


def names_no_revision(metadata: JsonObject) -> bool:
    """Whether an update is not based on any resourceVersion in particular."""
    return metadata.get("resourceVersion") in (None, "", "0")


def check_revision(metadata: JsonObject, revision: int, about: GroupResource, name: str, kube: KubeVersion) -> None:
    """An update names the resourceVersion that it is based on, and that is the stored one. Raises a `Refusal`."""
    if names_no_revision(metadata):
        value = golang.Typed(0, "0x0")
        raise invalid(about, name, [errors.invalid("metadata.resourceVersion", value, "must be specified for an update")], kube)
    try:
        given = parse_revision(metadata["resourceVersion"])
    except ValueError as error:
        raise unknown(str(error)) from error
    if given != revision:
        raise conflict(about, name, _CHANGED)


def carry_over(new: JsonObject, old: JsonObject) -> None:
    """What an update cannot change, it does not: the server puts it back before looking at the rest."""
    _keep(new, old, "generation")
    new.pop("selfLink", None)
    if not new.get("uid"):
        _keep(new, old, "uid")
    _keep(new, old, "creationTimestamp")
    for field in ("deletionTimestamp", "deletionGracePeriodSeconds"):
        if old.get(field) is not None and new.get(field) is None:
            new[field] = old[field]


def keep_but_owners(new: JsonObject, old: JsonObject) -> None:
    """The metadata of an object stays, in place, as it was, but for who owns what and what the change is based on."""
    given, kept = new["metadata"], dict(old["metadata"])
    kept.pop("managedFields", None)
    kept["resourceVersion"] = given.get("resourceVersion", "")
    if owners := given.get("managedFields"):
        kept["managedFields"] = owners
    new["metadata"] = kept


def _keep(new: JsonObject, old: JsonObject, field: str) -> None:
    if field in old:
        new[field] = old[field]
    else:
        new.pop(field, None)


def drop_repeated_owners(metadata: JsonObject, warnings: list[str], *, admitted: bool = False) -> None:
    """Owner references that are equal in all their parts are kept once, and the client is told."""
    owners = metadata.get("ownerReferences")
    if not owners or len(owners) == 1:
        return
    kept: dict[bytes, JsonObject] = {}
    repeated: list[str] = []
    for owner in owners:
        text = json.encode(owner, sort=True)
        if text in kept:
            repeated.append(owner.get("uid", ""))
        else:
            kept[text] = owner
    if repeated:
        metadata["ownerReferences"] = list(kept.values())
        when = " after mutating admission happens" if admitted else ""
        warnings.append(
            f".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references in 1.20+, and may reject such "
            f"requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {', '.join(repeated)}"
        )
