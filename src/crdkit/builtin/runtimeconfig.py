"""Which built-in APIs are served beside what a server serves by itself (kube-apiserver's ``--runtime-config``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final

from crdkit.builtin.kinds import MIGRATION, BuiltinKind
from crdkit.meta.records import record

SWITCHABLE: Final = (MIGRATION,)
_VALUES: Final = {"": True, "true": True, "1": True, "false": False, "0": False}


class BadRuntimeConfig(ValueError):
    """The text switches nothing; ``str()`` tells why."""


@record
class RuntimeConfig:
    """APIs switched on and off, by ``group/version``."""

    switches: Mapping[str, bool] = field(default_factory=dict)

    @classmethod
    def parse(cls, texts: Iterable[str]) -> RuntimeConfig:
        """From texts like ``storagemigration.k8s.io/v1beta1=true``, each of which may hold several, with commas. Raises `BadRuntimeConfig`."""
        return cls(dict(_switch(part) for text in texts for part in text.split(",") if part))

    def serves(self, kind: BuiltinKind, *, by_itself: bool) -> bool:
        return self.switches.get(kind.api_version, by_itself)


def _switch(text: str) -> tuple[str, bool]:
    api, _, value = text.partition("=")
    known = {kind.api_version for kind in SWITCHABLE}
    if api not in known:
        raise BadRuntimeConfig(f"{api!r} cannot be switched; these can: {', '.join(sorted(known))}")
    if value not in _VALUES:
        raise BadRuntimeConfig(f"{text!r} is neither true nor false")
    return api, _VALUES[value]
