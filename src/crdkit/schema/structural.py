"""The structural schema: an OpenAPI v3 schema as a tree of typed nodes, the form that all other parts of this room read."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject


class Absent(enum.Enum):
    """Tells a value that is not there from null."""

    ABSENT = enum.auto()


ABSENT: Final = Absent.ABSENT


class NotStructural(Exception):
    """A schema uses a keyword that a structural schema has no place for. The text is what a client is told."""


@record
class ExternalDocs:
    """A pointer to documentation elsewhere."""

    description: str = ""
    url: str = ""


@record(frozen=False)
class Structural:
    """One node of a schema; its fields are named after the keywords.

    What is not set has the keyword's zero value: "" for texts, False for switches, None or an empty collection otherwise.
    A node never changes once it is built; it is not declared frozen only because that makes building thrice as slow.
    The branches of ``all_of``, ``any_of``, ``one_of`` and ``not_`` are nodes too: in a valid definition they hold value validations, properties and items only.
    """

    type: str = ""
    title: str = ""
    description: str = ""
    default: Json | Absent = ABSENT
    nullable: bool = False
    example: Json | Absent = ABSENT
    external_docs: ExternalDocs | None = None

    properties: Mapping[str, Structural] = field(default_factory=dict)
    additional_properties: Structural | bool | None = None
    items: Structural | None = None

    preserve_unknown_fields: bool = False
    embedded_resource: bool = False
    int_or_string: bool = False
    list_type: str | None = None
    list_map_keys: tuple[str, ...] = ()
    map_type: str | None = None
    validations: tuple[JsonObject, ...] = ()

    format: str = ""
    maximum: float | None = None
    exclusive_maximum: bool = False
    minimum: float | None = None
    exclusive_minimum: bool = False
    multiple_of: float | None = None
    max_length: int | None = None
    min_length: int | None = None
    pattern: str = ""
    max_items: int | None = None
    min_items: int | None = None
    unique_items: bool = False
    max_properties: int | None = None
    min_properties: int | None = None
    enum: tuple[Json, ...] = ()
    required: tuple[str, ...] = ()
    all_of: tuple[Structural, ...] = ()
    any_of: tuple[Structural, ...] = ()
    one_of: tuple[Structural, ...] = ()
    not_: Structural | None = None

    given_empty: frozenset[str] = frozenset()
    """Keywords given as an empty list or map, which is not the same as none where the real server compares nodes."""

    @property
    def has_default(self) -> bool:
        return self.default is not ABSENT

    @property
    def values(self) -> Structural | None:
        """The schema that a map's values have; None where additionalProperties is a boolean or not set."""
        return self.additional_properties if isinstance(self.additional_properties, Structural) else None


_PLAIN: Final = {
    "type": "type",
    "title": "title",
    "description": "description",
    "default": "default",
    "nullable": "nullable",
    "example": "example",
    "x-kubernetes-embedded-resource": "embedded_resource",
    "x-kubernetes-int-or-string": "int_or_string",
    "x-kubernetes-list-type": "list_type",
    "x-kubernetes-map-type": "map_type",
    "format": "format",
    "maximum": "maximum",
    "exclusiveMaximum": "exclusive_maximum",
    "minimum": "minimum",
    "exclusiveMinimum": "exclusive_minimum",
    "multipleOf": "multiple_of",
    "maxLength": "max_length",
    "minLength": "min_length",
    "pattern": "pattern",
    "maxItems": "max_items",
    "minItems": "min_items",
    "uniqueItems": "unique_items",
    "maxProperties": "max_properties",
    "minProperties": "min_properties",
}
_SEQUENCES: Final = {
    "x-kubernetes-list-map-keys": "list_map_keys",
    "x-kubernetes-validations": "validations",
    "enum": "enum",
    "required": "required",
}
_EMPTY_DIFFERS: Final = ("required", "x-kubernetes-list-map-keys", "x-kubernetes-validations", "properties")
_JUNCTORS: Final = {"allOf": "all_of", "anyOf": "any_of", "oneOf": "one_of"}

# An empty value of these counts as unset; the two of ANY_VALUE stand in the way even when empty or false.
_UNSUPPORTED: Final = {
    "id": "'id'",
    "$schema": "'schema'",
    "$ref": "'$ref'",
    "patternProperties": "'patternProperties'",
    "dependencies": "'dependencies'",
    "additionalItems": "'additionalItems'",
    "definitions": "'definitions'",
}
_ANY_VALUE: Final = "additionalItems"

Fields: TypeAlias = dict[str, Json]


def build(schema: JsonObject) -> Structural:
    """Build the tree of a decoded schema. Raises `NotStructural` where it has a keyword that no structural schema may have.

    The values of ``default``, ``enum``, ``example`` and the rules are shared with ``schema``, not copied.
    """
    _refuse_unsupported(schema)
    fields: Fields = {}
    for keyword, value in schema.items():
        if value is None:
            continue
        if name := _PLAIN.get(keyword):
            fields[name] = value
        elif name := _SEQUENCES.get(keyword):
            fields[name] = tuple(value)
        elif name := _JUNCTORS.get(keyword):
            fields[name] = _branches(value)
        elif read := _NESTED.get(keyword):
            read(fields, value)
        if keyword in _EMPTY_DIFFERS and not value:
            fields["given_empty"] = fields.get("given_empty", frozenset()) | {keyword}
    return Structural(**fields)


def _refuse_unsupported(schema: JsonObject) -> None:
    if _UNSUPPORTED.keys().isdisjoint(schema):
        return
    for keyword, told in _UNSUPPORTED.items():
        if schema.get(keyword) or (keyword == _ANY_VALUE and schema.get(keyword) is not None):
            msg = f"OpenAPIV3Schema {told} is not supported"
            raise NotStructural(msg)


def _branches(schemas: Sequence[JsonObject]) -> tuple[Structural, ...]:
    return tuple(build(branch or {}) for branch in schemas)


def _properties(fields: Fields, value: Json) -> None:
    fields["properties"] = {name: build(child or {}) for name, child in value.items()}


def _items(fields: Fields, value: Json) -> None:
    if isinstance(value, list) and value:
        msg = "OpenAPIV3Schema 'items' must be a schema, but is an array"
        raise NotStructural(msg)
    if isinstance(value, dict):
        fields["items"] = build(value)


def _additional_properties(fields: Fields, value: Json) -> None:
    fields["additional_properties"] = value if isinstance(value, bool) else build(value)


def _not(fields: Fields, value: Json) -> None:
    fields["not_"] = build(value)


def _preserve(fields: Fields, value: Json) -> None:
    if not value:
        msg = "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
        raise NotStructural(msg)
    fields["preserve_unknown_fields"] = True


def _external_docs(fields: Fields, value: Json) -> None:
    fields["external_docs"] = ExternalDocs(value.get("description", ""), value.get("url", ""))


_NESTED: Final = {
    "properties": _properties,
    "items": _items,
    "additionalProperties": _additional_properties,
    "not": _not,
    "x-kubernetes-preserve-unknown-fields": _preserve,
    "externalDocs": _external_docs,
}
