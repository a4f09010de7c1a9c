"""The OpenAPI v3 documents: one for each group and version, of definitions or of built-in kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from crdkit.builtin.kinds import BuiltinKind
from crdkit.builtin.schemas.notation import META, PREFIX
from crdkit.builtin.schemas.tables import type_name, types
from crdkit.definitions.definition import DefinitionVersion
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.server.openapi import schemas
from crdkit.server.openapi.routes import BUILTIN_PATCH_TYPES, Route, Served, routes
from crdkit.server.openapi.v3 import path_item

DEFINED_INFO: Final = {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"}

_ACTIONS: Final = {
    "create": "post",
    "delete": "delete",
    "deletecollection": "deletecollection",
    "get": "get",
    "list": "list",
    "patch": "patch",
    "update": "put",
}


def builtin_info(kube: KubeVersion) -> JsonObject:
    return {"title": "Kubernetes", "version": f"v{kube}.0+crdkit"}


def defined(versions: Sequence[DefinitionVersion], kube: KubeVersion) -> JsonObject:
    """The document of a group's version, whose resources these versions of definitions define."""
    own = {name: schema for version in versions for name, schema in defined_types(version)}
    return _document(DEFINED_INFO, [served_by(version) for version in versions], own, kube)


def builtin(kinds: Sequence[BuiltinKind], kube: KubeVersion) -> JsonObject:
    """The document of a group's version of built-in kinds."""
    return _document(builtin_info(kube), [served_builtin(kind) for kind in kinds], {}, kube)


def _document(info: JsonObject, resources: Iterable[Served], own: Mapping[str, JsonObject], kube: KubeVersion) -> JsonObject:
    found = [(served, route) for served in resources for route in routes(served, kube)]
    needed = {name for _, route in found for name in names_in(route)}
    components = {**own, **{name: types(kube)[name] for name in closure(frozenset(needed.difference(own)), kube)}}
    return {
        "openapi": "3.0.0",
        "info": info,
        "paths": {route.path: path_item(route, served) for served, route in sorted(found, key=lambda each: each[1].path)},
        "components": {"schemas": dict(sorted(components.items()))},
    }


def names_in(route: Route) -> Iterator[str]:
    """The types that a path speaks of, and those that all objects and lists need."""
    yield META + "ObjectMeta"
    yield META + "ListMeta"
    for operation in route.operations:
        yield operation.answer
        if operation.body is not None:
            yield operation.body.type_name


def served_by(version: DefinitionVersion) -> Served:
    """A definition's resource, as its paths need it. The names are those asked for: the real server shows these here."""
    definition = version.definition
    names = definition.spec_names
    parts = (("scale", version.scale is not None), ("status", version.has_status))
    return Served(
        group=definition.group,
        version=version.name,
        kind=names.kind,
        plural=names.plural,
        namespaced=definition.namespaced,
        type_name=schemas.model_name(definition.group, version.name, names.kind),
        list_type_name=schemas.model_name(definition.group, version.name, names.list_kind),
        parts=tuple((part, ("get", "patch", "put")) for part, there in parts if there),
    )


def defined_types(version: DefinitionVersion) -> Iterator[tuple[str, JsonObject]]:
    """The types of a definition's version: that of its objects and that of their lists."""
    served = served_by(version)
    yield served.type_name, schemas.kind_v3(version)
    yield served.list_type_name, schemas.list_type(version)


def served_builtin(kind: BuiltinKind) -> Served:
    """A built-in resource, as its paths need it."""
    name = type_name(kind)
    return Served(
        group=kind.group,
        version=kind.version,
        kind=kind.kind,
        plural=kind.plural,
        namespaced=kind.namespaced,
        type_name=name,
        list_type_name=f"{name}List",
        parts=tuple((part.name, tuple(_ACTIONS[verb] for verb in part.verbs)) for part in kind.subresources),
        actions=frozenset(_ACTIONS[verb] for verb in kind.verbs if verb in _ACTIONS),
        patch_types=BUILTIN_PATCH_TYPES,
    )


@cache
def closure(names: frozenset[str], kube: KubeVersion) -> frozenset[str]:
    """The built-in types of those names and all types that these refer to."""
    known = types(kube)
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= {each.removeprefix(PREFIX) for each in _references(known[name])} - found
    return frozenset(found)


def _references(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, child in value.items():
            if key == "$ref" and isinstance(child, str):
                yield child
            else:
                yield from _references(child)
    elif isinstance(value, list):
        for child in value:
            yield from _references(child)
