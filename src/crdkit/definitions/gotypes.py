"""Versions as the structs in which the real server holds them, for the errors that tell all of them."""

from __future__ import annotations

from crdkit.meta import golang
from crdkit.meta.golang import Rendered
from crdkit.meta.types import Json, JsonObject
from crdkit.schema.gotypes import ADDRESS, schema_struct

_PACKAGE = "apiextensions."
_VERSION = "CustomResourceDefinitionVersion"
_COLUMN = (("Name", "name"), ("Type", "type"), ("Format", "format"), ("Description", "description"))


def versions_struct(versions: list[JsonObject] | None) -> Rendered:
    """The versions of a spec as ``[]apiextensions.CustomResourceDefinitionVersion``."""
    return _list(_VERSION, None if versions is None else [_version(version) for version in versions])


def _version(version: JsonObject) -> Rendered:
    columns = version.get("additionalPrinterColumns")
    fields = version.get("selectableFields")
    return _struct(
        _VERSION,
        ("Name", _plain(version["name"])),
        ("Served", _plain(version["served"])),
        ("Storage", _plain(version["storage"])),
        ("Deprecated", _plain(version.get("deprecated", False))),
        ("DeprecationWarning", _text_pointer(version.get("deprecationWarning"))),
        ("Schema", _pointer("CustomResourceValidation", _validation(version.get("schema")))),
        ("Subresources", _pointer("CustomResourceSubresources", _subresources(version.get("subresources")))),
        ("AdditionalPrinterColumns", _list("CustomResourceColumnDefinition", None if columns is None else [_column(c) for c in columns])),
        ("SelectableFields", _list("SelectableField", None if fields is None else [_selectable(f) for f in fields])),
    )


def _validation(schema: JsonObject | None) -> Rendered | None:
    if schema is None:
        return None
    root = schema.get("openAPIV3Schema")
    inner = _pointer("JSONSchemaProps", None if root is None else schema_struct(root))
    return _struct("CustomResourceValidation", ("OpenAPIV3Schema", inner))


def _subresources(subresources: JsonObject | None) -> Rendered | None:
    if subresources is None:
        return None
    status = _struct("CustomResourceSubresourceStatus") if subresources.get("status") is not None else None
    scale = subresources.get("scale")
    return _struct(
        "CustomResourceSubresources",
        ("Status", _pointer("CustomResourceSubresourceStatus", status)),
        ("Scale", _pointer("CustomResourceSubresourceScale", None if scale is None else _scale(scale))),
    )


def _scale(scale: JsonObject) -> Rendered:
    return _struct(
        "CustomResourceSubresourceScale",
        ("SpecReplicasPath", _plain(scale["specReplicasPath"])),
        ("StatusReplicasPath", _plain(scale["statusReplicasPath"])),
        ("LabelSelectorPath", _text_pointer(scale.get("labelSelectorPath"))),
    )


def _column(column: JsonObject) -> Rendered:
    texts = [(name, _plain(column.get(field, ""))) for name, field in _COLUMN]
    return _struct(
        "CustomResourceColumnDefinition",
        *texts,
        ("Priority", _plain(column.get("priority", 0))),
        ("JSONPath", _plain(column.get("jsonPath", ""))),
    )


def _selectable(field: JsonObject) -> Rendered:
    return _struct("SelectableField", ("JSONPath", _plain(field["jsonPath"])))


def _plain(value: Json) -> Rendered:
    return Rendered(golang.to_json(value), golang.go_syntax(value))


def _text_pointer(value: str | None) -> Rendered:
    return Rendered("null", "(*string)(nil)") if value is None else Rendered(golang.to_json(value), f"(*string)({ADDRESS})")


def _pointer(name: str, value: Rendered | None) -> Rendered:
    if value is None:
        return Rendered("null", f"(*{_PACKAGE}{name})(nil)")
    return Rendered(value.json, f"(*{_PACKAGE}{name})({ADDRESS})")


def _list(name: str, values: list[Rendered] | None) -> Rendered:
    if values is None:
        return Rendered("null", f"[]{_PACKAGE}{name}(nil)")
    as_json, as_go = ",".join(value.json for value in values), ", ".join(value.go for value in values)
    return Rendered(f"[{as_json}]", f"[]{_PACKAGE}{name}{{{as_go}}}")


def _struct(name: str, *fields: tuple[str, Rendered]) -> Rendered:
    as_json = ",".join(f'"{field}":{value.json}' for field, value in fields)
    as_go = ", ".join(f"{field}:{value.go}" for field, value in fields)
    return Rendered("{" + as_json + "}", f"{_PACKAGE}{name}{{{as_go}}}")
