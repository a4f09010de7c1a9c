"""PEM: bytes between lines that name their type, as Go's encoding/pem finds them amid other text."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final, NamedTuple

_BLOCK: Final = re.compile(rb"-----BEGIN ([^\n]*?)-----[ \t\r]*\n(.*?)-----END \1-----", re.DOTALL)


class Block(NamedTuple):
    """One block. ``body`` is None where it is no base64."""

    type: str
    headed: bool
    """Whether it has headers of its own."""
    body: bytes | None


def blocks(data: bytes) -> list[Block]:
    return [Block(kind.decode(errors="replace"), b":" in text, _body(text)) for kind, text in _BLOCK.findall(data)]


def _body(text: bytes) -> bytes | None:
    try:
        return base64.b64decode(b"".join(text.split()), validate=True)
    except (ValueError, binascii.Error):
        return None
