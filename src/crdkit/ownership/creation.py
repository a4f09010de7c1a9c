"""What the creator of an object owns: all that can be owned of it, worked out once for each shape."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from crdkit.meta.types import Json, JsonObject
from crdkit.ownership import fieldsets, outcomes
from crdkit.ownership.comparison import compare
from crdkit.ownership.conformity import NotOfType, require
from crdkit.ownership.entries import UPDATE, Owned
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.items import Unnameable
from crdkit.ownership.oneversion import OneVersion
from crdkit.ownership.ownable import ownable
from crdkit.ownership.shapes import ByShape, Shape, compile_shape

if TYPE_CHECKING:
    from crdkit.schema.survey import Outline


def _leaves(obj: JsonObject, left_out: Collection[str] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """What is no object, with its path."""
    for name, value in obj.items():
        if isinstance(value, dict):
            yield from (((name, *path), leaf) for path, leaf in _leaves(value))
        elif name not in left_out:
            yield (name,), value


def _at(obj: Json, path: tuple[str, ...]) -> Json:
    """What stands at a path; None where nothing does."""
    for name in path:
        if not isinstance(obj, dict):
            return None
        obj = obj.get(name)
    return obj


class Creations:
    """New objects of a kind in one version; ``empty`` is what one has before anything is set."""

    def __init__(self, version: OneVersion, empty: JsonObject) -> None:
        self._version = version
        self._empty = empty
        self._unset: Final = tuple(_leaves(empty, {"apiVersion", "kind"}))
        """What an object of a struct has though nobody set it: who sets just that owns nothing."""
        self._known: ByShape[FieldSet] = ByShape()
        self._texts: ByShape[bytes] = ByShape()

    def make_ready(self) -> None:
        """Make what a first object needs."""
        _ = self._version.shape

    @cached_property
    def _shape_of_metadata(self) -> Shape:
        assert self._version.type.map is not None
        return compile_shape(self._version.type.map.fields["metadata"])

    def fields_of(self, obj: JsonObject, outline: Outline | None) -> FieldSet:
        """The fields that the creator of an object owns, with an outline as `FieldManager.create` takes it.

        Raises `NotOfType` and `Unnameable`.
        """
        type_ = self._version.type
        if outline is None and "status" in obj:  # it may be dropped, and nobody else finds out what is wrong with it
            require(type_, obj, duplicates=True)
        shape: Hashable = None
        try:
            shape = self._version.shape(obj) if outline is None else (outline, self._shape_of_metadata(obj["metadata"]))
            if self._unset:
                shape = (shape, *[_at(obj, path) == value for path, value in self._unset])
            if (known := self._known.get(shape)) is not None:
                return known
        except (TypeError, AttributeError):
            shape = None  # a value of another type than it should be, which is found out below
        require(type_, obj, duplicates=True)
        fields = fieldsets.ordered(ownable(self._version.settable(compare(type_, self._empty, obj).written)))
        self._known.keep(shape, fields, fields)
        return fields

    def text(self, obj: JsonObject, outline: Outline, manager: str, now: str) -> bytes | None:
        """The owners of a new object with an outline, as they are written; None where there are none.

        In its metadata only labels and annotations have owners.
        """
        metadata = obj["metadata"]
        shape = (manager, outline, None, *metadata.get("labels", ()), None, *metadata.get("annotations", ()))
        text = self._texts.get(shape)
        if text is None:
            text = self._work_out(obj, outline, manager, shape)
        return None if text is None else b'[%b"%b"}]' % (text, now.encode())

    def _work_out(self, obj: JsonObject, outline: Outline, manager: str, shape: Hashable) -> bytes | None:
        """The text up to the time, for the first object of a shape."""
        version = self._version
        try:
            fields = self.fields_of(obj, outline)
        except (NotOfType, Unnameable):
            return None
        if not fields:
            return None
        text = outcomes.text_before_time(version.identity(manager, UPDATE), Owned(fields, version.api_version))
        self._texts.keep(shape, fields, text)
        return text
