"""The libraries that a cluster adds to the standard one, and since which version: no other file of the room knows one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from crdkit.cel.declarations import Library
from crdkit.cel.libraries import (
    authorization,
    cidr,
    ip,
    listextensions,
    lists,
    namedformats,
    quantity,
    regex,
    semver,
    sets,
    stringformat,
    strings,
    urls,
)
from crdkit.cel.standard.containers import TWO_VARIABLES
from crdkit.meta.records import record
from crdkit.meta.version import KubeVersion


@record
class Since:
    """A library, the version that introduced it, and, if it behaves otherwise now, the last that had it so."""

    first: KubeVersion
    library: Library
    last: KubeVersion | None = None


ENTRIES: Final = (
    Since(KubeVersion(1, 0), urls.LIBRARY),
    Since(KubeVersion(1, 0), urls.BEFORE_1_36, last=KubeVersion(1, 35)),
    Since(KubeVersion(1, 0), regex.LIBRARY),
    Since(KubeVersion(1, 0), lists.LIBRARY),
    Since(KubeVersion(1, 27), authorization.LIBRARY),
    Since(KubeVersion(1, 28), quantity.LIBRARY),
    Since(KubeVersion(1, 29), strings.LIBRARY),
    Since(KubeVersion(1, 29), strings.BEFORE_1_34, last=KubeVersion(1, 33)),
    Since(KubeVersion(1, 29), stringformat.LIBRARY),
    Since(KubeVersion(1, 29), sets.LIBRARY),
    Since(KubeVersion(1, 30), ip.LIBRARY),
    Since(KubeVersion(1, 30), cidr.LIBRARY),
    Since(KubeVersion(1, 31), namedformats.LIBRARY),
    Since(KubeVersion(1, 31), namedformats.BEFORE_1_34, last=KubeVersion(1, 33)),
    Since(KubeVersion(1, 31), authorization.SELECTORS),
    Since(KubeVersion(1, 32), TWO_VARIABLES),
    Since(KubeVersion(1, 33), semver.LIBRARY),
    Since(KubeVersion(1, 34), listextensions.LIBRARY),
)


def libraries(known: KubeVersion, serving: KubeVersion) -> Iterable[Library]:
    """What was introduced up to ``known``, as a server of the version ``serving`` has it."""
    for entry in ENTRIES:
        if entry.first <= known and (entry.last is None or serving <= entry.last):
            yield entry.library
