"""The OpenAPI v2 document in the protobuf form of the library gnostic, which client-go reads. The numbers are those of its ``OpenAPIv2.proto``."""

from __future__ import annotations

from typing import Final

from crdkit.meta.protobuf import Encoder, Field, Message, boolean, double, entries, integer, json_text, named, text, wrapped
from crdkit.meta.types import Json, JsonObject

_ANY: Final = json_text(2)
_NAMED_ANY: Final = named(_ANY)


def _extensions(number: int) -> Field:
    return Field(number, _NAMED_ANY)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _of_type(value: Json) -> bytes:
    return text(1, repeated=True).write(_listed(value))


_SCHEMA: Final = Message(_extensions(31))


def _items(value: Json) -> bytes:
    return Field(1, _SCHEMA, repeated=True).write(_listed(value))


def _additional_properties(value: Json) -> bytes:
    return boolean(2).write(value) if isinstance(value, bool) else Field(1, _SCHEMA).write(value)


def _external_docs() -> Message:
    found = Message()
    found.fields = {"description": text(1), "url": text(2)}
    return found


_SCHEMA.fields = {
    "$ref": text(1),
    "format": text(2),
    "title": text(3),
    "description": text(4),
    "default": Field(5, _ANY),
    "multipleOf": double(6),
    "maximum": double(7),
    "exclusiveMaximum": boolean(8),
    "minimum": double(9),
    "exclusiveMinimum": boolean(10),
    "maxLength": integer(11),
    "minLength": integer(12),
    "pattern": text(13),
    "maxItems": integer(14),
    "minItems": integer(15),
    "uniqueItems": boolean(16),
    "maxProperties": integer(17),
    "minProperties": integer(18),
    "required": text(19, repeated=True),
    "enum": Field(20, _ANY, repeated=True),
    "additionalProperties": Field(21, _additional_properties),
    "type": Field(22, _of_type),
    "items": Field(23, _items),
    "allOf": Field(24, _SCHEMA, repeated=True),
    "properties": Field(25, entries(1, _SCHEMA)),
    "externalDocs": Field(29, _external_docs()),
    "example": Field(30, _ANY),
}


def _body_parameter() -> Message:
    found = Message()
    found.fields = {"description": text(1), "name": text(2), "in": text(3), "required": boolean(4), "schema": Field(5, _SCHEMA)}
    return found


def _simple_parameter(*, unique_items: int, type_number: int) -> Message:
    found = Message()
    found.fields = {
        "required": boolean(1),
        "in": text(2),
        "description": text(3),
        "name": text(4),
        "type": text(type_number),
        "uniqueItems": boolean(unique_items),
    }
    return found


_BODY: Final = _body_parameter()
_QUERY: Final = _simple_parameter(type_number=6, unique_items=20)
_PATH: Final = _simple_parameter(type_number=5, unique_items=19)


def _parameter(value: JsonObject) -> bytes:
    """A ParametersItem: a Parameter, or a reference to one."""
    if "$ref" in value:
        return Field(2, wrapped(1, _utf8)).write(value["$ref"])
    return wrapped(1, _body_or_other)(value)


def _utf8(value: str) -> bytes:
    return value.encode()


def _body_or_other(value: JsonObject) -> bytes:
    """A Parameter: a body, or one in another place."""
    match value["in"]:
        case "body":
            return Field(1, _BODY).write(value)
        case "path":
            return Field(2, wrapped(4, _PATH)).write(value)
        case _:
            return Field(2, wrapped(3, _QUERY)).write(value)


def _response() -> Message:
    found = Message()
    found.fields = {"description": text(1), "schema": Field(2, wrapped(1, _SCHEMA))}
    return found


def _operation() -> Message:
    found = Message(_extensions(13))
    found.fields = {
        "tags": text(1, repeated=True),
        "description": text(3),
        "operationId": text(5),
        "produces": text(6, repeated=True),
        "consumes": text(7, repeated=True),
        "parameters": Field(8, _parameter, repeated=True),
        "responses": Field(9, entries(1, wrapped(1, _response()))),
        "schemes": text(10, repeated=True),
    }
    return found


def _path_item() -> Message:
    operation = _operation()
    found = Message()
    found.fields = {
        "get": Field(2, operation),
        "put": Field(3, operation),
        "post": Field(4, operation),
        "delete": Field(5, operation),
        "patch": Field(8, operation),
        "parameters": Field(9, _parameter, repeated=True),
    }
    return found


def _security_definition() -> Encoder:
    key = Message()
    key.fields = {"type": text(1), "name": text(2), "in": text(3), "description": text(4)}
    return wrapped(2, key)


def _info() -> Message:
    found = Message()
    found.fields = {"title": text(1), "version": text(2)}
    return found


def _document() -> Message:
    found = Message()
    found.fields = {
        "swagger": text(1),
        "info": Field(2, _info()),
        "paths": Field(8, entries(2, _path_item())),
        "definitions": Field(9, entries(1, _SCHEMA)),
        "parameters": Field(10, entries(1, _body_or_other)),
        "security": Field(12, entries(1, lambda names: text(1, repeated=True).write(names)), repeated=True),
        "securityDefinitions": Field(13, entries(1, _security_definition())),
    }
    return found


_DOCUMENT: Final = _document()


def encode(document: JsonObject) -> bytes:
    """An OpenAPI v2 document in gnostic's form. Keywords that v2 does not know are left out."""
    return _DOCUMENT(document)
