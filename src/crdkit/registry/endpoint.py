"""What a path of a resource shows and lets be changed: the whole object, or one of its subresources."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from crdkit.admission.attributes import Kind, Place, Target, Variant
from crdkit.meta.changes import Changes
from crdkit.meta.errors import FieldError
from crdkit.meta.godecoding import DecodeError, converter_words
from crdkit.meta.status import GroupResource
from crdkit.meta.types import JsonObject
from crdkit.ownership.manager import FieldManager
from crdkit.ownership.types import Type
from crdkit.registry.options import COMPLETING, WriteOptions
from crdkit.registry.owners import Owners
from crdkit.registry.request import Request
from crdkit.registry.tables import Table
from crdkit.storage.types import Entry

if TYPE_CHECKING:
    from crdkit.registry.resource import Resource
    from crdkit.schema.survey import Survey


class Undecodable(Exception):
    """A patched object cannot be read as one of its kind; ``str()`` tells why."""

    @property
    def in_converter(self) -> str:
        """Why, where the object was not read as JSON but converted from a map."""
        return converter_words(self.__cause__) if isinstance(self.__cause__, DecodeError) else str(self)


class Endpoint(ABC):
    """What a path of a resource reads and changes: the object itself, or one of its subresources.

    An endpoint shows a *view* of the stored object. An update makes a new view, `merged` back into the whole; ``prepare`` then
    undoes what the endpoint must not change, and ``check`` tells what is wrong.
    """

    subresource: str = ""
    settles: bool = False
    """Whether `settle` may say yes."""
    rules_see_owners: bool = False
    """Whether rules may look at the owners of an object that settles."""
    is_part: bool = False
    """Whether a view is an object of its own, which changes are made of before they are merged into the whole."""
    is_struct: bool = False
    """Whether what is told of a view keeps the order of its fields."""
    kind: str
    api_version: str
    table: Table

    def __init__(self, resource: Resource) -> None:
        self.resource = resource

    def go_type(self) -> str:
        """The Go type of its objects in the real server's memory; empty if they have none of their own."""
        package = self.resource.go_package
        return f"{package}.{self.resource.kind}" if package else ""

    @abstractmethod
    def decode(self, request: Request, options: WriteOptions) -> JsonObject:
        """Read a body as this endpoint's view. Raises a `Refusal` (400) for one that is none; adds warnings to the request."""

    def take_in(self, request: Request, options: WriteOptions) -> tuple[JsonObject, Survey | None]:
        """The same for what is to be created, with what was found out about it on the way."""
        return self.decode(request, options), None

    @abstractmethod
    def redecode(self, patched: JsonObject, options: WriteOptions, *, converted: bool = False) -> list[str]:
        """Bring a patched view into the form of a decoded one, in place; the texts of strict decoding are given back.

        ``converted`` tells that a real server does not read it as JSON but converts it from a map, which has texts of its own.
        Raises `Undecodable` where it can be none.
        """

    def redecode_beside(self, patched: JsonObject, changes: Changes) -> bool:
        """The same for a view that was made of a sound one, where it differs. False where that takes a look at all of it."""
        del patched, changes
        return False

    def view(self, obj: JsonObject) -> JsonObject:
        """What of an object is seen here; it may share parts with the object."""
        return obj

    def starting(self, old: JsonObject) -> JsonObject:
        """The view that changes of a stored object begin with, with the owners of what is in it."""
        return self.view(old)

    def merged(self, view: JsonObject, old: JsonObject) -> JsonObject:
        """The object with a changed view of it; ``old`` stays as it is. Raises a `Refusal` where the view cannot be taken."""
        del old
        return view

    # What admission has to know

    target: Target | None = None
    """What stands for the endpoint there, once somebody has a say in its objects."""

    def variant(self) -> Variant:
        """The version served here."""
        resource = self.resource
        group, _, version = self.api_version.rpartition("/")
        return Variant(Place(resource.group, resource.version, resource.plural), Kind(group, version, self.kind))

    def variants(self) -> Sequence[Variant]:
        """All versions that the same is served in."""
        return (self.variant(),)

    def completed(self, patched: JsonObject) -> JsonObject:
        """A view that admission has changed, with its defaults; it may change in place. Raises `Undecodable`."""
        self.redecode(patched, COMPLETING)
        return patched

    def told(self, obj: JsonObject) -> JsonObject:
        """What admission is told of a new object, or of the view that stands for it, before anybody has changed it there."""
        return self.view(obj)

    def restored(self, view: JsonObject) -> JsonObject:
        """A view that is an object of its own, as one of its kind again after changes by admission. Raises `ConversionFailed`."""
        return view

    def taken(self, view: JsonObject) -> JsonObject:
        """What admission has told, as the registry has it: the object, not stored yet, or the view where that is an object of its own."""
        return view

    def prune(self, obj: JsonObject) -> None:  # noqa: B027 (most kinds drop at once what they do not know)
        """Drop, in place, what admission has set but the object cannot have."""

    def type_in(self, api_version: str) -> Type | None:
        """How views in a version are merged."""
        del api_version
        return None

    # Ownership

    def fill(self, view: JsonObject) -> None:
        """Bring a view that applying has made into the form of a decoded one, in place. Raises `Undecodable`."""
        self.redecode(view, COMPLETING)

    def as_applied(self, view: JsonObject) -> JsonObject:
        """What of a view that applying has made may be stored otherwise than `fill` makes it, with its defaults; it does not change."""
        del view
        return {}

    def fill_beside(self, view: JsonObject, changes: Changes) -> bool:
        """The same for a view that was made of a sound one, where it differs. False where that takes a look at all of it."""
        del view, changes
        return False

    @cached_property
    def owners(self) -> Owners:
        """Who keeps track of the owners of what is written here."""
        return Owners(self, self.field_manager())

    def forget_owners(self) -> None:
        """Let go of who that is; who needs it makes it anew."""
        self.__dict__.pop("owners", None)

    @abstractmethod
    def field_manager(self) -> FieldManager:
        """A new manager of the fields of views."""

    @abstractmethod
    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        """Put back, in place, what cannot be changed here; raise the generation where the change asks for it."""

    def prepare_beside(self, new: JsonObject, old: JsonObject, changes: Changes) -> Changes:
        """The same where it is known what differs; gives what differs then, but for the generation and what goes with it."""
        self.prepare(new, old)
        return changes

    @abstractmethod
    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        """What is wrong with the prepared object as a change of the old one."""

    def check_references(self, request: Request, new: JsonObject, old: JsonObject | None) -> list[FieldError]:
        """What an object that is in order refers to and who asks may not read. Most kinds show nobody what they refer to."""
        del request, new, old
        return []

    def is_sound(self, new: JsonObject, old: JsonObject, changes: Changes | None) -> bool:
        """Whether `check` surely finds nothing wrong with a change, nor would with the new object on its own.

        ``changes`` tell what differs from the old object, if that is sound in the same way. A no may be wrong.
        """
        del new, old, changes
        return False

    def settle(self, new: JsonObject, old: JsonObject, changes: Changes, *, applied: bool) -> bool:
        """Whether an object, made of a sound one by a patch or by applying, is so too once it is completed, in place, where it differs.

        Both lack their owners. A no may be wrong; the new object is of no use any more then.
        """
        del new, old, changes, applied
        return False

    def told_as(self, obj: JsonObject) -> GroupResource:
        """The kind that refusals tell of an object which is not in order."""
        return GroupResource((obj.get("apiVersion") or "").rpartition("/")[0], obj.get("kind") or "")

    def warnings(self, new: JsonObject, old: JsonObject | None) -> list[str]:
        """What to tell the client about an object that is in order."""
        del new, old
        return []

    def is_clean(self, made: JsonObject) -> bool:
        """Whether what was applied has no fields that are dropped when it is read again: owners may know of fields that a schema does not."""
        del made
        return True

    def is_plain(self, made: JsonObject) -> bool:
        """Whether what a request made needs no more pruning or filling in when it is read again, once it is prepared and stored."""
        del made
        return True

    async def read(self, entry: Entry, revision: int | None = None) -> JsonObject:
        """The view of an entry as an object, the caller's to change."""
        return self.view(await self.resource.read(entry, revision))

    async def render(self, entry: Entry) -> bytes:
        """The view of an entry as it is answered."""
        return await self.resource.render_at(entry, entry.revision)

    async def render_unstored(self, value: bytes, revision: int) -> bytes:
        """The view of what would be stored but is not (a dry run); nothing is remembered."""
        return await self.resource.render_unstored(value, revision)
