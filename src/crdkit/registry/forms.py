"""Answers in the form that was asked for: as they are, as tables, as metadata alone."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Final

from crdkit.meta import errors, json
from crdkit.meta.objectmeta_fields import OBJECT_META
from crdkit.meta.offload import SMALL_JSON, aside
from crdkit.meta.records import record
from crdkit.meta.status import Refusal, bad_request, failure, unknown
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import listtexts
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.pieces import LONG, Pieces
from crdkit.registry.request import Form, Request
from crdkit.registry.resource import Resource
from crdkit.registry.sharedlines import EventText
from crdkit.storage.types import Entry

_METADATA_ORDER: Final = tuple(OBJECT_META.structs["ObjectMeta"])
_META: Final = "meta.k8s.io"
INITIAL_EVENTS_END: Final = "k8s.io/initial-events-end"


@record(frozen=False)
class ListMeta:
    """What a list tells about itself. Without a continue token it is the last page."""

    revision: int
    continue_token: str = ""
    remaining: int | None = None

    def fields(self) -> JsonObject:
        fields: JsonObject = {"resourceVersion": str(self.revision)}
        if self.continue_token:
            fields["continue"] = self.continue_token
        if self.remaining is not None:
            fields["remainingItemCount"] = self.remaining
        return fields


def table_objects(request: Request, kube: KubeVersion) -> str:
    """How much of each object a table's rows are to hold. Raises a `Refusal` (400) for what is no such policy."""
    policy = request.query.first("includeObject") or ""
    if request.form.kind == "Table" and policy not in ("", "None", "Metadata", "Object"):
        error = errors.invalid("includeObject", policy, "must be 'Metadata', 'Object', 'None', or empty")
        raise bad_request(f"Unable to convert to Table as requested: {error.text(kube)}")
    return policy


async def one(endpoint: Endpoint, request: Request, entry: Entry) -> bytes:
    """A stored object in the form asked for."""
    if not request.form.kind:
        return await endpoint.render(entry)
    return one_object(endpoint, request, await endpoint.read(entry))


async def unstored(endpoint: Endpoint, request: Request, value: bytes, revision: int) -> bytes:
    """What a dry run would have stored, in the form asked for."""
    text = await endpoint.render_unstored(value, revision)
    return one_object(endpoint, request, json.decode(text)) if request.form.kind else text


def one_object(endpoint: Endpoint, request: Request, obj: JsonObject) -> bytes:
    form = request.form
    if form.kind == "Table":
        policy = table_objects(request, endpoint.resource.kube)
        meta = {"resourceVersion": obj["metadata"].get("resourceVersion", "")}
        return json.encode(table(endpoint, form, meta, [obj], policy))
    if form.kind == "PartialObjectMetadataList":
        raise _no_object_as_list(endpoint)
    return json.encode(partial(obj, form.version))


async def many(endpoint: Endpoint, request: Request, entries: Sequence[Entry], meta: ListMeta) -> bytes | Pieces:
    """A list of stored objects in the form asked for."""
    form, resource = request.form, endpoint.resource
    if not form.kind:
        return list_text(resource, meta, await listtexts.items(resource, entries))
    if form.kind == "Table":
        policy = table_objects(request, resource.kube)
        await resource.look_ahead(entries)
        return await _beside(resource, entries, _table_text(endpoint, form, entries, meta, policy))
    if form.kind == "PartialObjectMetadata":
        raise _no_list_as_object(resource)
    await resource.look_ahead(entries)
    return await _beside(resource, entries, _partials_text(endpoint, form, entries, meta))


async def _beside(resource: Resource, entries: Sequence[Entry], work: Coroutine[Any, Any, bytes]) -> bytes:
    """The text of a list whose objects are looked at one by one: beside other requests where there are many."""
    long = not resource.waits and sum(len(entry.value) for entry in entries) > SMALL_JSON
    return await (aside(work) if long else work)


async def _table_text(endpoint: Endpoint, form: Form, entries: Sequence[Entry], meta: ListMeta, policy: str) -> bytes:
    empty = json.encode(table(endpoint, form, meta.fields(), [], policy))
    return _filled(empty, [json.encode(_row(endpoint, form, await endpoint.read(entry), policy)) for entry in entries])


async def _partials_text(endpoint: Endpoint, form: Form, entries: Sequence[Entry], meta: ListMeta) -> bytes:
    empty: JsonObject = {"kind": "PartialObjectMetadataList", "apiVersion": f"{_META}/{form.version}", "metadata": meta.fields()}
    if not entries:
        return json.encode({**empty, "items": None})
    return _filled(
        json.encode({**empty, "items": []}), [json.encode(partial(await endpoint.read(entry), form.version)) for entry in entries]
    )


