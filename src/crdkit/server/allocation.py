"""What the C library does with memory."""

from __future__ import annotations

import sys
from typing import Final

_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
LARGE: Final = 192 * 1024
"""Above the pieces that lists are sent in, below the buffers of a connection over TLS."""


def tune_allocation() -> None:
    """Have all threads share one heap, and large blocks returned to the system once they are free; to be called before there are threads.

    Else every thread has a heap of its own, with holes of its own, though Python lets them take memory one at a time; and blocks are
    kept as holes that what is small then settles in, once the first of them is freed. Other libraries than glibc are left at what they do.
    """
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 (not to be had everywhere)

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, LARGE)
        mallopt(_ARENA_MAX, 1)
