"""Names that are kept for what a server reads from files of its own when it starts."""

from __future__ import annotations

from typing import Final

from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

_SUFFIX: Final = ".static.k8s.io"
_SINCE: Final = KubeVersion(1, 36)


def warnings(new: JsonObject, old: JsonObject | None, kube: KubeVersion) -> list[str]:
    """A webhook configuration, policy or binding may have such a name all the same."""
    del old
    if kube < _SINCE or not new["metadata"].get("name", "").endswith(_SUFFIX):
        return []
    why = "are reserved for static manifest-based configurations and cannot be managed via the API"
    return [f'metadata.name: names ending with "{_SUFFIX}" {why}']
