"""How many connections the process may hold open."""

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
