"""Schemas and rules as the structs that the real server holds them in, for the errors that tell a whole one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from crdkit.meta import golang
from crdkit.meta.golang import Rendered
from crdkit.meta.types import Json, JsonObject

ADDRESS: Final = "0xc000000000"
"""Go syntax tells where a pointer points to. Ours point nowhere, so all are told alike."""

Render = Callable[[Json], Rendered]
_PACKAGE: Final = "apiextensions."


class _Field(NamedTuple):
    """A field of a struct: its Go name, the keyword it is read from, how it is rendered if set, and if not."""

    name: str
    keyword: str
    render: Render
    unset: Rendered


def schema_struct(schema: JsonObject) -> Rendered:
    """A decoded schema as an ``apiextensions.JSONSchemaProps``."""
    return _struct("JSONSchemaProps", _SCHEMA, schema)


def set_fields(schema: JsonObject) -> Iterator[str]:
    """The Go names of the fields that differ from their zero values, in Go's order. An empty list does, an empty text does not."""
    for field in _SCHEMA:
        value = schema.get(field.keyword)
        if value is not None and (field.render is not _plain or field.render(value) != field.unset):
            yield field.name


def rule_struct(rule: JsonObject) -> Rendered:
    """A rule as an ``apiextensions.ValidationRule``."""
    return _struct("ValidationRule", _RULE, rule)


def items_struct(items: Json) -> Rendered:
    """The value of ``items`` as an ``apiextensions.JSONSchemaPropsOrArray``; what is neither object nor list is an empty one."""
    single = _pointer("JSONSchemaProps", schema_struct)
    several = _slice("[]apiextensions.JSONSchemaProps", schema_struct)
    return _pair(
        "JSONSchemaPropsOrArray",
        ("Schema", single(items) if isinstance(items, dict) else _nil("*apiextensions.JSONSchemaProps")),
        ("JSONSchemas", several(items) if isinstance(items, list) else _nil("[]apiextensions.JSONSchemaProps")),
    )


def _struct(name: str, fields: Sequence[_Field], value: JsonObject) -> Rendered:
    parts = []
    for field in fields:
        found = value.get(field.keyword)
        parts.append((field.name, field.unset if found is None else field.render(found)))
    return _pair(name, *parts)


def _pair(name: str, *parts: tuple[str, Rendered]) -> Rendered:
    as_json = ",".join(f'"{field}":{text.json}' for field, text in parts)
    as_go = ", ".join(f"{field}:{text.go}" for field, text in parts)
    return Rendered("{" + as_json + "}", f"{_PACKAGE}{name}{{{as_go}}}")


def _nil(go_type: str) -> Rendered:
    return Rendered("null", f"({go_type})(nil)" if go_type.startswith("*") else f"{go_type}(nil)")


def _plain(value: Json) -> Rendered:
    return Rendered(golang.to_json(value), golang.go_syntax(value))


def _free(value: Json) -> Rendered:
    return _nil("apiextensions.JSON") if value is None else _plain(value)


def _number(value: Json) -> Rendered:
    number = float(value)
    return Rendered(golang.json_float(number), f"(*float64)({ADDRESS})")


def _pointer(name: str, render: Render) -> Render:
    def pointer(value: Json) -> Rendered:
        go_type = name if name.islower() else _PACKAGE + name
        return Rendered(render(value).json, f"(*{go_type})({ADDRESS})")

    return pointer


def _slice(go_type: str, render: Render) -> Render:
    def slice_(values: Json) -> Rendered:
        items = [render(value) for value in values]
        return Rendered(
            "[" + ",".join(item.json for item in items) + "]",
            f"{go_type}{{{', '.join(item.go for item in items)}}}",
        )

    return slice_


def _map(go_type: str, render: Render) -> Render:
    def map_(values: Json) -> Rendered:
        items = [(name, render(values[name])) for name in sorted(values)]
        return Rendered(
            "{" + ",".join(f"{golang.json_string(name)}:{item.json}" for name, item in items) + "}",
            f"{go_type}{{{', '.join(f'{golang.quote(name)}:{item.go}' for name, item in items)}}}",
        )

    return map_


def _schema_or_bool(value: Json) -> Rendered:
    schema = _pointer("JSONSchemaProps", schema_struct)(value) if isinstance(value, dict) else _nil("*apiextensions.JSONSchemaProps")
    return _pair("JSONSchemaPropsOrBool", ("Allows", _plain(value is not False)), ("Schema", schema))


def _schema_or_strings(value: Json) -> Rendered:
    is_schema = isinstance(value, dict)
    schema = _pointer("JSONSchemaProps", schema_struct)(value) if is_schema else _nil("*apiextensions.JSONSchemaProps")
    names = _nil("[]string") if is_schema else _slice("[]string", _plain)(value)
    return _pair("JSONSchemaPropsOrStringArray", ("Schema", schema), ("Property", names))