def _filled(empty: bytes, items: Sequence[bytes]) -> bytes:
    """A document that ends in an empty list, with the items: one by one they take less memory than as objects all at once."""
    return b"%s%s]}" % (empty.removesuffix(b"]}"), b",".join(items))


def list_text(resource: Resource, meta: ListMeta, items: Pieces) -> bytes | Pieces:
    """A list from the text of its items, each after a comma. One of custom objects always has a continue token, be it empty."""
    version, kind = json.encode(resource.api_version), json.encode(resource.list_kind)
    if resource.typed:
        opening = b'{"kind":%s,"apiVersion":%s,"metadata":%s,"items":[' % (kind, version, json.encode(meta.fields()))
        closing = b"]}"
    else:
        fields = json.encode({"continue": "", **meta.fields()}, sort=True)
        opening = b'{"apiVersion":%s,"items":[' % version
        closing = b'],"kind":%s,"metadata":%s}' % (kind, fields)
    text = items.enclosed(opening, closing)
    return text if len(text) > LONG else text.joined()


def _no_list_as_object(resource: Resource) -> Refusal:
    go_type = f"{resource.go_package}.{resource.list_kind}" if resource.go_package else "unstructured.UnstructuredList"
    return _no_such_form(f"you requested PartialObjectMetadata, but the requested object is a list (*{go_type})")


def _no_object_as_list(endpoint: Endpoint) -> Refusal:
    """An object without a type of its own looks like a list until its items are asked for."""
    if go_type := endpoint.go_type():
        return _no_such_form(f"you requested PartialObjectMetadataList, but the requested object is not a list (*{go_type})")
    return unknown("content is not a list")


def _no_such_form(message: str) -> Refusal:
    return Refusal(failure(406, "NotAcceptable", message))


def partial(obj: JsonObject, version: str) -> JsonObject:
    """An object's metadata alone, in the order of Go's ObjectMeta."""
    metadata = obj["metadata"]
    ordered = {name: metadata[name] for name in _METADATA_ORDER if name in metadata}
    return {"kind": "PartialObjectMetadata", "apiVersion": f"{_META}/{version}", "metadata": ordered}


def table(
    endpoint: Endpoint, form: Form, meta: JsonObject, objects: Sequence[JsonObject], policy: str, *, with_heads: bool = True
) -> JsonObject:
    """A table of objects; the heads of its columns can be left out where they have been sent before."""
    return {
        "kind": "Table",
        "apiVersion": f"{_META}/{form.version}",
        "metadata": meta,
        "columnDefinitions": endpoint.table.definitions() if with_heads else None,
        "rows": [_row(endpoint, form, obj, policy) for obj in objects],
    }


def _row(endpoint: Endpoint, form: Form, obj: JsonObject, policy: str) -> JsonObject:
    cells = endpoint.table.cells(obj)
    shown: JsonObject | None
    if policy == "Object":
        shown = obj
    elif policy == "None" and INITIAL_EVENTS_END not in (obj["metadata"].get("annotations") or {}):
        shown = None
    else:
        shown = partial(obj, form.version)
    return {"cells": cells, "object": shown}


def event_text(endpoint: Endpoint, request: Request) -> EventText:
    """How watch events look in the form asked for."""
    form, resource = request.form, endpoint.resource
    policy = table_objects(request, resource.kube)

    async def plain(kind: str, entry: Entry, revision: int) -> bytes:
        return event_line(kind, await resource.render_at(entry, revision))

    async def reduced(kind: str, entry: Entry, revision: int) -> bytes:
        return event_line(kind, json.encode(partial(await endpoint.read(entry, revision), form.version)))

    async def tabular(kind: str, entry: Entry, revision: int) -> bytes:
        return event_line(kind, table_event(endpoint, form, await endpoint.read(entry, revision), policy))

    if form.kind == "Table":
        return tabular
    return reduced if form.kind else plain


def table_event(endpoint: Endpoint, form: Form, obj: JsonObject, policy: str) -> bytes:
    meta = {"resourceVersion": obj["metadata"].get("resourceVersion", "")}
    return json.encode(table(endpoint, form, meta, [obj], policy, with_heads=False))


def event_line(kind: str, obj: bytes) -> bytes:
    return b'{"type":"%s","object":%s}\n' % (kind.encode(), obj)


def with_heads(endpoint: Endpoint, line: bytes) -> bytes:
    """The line of a table's event with the columns' heads, which only the first event of a watch has."""
    heads = b'"columnDefinitions":%s,' % json.encode(endpoint.table.definitions())
    return line.replace(b'"columnDefinitions":null,', heads, 1)
