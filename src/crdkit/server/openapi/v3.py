"""Path items of OpenAPI v3."""

from __future__ import annotations

from collections.abc import Collection

from crdkit.builtin.schemas.notation import PREFIX
from crdkit.meta.types import JsonObject
from crdkit.server.openapi.parameters import Parameter
from crdkit.server.openapi.routes import ANSWERS, MEDIA_TYPES, UNAUTHORIZED, Body, Operation, Route, Served


def path_item(route: Route, served: Served) -> JsonObject:
    """A path's operations; what all of them take as parameters is stated once."""
    common = route.common_parameters()
    item: JsonObject = {operation.method: _operation(operation, served, common) for operation in route.operations}
    item["parameters"] = [_parameter(each) for each in common]
    return item


def _operation(operation: Operation, served: Served, common: Collection[Parameter]) -> JsonObject:
    found: JsonObject = {
        "tags": [served.tag],
        "description": operation.description,
        "operationId": operation.operation_id,
    }
    if own := [_parameter(each) for each in operation.parameters if each not in common]:
        found["parameters"] = own
    if operation.body is not None:
        found["requestBody"] = _body(operation.body)
    found["responses"] = {
        **{str(code): {"description": ANSWERS[code], "content": _content(operation.answer, MEDIA_TYPES)} for code in operation.codes},
        str(UNAUTHORIZED): {"description": "Unauthorized"},
    }
    found["x-kubernetes-action"] = operation.action
    found["x-kubernetes-group-version-kind"] = served.group_version_kind
    return found


def _body(body: Body) -> JsonObject:
    found: JsonObject = {"content": _content(body.type_name, body.media_types)}
    if body.required:
        found["required"] = True
    return found


def _content(type_name: str, media_types: Collection[str]) -> JsonObject:
    return {media_type: {"schema": {"$ref": PREFIX + type_name}} for media_type in sorted(media_types)}


def _parameter(parameter: Parameter) -> JsonObject:
    found: JsonObject = {"name": parameter.name, "in": parameter.where, "description": parameter.description}
    if parameter.where == "path":
        found["required"] = True
    found["schema"] = {"type": parameter.type, "uniqueItems": True}
    return found
