"""All that a definition's version needs of its schema to read, complete and judge objects; each part is compiled on first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from crdkit.meta.errors import ErrorKind, FieldError
from crdkit.meta.paths import ROOT
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.defaulting import Default, compile_defaulting
from crdkit.schema.listtypes import check_list_types
from crdkit.schema.nulls import DropNulls, compile_null_dropping
from crdkit.schema.pruning import compile_pruning
from crdkit.schema.structural import Structural, build
from crdkit.schema.validation.values import check_value

_BLOCKING: Final = frozenset((ErrorKind.TYPE_INVALID, ErrorKind.REQUIRED, ErrorKind.NOT_SUPPORTED, ErrorKind.TOO_LONG, ErrorKind.TOO_MANY))
_NO_SCHEMA: Final = Structural()


class CompiledSchema:
    """One version's schema, compiled. Objects belong to the caller; `coerce`, `prune` and `default` change them in place."""

    def __init__(self, schema: JsonObject, *, kube: KubeVersion) -> None:
        self.schema: Final = schema
        self.kube: Final = kube

    @cached_property
    def structural(self) -> Structural:
        return build(self.schema)

    def coerce(self, obj: JsonObject, *, drop_invalid: bool = False) -> list[str]:
        return []

    @cached_property
    def _prune(self) -> Callable[[Json], list[str]]:
        return compile_pruning(self.structural, is_resource=True)

    def prune(self, obj: JsonObject) -> list[str]:
        """Drop the fields that the schema does not name; their paths, in no order."""
        return self._prune(obj)

    @cached_property
    def _drop_nulls(self) -> DropNulls | None:
        return compile_null_dropping(self.structural)

    @cached_property
    def _default(self) -> Default | None:
        return compile_defaulting(self.structural)

    def default(self, obj: JsonObject) -> None:
        """Drop nulls that are not allowed and have no default, then fill defaults in."""
        if (drop_nulls := self._drop_nulls) is not None:
            drop_nulls(obj)
        if (fill := self._default) is not None:
            fill(obj)

    def validate(self, obj: JsonObject, old: JsonObject | None = None) -> list[FieldError]:
        """What is wrong with an object's values. Against ``old``, what has not changed is not judged again."""
        errors = check_value(self.structural, obj, ROOT, self.kube)
        errors += check_list_types(self.structural, obj, ROOT)
        return errors

    def validate_status(self, obj: JsonObject, old: JsonObject | None = None) -> list[FieldError]:
        """What is wrong with an object written through ``/status``: only its status is judged, under names relative to it."""
        status = self.structural.properties.get("status", _NO_SCHEMA)
        errors: list[FieldError] = []
        if "status" in obj:
            errors += check_value(status, obj["status"], ROOT / "status", self.kube)
        errors += check_list_types(self.structural, obj, ROOT)
        return errors

    @staticmethod
    def blocks_rules(errors: list[FieldError]) -> bool:
        """Whether these errors keep rules from being run: an object whose types or sizes are wrong is nothing to run rules on."""
        return any(error.kind in _BLOCKING for error in errors)
