"""What a request's owner is called."""

from __future__ import annotations

import functools
import re
from typing import Final

from crdkit.meta import golang

UNKNOWN: Final = "unknown"
_LIMIT: Final = 128
_CACHED_AGENTS: Final = 256
_surrogates = re.compile("[\ud800-\udfff]")


def manager_name(field_manager: str, user_agent: str) -> str:
    """The name that a request gives itself, or else the program's from its User-Agent; ``unknown`` if there is neither."""
    return field_manager or _program(user_agent) or UNKNOWN


@functools.lru_cache(maxsize=_CACHED_AGENTS)
def _program(user_agent: str) -> str:
    """What stands before the first slash: what can be printed of it, cut to 128 bytes between characters."""
    name = ""
    size = 0
    for char in _surrogates.sub("\ufffd", user_agent.partition("/")[0]):
        if not golang.is_print(char):
            continue
        size += len(char.encode())
        if size > _LIMIT:
            break
        name += char
    return name
