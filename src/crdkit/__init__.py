"""The Kubernetes API server for CustomResourceDefinitions, as a server, a library and a tool.

The names below are all there is to the library; each is loaded when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from crdkit.conversion.converter import ConversionFailed
    from crdkit.meta.version import KubeVersion
    from crdkit.offline.definition import Definition, DefinitionRefused, NeedsWebhook, load
    from crdkit.offline.verdict import Problem, Verdict

__all__ = ["ConversionFailed", "Definition", "DefinitionRefused", "KubeVersion", "NeedsWebhook", "Problem", "Verdict", "load"]

_HOMES: Final = {
    "ConversionFailed": "crdkit.conversion.converter",
    "Definition": "crdkit.offline.definition",
    "DefinitionRefused": "crdkit.offline.definition",
    "KubeVersion": "crdkit.meta.version",
    "NeedsWebhook": "crdkit.offline.definition",
    "Problem": "crdkit.offline.verdict",
    "Verdict": "crdkit.offline.verdict",
    "load": "crdkit.offline.definition",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = globals()[name] = getattr(importlib.import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
