"""Where the objects of a kind stand, and which resource serves what stands at a key."""

from __future__ import annotations

from typing import NamedTuple

from crdkit.builtin.kinds import EVENT
from crdkit.definitions.definition import Definition
from crdkit.registry.registry import Registry
from crdkit.registry.resource import Resource


class Place(NamedTuple):
    """Where the objects of a served kind stand."""

    prefix: str
    namespaced: bool

    def key(self, namespace: str, name: str) -> str:
        return f"{self.prefix}{namespace}/{name}" if self.namespaced else self.prefix + name


def is_ignored(key: str) -> bool:
    """Events have no owners (the real collector does not look at them either)."""
    return key.startswith(EVENT.prefix)


class Kinds:
    """Finds kinds by their names; those of definitions are gathered anew when definitions have changed and somebody asks."""

    def __init__(self, registry: Registry) -> None:
        self._definitions = registry.definitions
        stored = [resource for resource in registry.builtin() if resource.prefix]
        self._places = {
            (resource.api_version, resource.kind): Place(resource.prefix, namespaced=resource.namespaced) for resource in stored
        }
        self._builtin = {resource.prefix: resource for resource in stored if resource.api_version == resource.stored_api_version}
        self._builtin |= {resource.prefix: resource for resource in stored if resource.prefix not in self._builtin}
        self._gathered_at = -1
        self._defined: dict[tuple[str, str], Definition] = {}

    def place(self, api_version: str, kind: str) -> Place | None:
        """Where the objects of a kind stand; None for one that is not served in that version."""
        if (builtin := self._places.get((api_version, kind))) is not None:
            return builtin
        group, _, version = api_version.rpartition("/")
        definition = self._gathered().get((group, kind))
        found = definition.version(version) if definition is not None else None
        if definition is None or found is None or not found.served:
            return None
        return Place(f"/registry/{group}/{definition.spec_names.plural}/", namespaced=definition.namespaced)

    def resource(self, key: str) -> Resource | None:
        """What serves the object at a key, preferably in the version it is stored in. Raises a `Refusal` where that cannot be had."""
        _, root, first, second, *_ = key.split("/")
        for prefix in (f"/{root}/{first}/", f"/{root}/{first}/{second}/"):
            if (builtin := self._builtin.get(prefix)) is not None:
                return builtin
        definition = self._definitions.get(f"{second}.{first}")
        if definition is None or not definition.served_versions:
            return None
        version = definition.storage_version if definition.storage_version.served else definition.served_versions[0]
        return self._definitions.resource(first, version.name, second)

    def _gathered(self) -> dict[tuple[str, str], Definition]:
        if self._gathered_at != self._definitions.generation:
            self._gathered_at = self._definitions.generation
            self._defined = {
                (definition.group, definition.names.kind): definition for definition in self._definitions.all() if definition.served
            }
        return self._defined


def group_of(key: str) -> str:
    """The group of a custom object, by its key."""
    return key.split("/", 3)[2]
