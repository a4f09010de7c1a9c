"""Patch: an object is changed as a patch says, or has a configuration applied to it, which may make it."""

from __future__ import annotations

from dataclasses import field

from crdkit.meta.changes import Changed
from crdkit.meta.copying import copied
from crdkit.meta.records import record
from crdkit.meta.status import Refusal, bad_request, conflict, unknown
from crdkit.meta.types import JsonObject
from crdkit.registry import fieldvalidation, metadata
from crdkit.registry.asapplied import AsApplied
from crdkit.registry.bodies import json_sort, patch_value
from crdkit.registry.comparison import changes_between, same_but_for_owners
from crdkit.registry.create import create_missing
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.options import IGNORE, STRICT, WriteOptions, write_options
from crdkit.registry.owners import owner_of
from crdkit.registry.patching import kind_of, patch_of
from crdkit.registry.patchtypes import APPLY_PATCH
from crdkit.registry.quickpatch import patch_quickly
from crdkit.registry.request import Reply, Request
from crdkit.registry.store import Store
from crdkit.registry.update import apply_change


async def patch(store: Store, endpoint: Endpoint, request: Request) -> Reply:
    """Change an object as the body says."""
    kind = kind_of(request, endpoint.resource)
    options = write_options(request, store.kube, apply=kind == APPLY_PATCH)
    metadata.check_path(request.name)
    if endpoint.settles and (reply := await patch_quickly(store, endpoint, request, kind, options)) is not None:
        return reply
    if kind == APPLY_PATCH:
        return await _Application(store, endpoint, request, options).run()
    apply_patch = patch_of(endpoint, request, kind, options)
    owner = owner_of(request, options)

    async def change(old: JsonObject, *, sound: bool) -> Changed:
        view, changes = apply_patch(endpoint.starting(old), sound=sound and not endpoint.is_part)
        view["metadata"] = dict(metadata.metadata_of(view))
        if changes is None or not metadata.is_settled(changes, view):
            _place(endpoint, request, view)
            changes = changes_between(view, old) if sound and not endpoint.is_part else None
        if changes is None or not endpoint.owners.follow(view, old, changes, owner):
            await endpoint.owners.update(view, old, owner, sound=sound)
        metadata.drop_repeated_owners(view["metadata"], request.warnings, admitted=True)  # they were told of as given
        return Changed(view, changes)

    return await apply_change(store, endpoint, request, options, change)


def _place(endpoint: Endpoint, request: Request, view: JsonObject) -> None:
    """A patched view is one of the object that the path names. Raises a `Refusal` (400)."""
    meta = view["metadata"]
    metadata.ensure_namespace(meta, request.namespace if endpoint.resource.namespaced else "")
    metadata.check_name(meta, request.name)


@record(frozen=False)
class _Application:
    """One configuration to be applied, tried on one stored state after the other. What is not there is made of it."""

    store: Store
    endpoint: Endpoint
    request: Request
    options: WriteOptions
    _duplicates: list[str] = field(default_factory=list)
    _as_applied: AsApplied = field(default_factory=AsApplied)

    async def run(self) -> Reply:
        """Create or change the object. One that comes or goes meanwhile is looked at again."""
        endpoint, request = self.endpoint, self.request
        key = endpoint.resource.key(request.namespace, request.name)
        told = len(request.warnings)
        while True:
            is_missing = self.store.cache.get(key) is None and not endpoint.subresource
            del request.warnings[told:]
            try:
                if not is_missing:
                    return await apply_change(self.store, endpoint, request, self.options, self._changed, applied=self._as_applied)
                made = (await self._made(None)).new
                return await create_missing(self.store, endpoint.resource, request, self.options, made, applied=self._as_applied)
            except Refusal as refusal:
                lost = refusal.status.get("reason") == ("AlreadyExists" if is_missing else "NotFound")
                if not lost or endpoint.subresource or is_missing is (self.store.cache.get(key) is None):
                    raise

    async def _changed(self, old: JsonObject, *, sound: bool) -> Changed:
        sound = sound and not self.endpoint.is_part
        new, changes = await self._made(old, sound=sound)
        if not sound:
            return Changed(new)
        return Changed(new, changes if changes is not None and metadata.is_settled(changes, new) else changes_between(new, old))

    async def _made(self, old: JsonObject | None, *, sound: bool = False) -> Changed:
        """The view that applying makes, with its defaults. Raises a `Refusal`."""
        endpoint, request = self.endpoint, self.request
        owner = owner_of(request, self.options)
        config = self._configuration()
        self._as_applied.forget()
        view, changes = await endpoint.owners.apply(old, config, owner, force=self.options.force is True, sound=sound)
        try:
            if changes is not None:
                if not endpoint.fill_beside(view, changes):
                    self._fill(view)
                    changes = None
            elif old is None:
                self._fill(view)
            elif not same_but_for_owners(view, endpoint.starting(old)):
                view = copied(view)  # it shares with the stored one, which lacks the defaults of a version it was not stored in
                self._fill(view)
        except Undecodable as error:
            raise unknown(endpoint.owners.unconverted(config, error)) from error
        self._tell_duplicates()
        uid = metadata.metadata_of(view).get("uid")
        if uid and old is None:
            why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
            raise conflict(endpoint.resource.about, request.name, why)
        _place(endpoint, request, view)
        metadata.drop_repeated_owners(view["metadata"], request.warnings, admitted=True)
        return Changed(view, changes)

    def _fill(self, view: JsonObject) -> None:
        applied = self.endpoint.as_applied(view)
        self.endpoint.fill(view)
        self._as_applied.note(applied, view)

    def _configuration(self) -> JsonObject:
        """The body, read anew: each caller may change his. Raises a `Refusal` (400)."""
        from crdkit.meta.yaml import YamlError  # noqa: PLC0415 (its library is not needed before somebody applies)

        try:
            value, self._duplicates = patch_value(self.request, strict=self.options.field_validation != IGNORE)
        except YamlError as error:
            raise bad_request(f"error decoding YAML: error converting YAML to JSON: {error}") from error
        if value is not None and type(value) is not dict:
            into = "Go value of type map[string]interface {}"
            why = f"json: cannot unmarshal {json_sort(value)} into {into}"
            raise bad_request(f"error decoding YAML: error unmarshaling JSON: while decoding JSON: {why}")
        return value or {}

    def _tell_duplicates(self) -> None:
        if not self._duplicates:
            return
        text = fieldvalidation.YAML_PREFIX + "\n".join(f"  {line}" for line in self._duplicates)
        if self.options.field_validation == STRICT:
            raise bad_request(f"error strict decoding YAML: {text}")
        self.request.warnings += fieldvalidation.warnings_of([text])
