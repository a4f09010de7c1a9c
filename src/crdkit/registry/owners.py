"""Who owns the fields of the objects that an endpoint writes: ``metadata.managedFields``, which the `ownership` room keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crdkit.meta import time
from crdkit.meta.changes import Changed, Changes
from crdkit.meta.types import JsonObject
from crdkit.ownership.agents import manager_name
from crdkit.ownership.manager import FieldManager
from crdkit.ownership.outcomes import OwnersText
from crdkit.ownership.ownertexts import Applied
from crdkit.registry.options import WriteOptions
from crdkit.registry.request import Request

if TYPE_CHECKING:
    from crdkit.registry.endpoint import Endpoint, Undecodable
    from crdkit.schema.survey import Outline

SERVER: Final = "kube-apiserver"
"""The owner of what the server writes of its own accord."""
CONTROLLERS: Final = "kube-controller-manager"
"""The owner of what controllers write beside it."""


def owner_of(request: Request, options: WriteOptions) -> str:
    """What the owner of the changes of a request is called."""
    return manager_name(options.field_manager, request.user_agent)


class Owners:
    """Follows what is written through one endpoint. All objects are in the endpoint's version, and whole unless they are called views."""

    def __init__(self, endpoint: Endpoint, manager: FieldManager) -> None:
        self._endpoint = endpoint
        self._manager = manager

    def make_ready(self) -> None:
        """Make what a first object needs."""
        self._manager.make_ready()

    def create(self, obj: JsonObject, owner: str, outline: Outline | None = None) -> None:
        """Tell, in place, the owner of a new object, decoded and with its defaults; ``outline`` as `FieldManager.create` takes it."""
        view = self._endpoint.view(obj)
        self._manager.create(view, owner, time.now(), outline)
        _carry(view, obj)

    def text_of_new(self, obj: JsonObject, owner: str, outline: Outline, now: str) -> bytes | None:
        """What `create` tells of a whole object in whose metadata only labels and annotations have owners; None where there are none."""
        return self._manager.creations.text(obj, outline, owner, now)

    async def update(self, new: JsonObject, old: JsonObject, owner: str, *, sound: bool = False) -> None:
        """Tell, in place, the owners of an object as a request makes it, before anything is put back that requests cannot change.

        ``sound`` tells that the old object is of its type throughout.
        """
        view = self._endpoint.view(new)
        if (given := new["metadata"].get("managedFields")) is not None:
            view["metadata"]["managedFields"] = given  # what is empty says something here, and not all views show it
        await self._manager.update(self.seen(old), view, owner, time.now(), sound=sound)
        _carry(view, new)

    def follow(self, new: JsonObject, old: JsonObject, changes: Changes, owner: str) -> bool:
        """What `update` does for a whole object, where the old one is of its type throughout and it is known what differs.

        False where that does not say enough; nothing was done then.
        """
        return self._manager.follow(old, new, changes, owner, time.now())

    def in_text(self, text: bytes) -> OwnersText | None:
        """The owners of a stored object, as the following take them; None where those are of no help."""
        return self._manager.texts.taken_apart(text)

    def follow_text(self, owners: OwnersText, new: JsonObject, old: JsonObject, changes: Changes, owner: str) -> bytes | None:
        """What `follow` does, where both objects lack their owners: these as they are to be written. None where it takes more to tell."""
        return self._manager.texts.follow(owners, old, new, changes, owner, now=time.now())

    def apply_text(self, owners: OwnersText, old: JsonObject, config: JsonObject, owner: str, *, force: bool) -> Applied | None:
        """What `apply` does, where the old object is sound and lacks its owners. None where it takes more to tell."""
        return self._manager.texts.apply(owners, old, config, owner, force=force, now=time.now())

    async def changed(self, new: JsonObject, old: JsonObject, owner: str) -> JsonObject:
        """A change that is no request's, with its owners; neither object is changed."""
        new = {**new, "metadata": dict(new["metadata"])}
        await self.update(new, old, owner)
        return new

    async def apply(self, old: JsonObject | None, config: JsonObject, owner: str, *, force: bool, sound: bool = False) -> Changed:
        """Merge a configuration into what is there, if anything is. Gives a view that is yet to be completed. Raises a `Refusal`.

        ``sound`` tells that the view of what is there is sound; it may be told what differs from it then.
        """
        live = None if old is None else self.seen(old)
        return await self._manager.apply(live, config, owner, force=force, now=time.now(), sound=sound)

    def unconverted(self, config: JsonObject, why: Undecodable) -> str:
        """The text where a configuration is of the type, and yet no object of the kind can be made of it."""
        shown = self._manager.shown(config)
        kind = shown.partition("; ")[2]
        told = f"unable to convert unstructured object to {kind}: {why.in_converter}"
        return f"failed to convert new object ({shown}) to proper version: {told}"

    def seen(self, old: JsonObject) -> JsonObject:
        """The view of a stored object, with the owners of what is in it."""
        return self._endpoint.starting(old)


class OwnersOfParts(Owners):
    """Follows what is written through an endpoint whose changes are of views that are objects of their own."""

    async def update(self, new: JsonObject, old: JsonObject, owner: str, *, sound: bool = False) -> None:
        del sound
        await self._manager.update(self.seen(old), new, owner, time.now())


def _carry(view: JsonObject, new: JsonObject) -> None:
    """Have an object tell of the owners that a view of it has, in place."""
    if view is not new:
        set_owners(new, view["metadata"].get("managedFields"))


def set_owners(obj: JsonObject, owners: list[JsonObject] | None) -> None:
    """Have an object tell, in place, of these owners; where there are none, of nothing."""
    if owners:
        obj["metadata"]["managedFields"] = owners
    else:
        obj["metadata"].pop("managedFields", None)
