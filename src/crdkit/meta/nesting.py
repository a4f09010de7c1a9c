"""How deeply a value may nest. Much here recurses over users' values, so their depth has a bound and the stack has room for it.

A real server reads 10,000 levels; nobody's objects have a hundred.
"""

from __future__ import annotations

import sys
from typing import Final

MOST_LEVELS: Final = 1_024
"""Objects and lists within each other: what orjson reads, too, so that a value that it has read need not be measured."""
_FRAMES: Final = 12_000
"""A dozen for each level. A thread's stack of 8 MiB bears some 15,000 of the costliest sort, those of generators in generators."""


class TooDeep(RecursionError):
    """A value has more levels than any may have: patches and conversions can build what no body could bring."""


def make_room() -> None:
    """Let Python recurse as far as values may nest."""
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)
