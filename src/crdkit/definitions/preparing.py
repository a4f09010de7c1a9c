"""What a write may change: status and spec are kept apart, the generation counts changes of the spec."""

from __future__ import annotations

import copy

from crdkit.definitions.decoding import written
from crdkit.definitions.defaulting import storage_versions
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.equality import same


def prepare_create(definition: JsonObject) -> None:
    """Make a decoded and defaulted definition ready to be created, in place: its status begins anew."""
    definition["metadata"]["generation"] = 1
    stored = storage_versions(definition["spec"])[:1] or None
    definition["status"] = {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": stored}


def prepare_update(new: JsonObject, old: JsonObject, *, kube: KubeVersion) -> None:
    """Make a changed definition ready, in place: status stays, but a new storage version joins the stored ones."""
    new["status"] = copy.deepcopy(old["status"])
    metadata = new["metadata"]
    generation = old["metadata"].get("generation", 0)
    unchanged = same(new["spec"], old["spec"]) or same(written(new, kube=kube)["spec"], written(old, kube=kube)["spec"])
    metadata["generation"] = generation if unchanged else generation + 1
    stored = new["status"]["storedVersions"]
    for version in storage_versions(new["spec"])[:1]:
        if version not in (stored or ()):
            new["status"]["storedVersions"] = [*(stored or ()), version]


def prepare_status_update(new: JsonObject, old: JsonObject) -> None:
    """Make a definition sent to its status ready, in place: the spec stays, and so does most of the metadata.

    Labels, annotations, finalizers and owners are taken over.
    """
    new["spec"] = copy.deepcopy(old["spec"])
    new["metadata"]["generation"] = old["metadata"].get("generation", 0)
