"""List: the objects of a namespace or of all, selected, in pages, at the version asked for."""

from __future__ import annotations

import dataclasses
from typing import Final

from crdkit.meta import names
from crdkit.meta.offload import offload_if
from crdkit.meta.status import Refusal, bad_request, unknown
from crdkit.meta.version import KubeVersion
from crdkit.registry import forms, listtexts, paging, versions
from crdkit.registry.forms import ListMeta
from crdkit.registry.listoptions import EXACT, ListOptions, has_long_selector, list_options
from crdkit.registry.pieces import Pieces
from crdkit.registry.request import Reply, Request
from crdkit.registry.resource import Resource
from crdkit.registry.selection import Selection
from crdkit.registry.store import Store
from crdkit.registry.versions import BadVersion
from crdkit.storage.types import Compacted, Entry, FutureRevision, Page, Revision

EXACT_WAITS: Final = KubeVersion(1, 34)
"""From here on a list of exactly a version yet to come waits for it a while, before it failed at once."""
_LIST_EXPIRED: Final = "The resourceVersion for the provided list is too old."
_PAGE_EXPIRED: Final = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue"
    " parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token"
    " results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and"
    " now may show up in the list."
)
_STEP: Final = 1_000
"""So many entries at least are looked at in one go where a selector leaves out some."""


async def list_(store: Store, resource: Resource, request: Request) -> Reply:
    options = await options_of(store, resource, request)
    if not (request.form.kind or options.labels or options.fields):
        return Reply(200, await _in_a_row(store, resource, request, options))
    entries, meta = await select(store, resource, request, options)
    return Reply(200, await forms.many(resource.main, request, entries, meta))


async def _in_a_row(store: Store, resource: Resource, request: Request, options: ListOptions) -> bytes | Pieces:
    """A list of all objects that follow each other, as they are: one of those that are read again and again."""
    prefix = prefix_of(resource, request, options)
    state = await _State.of(store, prefix, options)
    limit = _limit(options)
    if state.is_current:
        stretches, remaining = store.cache.stretches(prefix, after=state.after, limit=limit)
        meta = _meta(state, prefix, stretches[-1].entries[-1].key, remaining) if remaining else ListMeta(state.revision)
        return forms.list_text(resource, meta, await store.lists.items(resource, stretches))
    page = await state.page(limit)
    meta = _meta(state, prefix, page.entries[-1].key, page.remaining) if page.more else ListMeta(state.revision)
    return forms.list_text(resource, meta, await listtexts.items(resource, page.entries))


def _limit(options: ListOptions) -> int:
    """How many objects a page has at most, 0 for any number: a version of 0 is answered from a cache that knows no pages."""
    return options.limit if options.limit > 0 and options.resource_version != "0" else 0


async def options_of(store: Store, resource: Resource, request: Request) -> ListOptions:
    """The options of a list or watch, whose selector names only fields that this resource has. Raises a `Refusal`."""
    options = await offload_if(has_long_selector(request.query), list_options, request, store.kube)
    for term in options.fields.terms:
        if not resource.supports_field(term.field):
            raise bad_request(resource.unsupported_field(term.field))
    return options


def as_page(options: ListOptions) -> ListOptions:
    """The options of a list that is read in pages though no limit is asked for: the version, if one is given, is then that very one."""
    is_told = options.resource_version not in ("", "0") and not options.continue_token
    return dataclasses.replace(options, match=EXACT) if is_told and not (options.match or options.limit) else options


def prefix_of(resource: Resource, request: Request, options: ListOptions) -> str:
    """The keys that a request is about: those of one namespace, if it or its selector names one."""
    if not resource.namespaced:
        return resource.prefix
    namespace = request.namespace
    if not namespace:
        selected = options.fields.exact("metadata.namespace")
        if selected and not names.dns1123_label(selected):
            namespace = selected
    return f"{resource.prefix}{namespace}/" if namespace else resource.prefix


async def select(store: Store, resource: Resource, request: Request, options: ListOptions) -> tuple[list[Entry], ListMeta]:
    """The entries that a request is about, and what their list says of itself. Raises a `Refusal`."""
    prefix = prefix_of(resource, request, options)
    selection = Selection(resource, options)
    state = await _State.of(store, prefix, options)
    limit = _limit(options)
    entries: list[Entry] = []
    page = await state.page(limit)
    while True:
        chosen = await selection.chosen(page.entries) if selection else page.entries
        if limit and len(entries) + len(chosen) > limit:
            chosen = chosen[: limit - len(entries)]
            entries += chosen
            return entries, _meta(state, prefix, chosen[-1].key)
        entries += chosen
        if not page.more:
            return entries, ListMeta(state.revision)
        last = page.entries[-1].key
        if limit and len(entries) == limit:
            return entries, _meta(state, prefix, last, None if selection else page.remaining)
        page = await state.page(max(limit, _STEP), last)


def _meta(state: _State, prefix: str, last: str, remaining: int | None = None) -> ListMeta:
    return ListMeta(state.revision, paging.encode(last, prefix, state.revision), remaining)


class _State:
    """One state of the keys under a prefix: the latest, or an earlier one, from some key on."""

    def __init__(self, store: Store, prefix: str, revision: Revision, after: str = "", *, paged: bool = False) -> None:
        self._store, self._prefix, self.after = store, prefix, after
        self.revision = revision
        self._paged = paged

    @classmethod
    async def of(cls, store: Store, prefix: str, options: ListOptions) -> _State:
        """The state that the options ask for. Raises a `Refusal`."""
        cache, version = store.cache, options.resource_version
        if options.continue_token:
            return cls._continued(store, prefix, options)
        if not version:
            return cls(store, prefix, cache.revision)
        try:
            revision = versions.parse(version, store.kube)
        except BadVersion as error:
            raise bad_request(f"invalid resource version: {error}") from error
        exact = options.match == EXACT or (not options.match and options.limit > 0 and revision > 0)
        if not exact or store.kube >= EXACT_WAITS:
            await versions.reach(cache, revision)
        return cls(store, prefix, revision if exact else cache.revision)

    @classmethod
    def _continued(cls, store: Store, prefix: str, options: ListOptions) -> _State:
        position = paging.decode(options.continue_token, prefix)
        if options.resource_version not in ("", "0"):
            raise bad_request("specifying resource version is not allowed when using continue")
        if position.revision < 0:
            return cls(store, prefix, store.cache.revision, position.after)
        return cls(store, prefix, Revision(position.revision), position.after, paged=True)

    @property
    def is_current(self) -> bool:
        """Whether this is what stands in the cache now."""
        return self._store.cache.revision == self.revision

    async def page(self, limit: int, after: str = "") -> Page:
        after = after or self.after
        cache = self._store.cache
        if self.is_current:
            return cache.list(self._prefix, after=after, limit=limit)
        try:
            return await cache.list_at(self._prefix, at=self.revision, after=after, limit=limit)
        except Compacted as error:
            raise self._expired(after) from error
        except FutureRevision as error:
            raise unknown("etcdserver: mvcc: required revision is a future revision") from error

    def _expired(self, after: str) -> Refusal:
        if not self._paged:
            return versions.expired(_LIST_EXPIRED)
        refusal = versions.expired(_PAGE_EXPIRED)
        refusal.status["metadata"] = {"continue": paging.encode(after, self._prefix, paging.CURRENT)}
        return refusal
