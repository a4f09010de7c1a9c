"""What is asked of the system about connections: how many there may be, and what has come to the other end."""

from __future__ import annotations

import sys
from typing import Final

RESERVED: Final = 128
"""Descriptors for everything that is no client: the store, webhooks, what Python opens."""
ASSUMED: Final = 512


def connection_limit() -> int:
    """Raise the soft limit of descriptors as far as the system lets us, and tell how many of them may be connections."""
    if sys.platform == "win32":
        return ASSUMED
    import resource  # noqa: PLC0415 (there is none on Windows)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else max(soft, 65_536)
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):
            pass  # some systems promise more than they give: the soft limit it was stays
    return max(soft - RESERVED, RESERVED)


def has_delivered(descriptor: int) -> bool:
    """Whether all that was sent over a connection has come to the other end; False where that cannot be told, as of one that is closed."""
    if sys.platform != "linux" or descriptor < 0:
        return False
    import fcntl  # noqa: PLC0415 (there is none on Windows)
    import termios  # noqa: PLC0415

    return not any(fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4)))
