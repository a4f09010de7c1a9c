"""The discovery documents, one by one: ``/api``, ``/api/v1``, ``/apis``, ``/apis/G`` and ``/apis/G/V``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from crdkit.builtin.kinds import STATUS_VERBS, BuiltinKind, storage_version_hash
from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.definitions.versions import ranked
from crdkit.meta.types import JsonObject

VERBS: Final = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
TERMINATING_VERBS: Final = ("delete", "deletecollection", "get", "list", "watch")


class Definitions(Protocol):
    """The definitions that stand now. ``generation`` changes with every change of them."""

    @property
    def generation(self) -> int: ...
    def all(self) -> list[Definition]: ...


class Catalogue:
    """What is served: the built-in kinds and the definitions of one moment, found by their groups."""

    def __init__(self, kinds: Iterable[BuiltinKind], definitions: Iterable[Definition]) -> None:
        self._kinds: dict[str, list[BuiltinKind]] = {}
        for kind in kinds:
            self._kinds.setdefault(kind.group, []).append(kind)
        self._definitions: dict[str, list[Definition]] = {}
        for definition in sorted(definitions, key=lambda each: each.name):
            self._definitions.setdefault(definition.group, []).append(definition)

    def builtin_groups(self) -> list[str]:
        """The groups of the built-in kinds, the core group left out."""
        return [group for group in self._kinds if group]

    def defined_groups(self) -> list[str]:
        """The groups of definitions that are not built in, in the order of their names."""
        return sorted(self._definitions.keys() - self._kinds.keys())

    def builtin(self, group: str) -> Sequence[BuiltinKind]:
        return self._kinds.get(group, ())

    def defined(self, group: str) -> Sequence[Definition]:
        """The definitions of a group, whether they are established or not."""
        return self._definitions.get(group, ())

    def resources(self, group: str, version: str) -> list[DefinitionVersion]:
        """What the established definitions of a group serve in that version, in the order of the plurals."""
        versions = (each.version(version) for each in self.defined(group) if each.established)
        found = [each for each in versions if each is not None and each.served]
        return sorted(found, key=lambda each: each.definition.names.plural)


def api_versions(address: str) -> JsonObject:
    """``/api``: the versions of the core group."""
    return {
        "kind": "APIVersions",
        "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}],
    }


def group_list(catalogue: Catalogue) -> JsonObject:
    """``/apis``: the built-in groups, then those of definitions by their names."""
    names = (*catalogue.builtin_groups(), *catalogue.defined_groups())
    found = (_group(catalogue, name) for name in names)
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [each for each in found if each is not None]}


def group(catalogue: Catalogue, name: str) -> JsonObject | None:
    """``/apis/G``."""
    found = _group(catalogue, name)
    return None if found is None else {"kind": "APIGroup", "apiVersion": "v1", **found}


def _group(catalogue: Catalogue, name: str) -> JsonObject | None:
    names = group_versions(catalogue, name)
    if not names:
        return None
    versions = [{"groupVersion": f"{name}/{version}", "version": version} for version in names]
    return {"name": name, "versions": versions, "preferredVersion": versions[0]}


def group_versions(catalogue: Catalogue, name: str) -> list[str]:
    """The versions of a group by their priority: the real server takes those of definitions too whose names are not accepted."""
    builtin = dict.fromkeys(kind.version for kind in catalogue.builtin(name))
    defined = {version.name for each in catalogue.defined(name) for version in each.versions if version.served}
    return [*builtin, *ranked(sorted(defined.difference(builtin)))]


def builtin_resource_list(catalogue: Catalogue, group_name: str, version: str) -> JsonObject | None:
    """``/api/v1``, or ``/apis/G/V`` of a built-in group."""
    kinds = [kind for kind in catalogue.builtin(group_name) if kind.version == version]
    if not kinds:
        return None
    resources = [entry for kind in kinds for entry in _builtin_entries(kind)]
    if not group_name:
        return {"kind": "APIResourceList", "groupVersion": version, "resources": resources}
    return _resource_list(f"{group_name}/{version}", resources)


def resource_list(catalogue: Catalogue, group_name: str, version: str) -> JsonObject | None:
    """``/apis/G/V`` of definitions."""
    found = catalogue.resources(group_name, version)
    if not found:
        return None
    return _resource_list(f"{group_name}/{version}", [entry for each in found for entry in _defined_entries(each)])


def _resource_list(group_version: str, resources: list[JsonObject]) -> JsonObject:
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": resources}


def _entry(
    name: str,
    kind: str,
    verbs: Iterable[str],
    *,
    namespaced: bool,
    singular: str = "",
    group_version: tuple[str, str] | None = None,
    short_names: Sequence[str] = (),
    categories: Sequence[str] = (),
    version_hash: str = "",
) -> JsonObject:
    """An APIResource. ``group_version`` is told where the kind is of another group than the resource."""
    entry: JsonObject = {"name": name, "singularName": singular, "namespaced": namespaced}
    if group_version is not None:
        entry["group"], entry["version"] = group_version
    entry["kind"] = kind
    entry["verbs"] = list(verbs)
    if short_names:
        entry["shortNames"] = list(short_names)
    if categories:
        entry["categories"] = list(categories)
    if version_hash:
        entry["storageVersionHash"] = version_hash
    return entry


def _builtin_entries(kind: BuiltinKind) -> Iterator[JsonObject]:
    yield _entry(
        kind.plural,
        kind.kind,
        kind.verbs,
        namespaced=kind.namespaced,
        singular=kind.singular,
        short_names=kind.short_names,
        categories=kind.categories,
        version_hash=kind.storage_version_hash,
    )
    for part in kind.subresources:
        yield _entry(f"{kind.plural}/{part.name}", kind.kind, part.verbs, namespaced=kind.namespaced)


def _defined_entries(version: DefinitionVersion) -> Iterator[JsonObject]:
    definition = version.definition
    names, namespaced = definition.names, definition.namespaced
    yield _entry(
        names.plural,
        names.kind,
        verbs(definition),
        namespaced=namespaced,
        singular=names.singular,
        short_names=names.short_names,
        categories=names.categories,
        version_hash=_version_hash(definition),
    )
    if version.has_status:
        yield _entry(f"{names.plural}/status", names.kind, STATUS_VERBS, namespaced=namespaced)
    if version.scale is not None:
        yield _entry(f"{names.plural}/scale", "Scale", STATUS_VERBS, namespaced=namespaced, group_version=("autoscaling", "v1"))


def verbs(definition: Definition) -> tuple[str, ...]:
    """What may be done with a definition's objects now."""
    return TERMINATING_VERBS if definition.terminating else VERBS


def _version_hash(definition: Definition) -> str:
    """The hash of the storage version: a real server tells it only where that version is served."""
    stored = definition.storage_version
    return storage_version_hash(definition.group, stored.name, definition.spec_names.kind) if stored.served else ""
