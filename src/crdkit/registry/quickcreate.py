"""The quick way of creating custom objects: what a survey found valid, and whose metadata is like most, is written down at once.

It comes to what the long way (`create`) comes to, or gives up before anything is done. What it refuses is refused in the same words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from crdkit.meta import json, time, uids
from crdkit.meta.objectmeta import is_common
from crdkit.meta.status import invalid
from crdkit.meta.types import JsonObject
from crdkit.registry.checking import broken_by_new
from crdkit.registry.limits import is_too_large
from crdkit.registry.options import WriteOptions
from crdkit.registry.owners import owner_of
from crdkit.registry.rendering import text_of_content
from crdkit.registry.request import Request
from crdkit.registry.resource import Resource
from crdkit.registry.store import Store
from crdkit.storage.types import Guard

if TYPE_CHECKING:
    from crdkit.schema.survey import Survey


class Made(NamedTuple):
    """An object that is to be created: where, as what text before and after its resourceVersion, and what must still stand then."""

    key: str
    before: bytes
    after: bytes
    is_exact: bool
    guards: list[Guard]

    def answer(self, revision: int) -> bytes:
        """The object with a revision; with none, if that is 0."""
        return b'%b,"resourceVersion":"%d"%b' % (self.before, revision, self.after) if revision else self.before + self.after


def make_quickly(
    store: Store, resource: Resource, request: Request, obj: JsonObject, *, options: WriteOptions, survey: Survey | None
) -> Made | None:
    """What is to be stored for a decoded object; None where that takes the long way. Raises a `Refusal`."""
    if survey is None or not survey.is_valid or request.form.kind or "status" in obj or not store.admission.configurations.idle:
        return None
    meta, namespace = obj["metadata"], request.namespace
    if resource.namespaced is not bool(namespace) or not resource.creates_quickly(obj) or not is_common(meta, namespace):
        return None
    name: str = meta["name"]
    resource.check_open(name, request.verb)
    guards = resource.guards()
    if namespace:
        guards += store.namespaces.admit(resource, namespace, name)
    found, now = broken_by_new(resource, obj), time.now()
    if found:
        raise invalid(resource.main.told_as(obj), name, found, store.kube)
    owners = None if found is None else resource.main.owners.text_of_new(obj, owner_of(request, options), survey.outline, now)
    if owners is None:
        return None
    before = _text_before_uid(resource.stored_head, meta, owners, namespace, now)
    content, is_exact = text_of_content(obj, floats=survey.floats)
    if not is_exact:
        content = json.unsigned_zeros(content)
    after = b',"uid":"%b"}%b' % (uids.new_uid().encode(), content)
    if is_too_large(len(before) + len(after)):
        return None
    return Made(resource.key(namespace, name), before, after, is_exact, guards)


def _text_before_uid(head: bytes, meta: JsonObject, owners: bytes, namespace: str, now: str) -> bytes:
    """The beginning of an object, with its metadata in the order of names; those of it and of its namespace are written as they are."""
    first = {**meta, "creationTimestamp": now, "generation": 1}
    del first["name"]
    first.pop("namespace", None)
    text = json.encode_without_floats(first, sort=True)
    where = b'","namespace":"%b"' % namespace.encode() if namespace else b'"'
    return b'%b%b,"managedFields":%b,"name":"%b%b' % (head, text[1:-1], owners, meta["name"].encode(), where)
