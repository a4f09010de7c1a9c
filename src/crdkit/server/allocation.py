"""What the C library does with memory that is no longer used."""

from __future__ import annotations

import sys
from typing import Final

_MMAP_THRESHOLD: Final = -3
LARGE: Final = 192 * 1024
"""Above the pieces that lists are sent in, below the buffers of a connection over TLS."""


def give_back_large_blocks() -> None:
    """Have large blocks returned to the system once they are free, instead of being kept as holes that what is small then settles in.

    So does glibc by default, until the first of them is freed. Other libraries know nothing of this, and it is left at that.
    """
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 (takes time that a start does not have)

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, LARGE)
