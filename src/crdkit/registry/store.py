"""What all verbs share: the cache they read and write, the version they imitate, and who else has a say in a write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from crdkit.access.gate import Gate
from crdkit.admission.admission import Admission
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.lifecycle import NamespaceLifecycle
from crdkit.registry.listtexts import ListTexts
from crdkit.registry.options import WriteOptions
from crdkit.registry.request import Request
from crdkit.registry.resource import Endpoint
from crdkit.storage.cache import Cache

Ownership = Callable[[Endpoint, Request, WriteOptions, JsonObject, JsonObject | None], None]
"""Keeps ``metadata.managedFields`` of a new object, in place: told the endpoint, who asks, and the object as it was."""


def without_owners(endpoint: Endpoint, request: Request, options: WriteOptions, new: JsonObject, old: JsonObject | None) -> None:
    """Nobody's fields are tracked, so an object tells of no managers."""
    del endpoint, request, options, old
    new["metadata"].pop("managedFields", None)


@dataclass(slots=True)
class Store:
    """The verbs' surroundings, the same for every request."""

    cache: Cache
    kube: KubeVersion
    namespaces: NamespaceLifecycle
    lists: ListTexts
    admission: Admission
    ownership: Ownership = without_owners
    gate: Gate = field(default_factory=Gate)
