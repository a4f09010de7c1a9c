"""The quick way of patches of sound objects: only what a patch touches is looked at, and owners are looked up, not read.

It comes to what the long way (`patch`) comes to, or gives up before anything is done: where something is wrong, or out of the ordinary.
So nothing is refused here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from crdkit.meta import json
from crdkit.meta.changes import Changes
from crdkit.meta.json import JsonError
from crdkit.meta.offload import is_long
from crdkit.meta.types import JsonObject
from crdkit.ownership.outcomes import OwnersText
from crdkit.registry.bodies import patch_value
from crdkit.registry.checking import with_rules
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.limits import is_too_large
from crdkit.registry.options import IGNORE, WriteOptions
from crdkit.registry.owners import owner_of
from crdkit.registry.patches import mergepatch
from crdkit.registry.patchtypes import APPLY_PATCH, MERGE_PATCH
from crdkit.registry.rendering import NULL, Pieces, text_before_owners, text_of_content
from crdkit.registry.request import Reply, Request
from crdkit.registry.resource import Stale
from crdkit.registry.store import Store
from crdkit.storage.types import Conflict, Entry

_KINDS: Final = (MERGE_PATCH, APPLY_PATCH)
_METADATA: Final = {"metadata"}


class _Made(NamedTuple):
    """What a patch makes of a stored object: complete, and valid but for its rules; what differs; and its owners."""

    new: JsonObject
    changes: Changes
    owners: bytes


async def patch_quickly(store: Store, endpoint: Endpoint, request: Request, kind: str, options: WriteOptions) -> Reply | None:
    """Patch an object as the body says; None where that takes the long way."""
    resource, renderings = endpoint.resource, endpoint.resource.renderings
    entry = store.cache.get(resource.key(request.namespace, request.name))
    if kind not in _KINDS or entry is None or options.dry_run or request.form.kind or is_long(entry.value) or is_long(request.body):
        return None
    pieces = renderings.pieces(entry)
    if pieces is None or not store.admission.configurations.idle or (owners := endpoint.owners.in_text(pieces.owners)) is None:
        return None
    guards = resource.guards()
    old: JsonObject = json.decode_exact(pieces.text_without_owners())
    meta = old["metadata"]
    if "deletionTimestamp" in meta or len(meta.get("ownerReferences") or ()) > 1:
        return None
    meta["resourceVersion"] = str(entry.revision)
    made = (_merged if kind == MERGE_PATCH else _applied)(endpoint, request, options, old, owners)
    if made is None:
        return None
    told = len(request.warnings)
    new, before = made.new, old
    if endpoint.rules_see_owners:
        new, before = _owned(new, made.owners), _owned(old, pieces.owners)
    if not await with_rules(resource, [], new, before, request.warnings, changes=made.changes):
        if not made.changes and made.owners == pieces.owners:
            return Reply(200, await endpoint.render(entry))
        if (written := _written(made, old, pieces, resource.stored_head, applied=kind == APPLY_PATCH)) is not None:
            value, cut = written
            try:
                revision = await store.cache.put(entry.key, value, expected=entry.revision, guards=guards)
            except Conflict as lost:
                if lost.key != entry.key:
                    raise Stale from lost
            else:
                entry = Entry(entry.key, value, revision)
                return Reply(200, renderings.text(entry, renderings.keep_sound(entry, cut), revision))
    del request.warnings[told:]
    return None


def _owned(obj: JsonObject, owners: bytes) -> JsonObject:
    return {**obj, "metadata": {**obj["metadata"], "managedFields": json.decode_exact(owners)}}


def _merged(endpoint: Endpoint, request: Request, options: WriteOptions, old: JsonObject, owners: OwnersText) -> _Made | None:
    try:
        patch, problems = patch_value(request, strict=options.field_validation != IGNORE)
    except JsonError:
        return None
    if problems or patch.__class__ is not dict:
        return None
    metadata = patch.get("metadata")
    if metadata is not None and (metadata.__class__ is not dict or "managedFields" in metadata):
        return None
    new, changes = mergepatch.merged_into(old, patch)
    if changes and not endpoint.settle(new, old, changes, applied=False):
        return None
    text = endpoint.owners.follow_text(owners, new, old, changes, owner_of(request, options))
    return None if text is None else _Made(new, changes, text)


def _applied(endpoint: Endpoint, request: Request, options: WriteOptions, old: JsonObject, owners: OwnersText) -> _Made | None:
    from crdkit.meta import yaml  # noqa: PLC0415 (its library is not needed before somebody applies)

    config = yaml.decode_json(request.body)
    if config is None:
        return None
    applied = endpoint.owners.apply_text(owners, old, config, owner_of(request, options), force=options.force is True)
    if applied is None:
        return None
    new, changes, text = applied
    return None if changes and not endpoint.settle(new, old, changes, applied=True) else _Made(new, changes, text)


def _written(made: _Made, old: JsonObject, pieces: Pieces, head: bytes, *, applied: bool) -> tuple[bytes, int] | None:
    """The text of an object, and where its resourceVersion goes; None for one that is not written like most.

    So is one that comes out as it was, though it was said to differ: perhaps not even the times of its owners are to change then.
    """
    new, changes, owners = made
    first, _, middle, uid, content = pieces
    if new["metadata"] is not old["metadata"]:
        first = head + text_before_owners(new["metadata"])
    if changes:
        if changes.keys() == _METADATA:
            is_told = first != pieces.first
        else:
            content, is_exact = text_of_content(new)
            is_told = is_exact and content != pieces.content and not (applied and NULL in content)
        if not is_told:
            return None
    before = b'%b,"managedFields":%b%b' % (first, owners, middle)
    value = b"%b%b%b" % (before, uid, content)
    return None if is_too_large(len(value)) else (value, len(before))