def _external_docs(value: Json) -> Rendered:
    parts = (("Description", _plain(value.get("description", ""))), ("URL", _plain(value.get("url", ""))))
    return _pair("ExternalDocumentation", *parts)


def _text(name: str, keyword: str) -> _Field:
    return _Field(name, keyword, _plain, _plain(""))


def _switch(name: str, keyword: str) -> _Field:
    return _Field(name, keyword, _plain, _plain(False))


def _optional(name: str, keyword: str, go_type: str, render: Render = _plain) -> _Field:
    nil_type = go_type if go_type.islower() else _PACKAGE + go_type
    return _Field(name, keyword, _pointer(go_type, render), _nil("*" + nil_type))


def _several(name: str, keyword: str, go_type: str, render: Render) -> _Field:
    return _Field(name, keyword, _slice(go_type, render), _nil(go_type))


def _named(name: str, keyword: str, go_type: str, render: Render = schema_struct) -> _Field:
    return _Field(name, keyword, _map(go_type, render), _nil(go_type))


_RULE: Final = (
    _text("Rule", "rule"),
    _text("Message", "message"),
    _text("MessageExpression", "messageExpression"),
    _optional("Reason", "reason", "FieldValueErrorReason"),
    _text("FieldPath", "fieldPath"),
    _optional("OptionalOldSelf", "optionalOldSelf", "bool"),
)
_SCHEMAS: Final = "[]apiextensions.JSONSchemaProps"
_SCHEMA_MAP: Final = "map[string]apiextensions.JSONSchemaProps"
_SCHEMA: Final = (
    _text("ID", "id"),
    _text("Schema", "$schema"),
    _optional("Ref", "$ref", "string"),
    _text("Description", "description"),
    _text("Type", "type"),
    _switch("Nullable", "nullable"),
    _text("Format", "format"),
    _text("Title", "title"),
    _optional("Default", "default", "JSON"),
    _optional("Maximum", "maximum", "float64", _number),
    _switch("ExclusiveMaximum", "exclusiveMaximum"),
    _optional("Minimum", "minimum", "float64", _number),
    _switch("ExclusiveMinimum", "exclusiveMinimum"),
    _optional("MaxLength", "maxLength", "int64"),
    _optional("MinLength", "minLength", "int64"),
    _text("Pattern", "pattern"),
    _optional("MaxItems", "maxItems", "int64"),
    _optional("MinItems", "minItems", "int64"),
    _switch("UniqueItems", "uniqueItems"),
    _optional("MultipleOf", "multipleOf", "float64", _number),
    _several("Enum", "enum", "[]apiextensions.JSON", _free),
    _optional("MaxProperties", "maxProperties", "int64"),
    _optional("MinProperties", "minProperties", "int64"),
    _several("Required", "required", "[]string", _plain),
    _optional("Items", "items", "JSONSchemaPropsOrArray", items_struct),
    _several("AllOf", "allOf", _SCHEMAS, schema_struct),
    _several("OneOf", "oneOf", _SCHEMAS, schema_struct),
    _several("AnyOf", "anyOf", _SCHEMAS, schema_struct),
    _optional("Not", "not", "JSONSchemaProps", schema_struct),
    _named("Properties", "properties", _SCHEMA_MAP),
    _optional("AdditionalProperties", "additionalProperties", "JSONSchemaPropsOrBool", _schema_or_bool),
    _named("PatternProperties", "patternProperties", _SCHEMA_MAP),
    _named("Dependencies", "dependencies", "apiextensions.JSONSchemaDependencies", _schema_or_strings),
    _optional("AdditionalItems", "additionalItems", "JSONSchemaPropsOrBool", _schema_or_bool),
    _named("Definitions", "definitions", "apiextensions.JSONSchemaDefinitions"),
    _optional("ExternalDocs", "externalDocs", "ExternalDocumentation", _external_docs),
    _optional("Example", "example", "JSON"),
    _optional("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "bool"),
    _switch("XEmbeddedResource", "x-kubernetes-embedded-resource"),
    _switch("XIntOrString", "x-kubernetes-int-or-string"),
    _several("XListMapKeys", "x-kubernetes-list-map-keys", "[]string", _plain),
    _optional("XListType", "x-kubernetes-list-type", "string"),
    _optional("XMapType", "x-kubernetes-map-type", "string"),
    _several("XValidations", "x-kubernetes-validations", "apiextensions.ValidationRules", rule_struct),
)
"""All fields of a JSONSchemaProps, in Go's order."""
