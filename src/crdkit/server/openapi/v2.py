"""The OpenAPI v2 document: all paths and types in one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from crdkit.builtin.kinds import BuiltinKind
from crdkit.builtin.schemas.notation import PREFIX
from crdkit.builtin.schemas.tables import types
from crdkit.definitions.definition import DefinitionVersion
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.server.openapi import schemas
from crdkit.server.openapi.documents import builtin_info, closure, names_in, served_builtin, served_by
from crdkit.server.openapi.parameters import Parameter
from crdkit.server.openapi.routes import ANSWERS, MEDIA_TYPES, UNAUTHORIZED, Body, Operation, Route, Served, routes
from crdkit.server.openapi.sharing import SharedParameters

V2_PREFIX: Final = "#/definitions/"

_TOKEN: Final = {"type": "apiKey", "description": "Bearer Token authentication", "name": "authorization", "in": "header"}


def document(kinds: Sequence[BuiltinKind], versions: Sequence[DefinitionVersion], kube: KubeVersion) -> JsonObject:
    """The document of everything that is served. Names of built-in types win over those of definitions."""
    resources = [*(served_builtin(kind) for kind in kinds), *(served_by(version) for version in versions)]
    found = [(served, route) for served in resources for route in routes(served, kube)]
    own = {name: schema for version in versions for name, schema in defined_types(version)}
    needed = {name for _, route in found for name in names_in(route)}.difference(own)
    common = {name: definition(types(kube)[name]) for name in closure(frozenset(needed), kube)}
    shared = SharedParameters()
    paths = {route.path: _path_item(route, served, shared) for served, route in sorted(found, key=lambda each: each[1].path)}
    return {
        "swagger": "2.0",
        "info": builtin_info(kube),
        "paths": paths,
        "definitions": dict(sorted({**own, **common}.items())),
        "parameters": shared.by_name(),
        "securityDefinitions": {"BearerToken": _TOKEN},
        "security": [{"BearerToken": []}],
    }


def defined_types(version: DefinitionVersion) -> Iterator[tuple[str, JsonObject]]:
    """The types of a definition's version: that of its objects and that of their lists."""
    served = served_by(version)
    yield served.type_name, definition(schemas.kind_v2(version))
    yield served.list_type_name, definition(schemas.list_type(version))


def definition(schema: JsonObject) -> JsonObject:
    """A type of v3 in v2's terms: references stand by themselves, defaults are not told."""
    found = {key: _part(key, value) for key, value in schema.items() if key not in ("default", "allOf")}
    for reference in schema.get("allOf", ()):
        found["$ref"] = _reference(reference["$ref"])
    return found


def _part(key: str, value: Json) -> Json:
    match key:
        case "$ref":
            return _reference(value)
        case "properties":
            return {name: definition(child) for name, child in value.items()}
        case "items" | "additionalProperties" if isinstance(value, dict):
            return definition(value)
        case _:
            return value


def _reference(text: str) -> str:
    return V2_PREFIX + text.removeprefix(PREFIX)


def _path_item(route: Route, served: Served, shared: SharedParameters) -> JsonObject:
    common = route.common_parameters()
    item: JsonObject = {operation.method: _operation(operation, served, common, shared) for operation in route.operations}
    item["parameters"] = [shared.use(each, _parameter) for each in common]
    return item


def _operation(operation: Operation, served: Served, common: Collection[Parameter], shared: SharedParameters) -> JsonObject:
    answer = {"$ref": V2_PREFIX + operation.answer}
    own = list(_parameters(operation, common, shared))
    return {
        "description": operation.description,
        "consumes": list(operation.body.media_types if operation.body else MEDIA_TYPES),
        "produces": list(MEDIA_TYPES),
        "schemes": ["https"],
        "tags": [served.tag],
        "operationId": operation.operation_id,
        **({"parameters": own} if own else {}),
        "responses": {
            **{str(code): {"description": ANSWERS[code], "schema": answer} for code in operation.codes},
            str(UNAUTHORIZED): {"description": "Unauthorized"},
        },
        "x-kubernetes-action": operation.action,
        "x-kubernetes-group-version-kind": served.group_version_kind,
    }


def _parameters(operation: Operation, common: Collection[Parameter], shared: SharedParameters) -> Iterator[JsonObject]:
    if operation.body is not None:
        yield shared.use(operation.body, _body)
    yield from (shared.use(each, _parameter) for each in operation.parameters if each not in common)


def _body(body: Body) -> JsonObject:
    found: JsonObject = {"name": "body", "in": "body"}
    if body.required:
        found["required"] = True
    found["schema"] = {"$ref": V2_PREFIX + body.type_name}
    return found


def _parameter(parameter: Parameter) -> JsonObject:
    """The order of keys counts: shared parameters are named after their text."""
    found: JsonObject = {"uniqueItems": True, "type": parameter.type, "description": parameter.description, "name": parameter.name}
    found["in"] = parameter.where
    if parameter.where == "path":
        found["required"] = True
    return found
