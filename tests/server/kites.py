"""Definitions for the tests of what a server publishes."""

from __future__ import annotations

from collections.abc import Sequence

from crdkit.definitions.definition import Definition
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import V1_36, KubeVersion


def version(name: str = "v1", **changes: Json) -> JsonObject:
    schema = changes.pop("schema", {"type": "object"})
    return {"name": name, "served": True, "storage": name == "v1", "schema": {"openAPIV3Schema": schema}, **changes}


def kite(
    *versions: JsonObject,
    group: str = "example.com",
    plural: str = "kites",
    kind: str = "Kite",
    scope: str = "Namespaced",
    conditions: Sequence[str] = ("NamesAccepted", "Established"),
    kube: KubeVersion = V1_36,
    **names: Json,
) -> Definition:
    """A definition whose names are accepted; ``conditions`` are those that are true."""
    told = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List", **names}
    raw = {
        "metadata": {"name": f"{plural}.{group}", "uid": "1"},
        "spec": {"group": group, "scope": scope, "names": told, "versions": list(versions or (version(),))},
        "status": {"acceptedNames": told, "conditions": [{"type": each, "status": "True"} for each in conditions]},
    }
    return Definition(raw, 1, kube)


class Shelf:
    """An index of definitions that tests change by hand."""

    def __init__(self, *definitions: Definition) -> None:
        self.generation = 1
        self.definitions = list(definitions)

    def all(self) -> list[Definition]:
        return list(self.definitions)

    def put(self, *definitions: Definition) -> None:
        self.definitions = list(definitions)
        self.generation += 1
