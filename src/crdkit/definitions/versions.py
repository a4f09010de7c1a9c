"""How the names of API versions are ranked (Kubernetes' documentation, "Version priority")."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_KUBE_LIKE: Final = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?\Z")
_STABILITY: Final = {None: 3, "beta": 2, "alpha": 1}
_OTHER: Final = 0
_INT64: Final = 1 << 63


class Priority(NamedTuple):
    """Where a version ranks: the greater, the more stable, then the newer. Names that do not look like ``v1beta2`` come last.

    Two names of one rank (``v1`` and ``v01``) are equal here.
    """

    stability: int
    major: int
    minor: int


def priority(name: str) -> Priority:
    """The priority of a version's name. Numbers that do not fit in 64 bits make a name unlike Kubernetes'."""
    match = _KUBE_LIKE.match(name)
    if match is None:
        return Priority(_OTHER, 0, 0)
    major, minor = int(match[1]), int(match[3] or 0)
    if max(major, minor) >= _INT64:
        return Priority(_OTHER, 0, 0)
    return Priority(_STABILITY[match[2]], major, minor)


def outranks(one: str, other: str) -> bool:
    """Whether ``one`` comes before ``other``; names unlike Kubernetes' are ordered by their text, the lesser first."""
    first, second = priority(one), priority(other)
    if first.stability == second.stability == _OTHER:
        return one < other
    return first > second


def ranked(names: list[str]) -> list[str]:
    """The names in the order in which discovery lists them; names of equal rank keep their order."""
    known = [name for name in names if priority(name).stability]
    others = [name for name in names if not priority(name).stability]
    return sorted(known, key=priority, reverse=True) + sorted(others)
