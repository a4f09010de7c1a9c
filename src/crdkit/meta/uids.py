"""Random UIDs."""

from __future__ import annotations

import os
from typing import Final


class _UidPool:
    """Random UIDs (version 4); the system's randomness is asked for many at a time."""

    def __init__(self) -> None:
        self._bytes = b""

    def __call__(self) -> str:
        if not self._bytes:
            self._bytes = os.urandom(4096)
        raw, self._bytes = self._bytes[:16], self._bytes[16:]
        text = raw.hex()
        return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{'89ab'[raw[8] & 3]}{text[17:20]}-{text[20:]}"


new_uid: Final = _UidPool()
