"""Aggregated discovery: every group, version and resource in one document (``apidiscovery.k8s.io/v2``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crdkit.builtin.kinds import STATUS_VERBS, BuiltinKind
from crdkit.definitions.definition import DefinitionVersion
from crdkit.definitions.versions import ranked
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_33, KubeVersion
from crdkit.server.discovery import Catalogue, verbs


def core_document(catalogue: Catalogue, kube: KubeVersion) -> JsonObject:
    """The aggregated form of ``/api``."""
    return _document([_group("", _builtin_versions(catalogue, ""), kube)])


def document(catalogue: Catalogue, kube: KubeVersion) -> JsonObject:
    """The aggregated form of ``/apis``: the built-in groups, then those of definitions by their names."""
    groups = [_group(name, _builtin_versions(catalogue, name), kube) for name in catalogue.builtin_groups()]
    groups += [_group(name, found, kube) for name in catalogue.defined_groups() if (found := _defined_versions(catalogue, name))]
    return _document(groups)


def _document(items: list[JsonObject]) -> JsonObject:
    return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items}


def _group(name: str, versions: list[JsonObject], kube: KubeVersion) -> JsonObject:
    metadata: JsonObject = {"name": name} if name else {}
    if kube <= V1_33:
        metadata["creationTimestamp"] = None
    return {"metadata": metadata, "versions": versions}


def _builtin_versions(catalogue: Catalogue, group: str) -> list[JsonObject]:
    found: dict[str, list[JsonObject]] = {}
    for kind in catalogue.builtin(group):
        found.setdefault(kind.version, []).append(_builtin_resource(kind))
    return [_version(name, resources) for name, resources in found.items()]


def _defined_versions(catalogue: Catalogue, group: str) -> list[JsonObject]:
    names = {version.name for each in catalogue.defined(group) if each.established for version in each.versions if version.served}
    return [_version(name, [_defined_resource(each) for each in catalogue.resources(group, name)]) for name in ranked(sorted(names))]


def _version(name: str, resources: list[JsonObject]) -> JsonObject:
    return {"version": name, "resources": resources, "freshness": "Current"}


def _kind(group: str, version: str, kind: str) -> JsonObject:
    return {"group": group, "version": version, "kind": kind}


def _resource(
    plural: str,
    kind: JsonObject,
    allowed: Iterable[str],
    *,
    namespaced: bool,
    singular: str,
    short_names: Sequence[str],
    categories: Sequence[str],
    subresources: list[JsonObject],
) -> JsonObject:
    entry: JsonObject = {
        "resource": plural,
        "responseKind": kind,
        "scope": "Namespaced" if namespaced else "Cluster",
        "singularResource": singular,
        "verbs": list(allowed),
    }
    if short_names:
        entry["shortNames"] = list(short_names)
    if categories:
        entry["categories"] = list(categories)
    if subresources:
        entry["subresources"] = subresources
    return entry


def _subresource(name: str, kind: JsonObject, allowed: Iterable[str]) -> JsonObject:
    return {"subresource": name, "responseKind": kind, "verbs": list(allowed)}


def _builtin_resource(kind: BuiltinKind) -> JsonObject:
    told = _kind(kind.group, kind.version, kind.kind)
    return _resource(
        kind.plural,
        told,
        kind.verbs,
        namespaced=kind.namespaced,
        singular=kind.singular,
        short_names=kind.short_names,
        categories=kind.categories,
        subresources=[_subresource(part.name, told, part.verbs) for part in kind.subresources],
    )


def _defined_resource(version: DefinitionVersion) -> JsonObject:
    definition = version.definition
    names = definition.names
    told = _kind(definition.group, version.name, names.kind)
    parts = [_subresource("status", told, STATUS_VERBS)] if version.has_status else []
    if version.scale is not None:
        parts.append(_subresource("scale", _kind("autoscaling", "v1", "Scale"), STATUS_VERBS))
    return _resource(
        names.plural,
        told,
        verbs(definition),
        namespaced=definition.namespaced,
        singular=names.singular,
        short_names=names.short_names,
        categories=names.categories,
        subresources=parts,
    )
