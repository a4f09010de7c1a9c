"""What all verbs share: the cache they read and write, the version they imitate, and who else has a say in a write."""

from __future__ import annotations

from dataclasses import field

from crdkit.access.gate import Gate
from crdkit.admission.admission import Admission
from crdkit.meta.records import record
from crdkit.meta.version import KubeVersion
from crdkit.registry.lifecycle import NamespaceLifecycle
from crdkit.registry.listtexts import ListTexts
from crdkit.registry.sharedlines import Room
from crdkit.storage.cache import Cache


@record(frozen=False)
class Store:
    """The verbs' surroundings, the same for every request."""

    cache: Cache
    kube: KubeVersion
    namespaces: NamespaceLifecycle
    lists: ListTexts
    lines: Room
    admission: Admission
    gate: Gate = field(default_factory=Gate)
