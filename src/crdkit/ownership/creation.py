"""What the creator of an object owns: all that can be owned of it, worked out once for each shape."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import TYPE_CHECKING

from crdkit.meta.types import JsonObject
from crdkit.ownership import fieldsets
from crdkit.ownership.comparison import compare
from crdkit.ownership.conformity import require
from crdkit.ownership.fieldsets import FieldSet
from crdkit.ownership.oneversion import OneVersion
from crdkit.ownership.ownable import ownable
from crdkit.ownership.shapes import ByShape, Shape, compile_shape

if TYPE_CHECKING:
    from crdkit.schema.survey import Outline


class Creations:
    """New objects of a kind in one version; ``empty`` is what one has before anything is set."""

    def __init__(self, version: OneVersion, empty: JsonObject) -> None:
        self._version = version
        self._empty = empty
        self._known: ByShape[FieldSet] = ByShape()

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
            if (known := self._known.get(shape)) is not None:
                return known
        except (TypeError, AttributeError):
            shape = None  # a value of another type than it should be, which is found out below
        require(type_, obj, duplicates=True)
        fields = fieldsets.ordered(ownable(self._version.settable(compare(type_, self._empty, obj).written)))
        self._known.keep(shape, fields, fields)
        return fields
