"""The libraries that a cluster adds to the standard one, and since which version: no other file of the room knows one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from crdkit.cel.declarations import Library
from crdkit.cel.standard.containers import TWO_VARIABLES
from crdkit.meta.version import KubeVersion


@dataclass(frozen=True, slots=True)
class Since:
    """A library, the version that introduced it, and, if it behaves otherwise now, the last that had it so."""

    first: KubeVersion
    library: Library
    last: KubeVersion | None = None


ENTRIES: Final = (
    Since(KubeVersion(1, 32), TWO_VARIABLES),
)  # fmt: skip


def libraries(known: KubeVersion, serving: KubeVersion) -> Iterable[Library]:
    """What was introduced up to ``known``, as a server of the version ``serving`` has it."""
    for entry in ENTRIES:
        if entry.first <= known and (entry.last is None or serving <= entry.last):
            yield entry.library
