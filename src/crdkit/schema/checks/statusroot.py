"""What the root may have beside properties where the status subresource is on, which reads ``properties.status`` alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta.errors import FieldError, invalid
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.schema.gotypes import schema_struct, set_fields

ALLOWED: Final = (
    "Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum", "MaxLength", "MinLength",
    "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties", "ExternalDocs", "Example",
    "XPreserveUnknownFields", "XValidations",
)  # fmt: skip
"""The Go names, in the order they are told."""


def check_status_root(schema: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """Tell the first field, in Go's order, that the root may not have; a type other than object counts as one."""
    for name in set_fields(schema):
        if name == "Type" and schema["type"] != "object":
            detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
            yield invalid(at / "type", schema["type"], detail)
            return
        if name not in ALLOWED:
            told = " ".join(ALLOWED)
            detail = f"only [{told}] fields are allowed at the root of the schema if the status subresource is enabled"
            yield invalid(at, schema_struct(schema), detail)
            return
