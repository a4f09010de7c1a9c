"""Random UIDs."""

from __future__ import annotations

import os
import struct
from typing import Final

_AT_ONCE: Final = 64
_groups: Final = struct.Struct("8s4sx3sx3s12s").iter_unpack
"""Of the 32 digits of a UID, those that are not of its version and variant."""
_VARIANTS: Final = bytes(b"89ab"[byte >> 6] for byte in range(256))


def _more() -> list[str]:
    raw = os.urandom(16 * _AT_ONCE)
    variants = raw[8::16].translate(_VARIANTS)  # of bits that no other digit is made of
    groups = _groups(raw.hex().encode())
    return [(b"%b-%b-4%b-%c%b-%b" % (a, b, c, variant, d, e)).decode() for variant, (a, b, c, d, e) in zip(variants, groups, strict=True)]


_ready: Final[list[str]] = []


def new_uid() -> str:
    """A random UID (version 4). The system's randomness is asked for many at a time."""
    try:
        return _ready.pop()
    except IndexError:
        _ready.extend(_more())
        return _ready.pop()
