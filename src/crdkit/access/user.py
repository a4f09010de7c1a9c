"""Who asks: the users that authentication finds and everything else speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from crdkit.meta.records import record

MASTERS: Final = "system:masters"
AUTHENTICATED: Final = "system:authenticated"
UNAUTHENTICATED: Final = "system:unauthenticated"


@record
class User:
    """A name, the groups it is in, and what else the way it was authenticated tells."""

    name: str = ""
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


ANONYMOUS: Final = User("system:anonymous", (UNAUTHENTICATED,))
