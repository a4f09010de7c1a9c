"""What the texts of literal tokens stand for."""

from __future__ import annotations

import math
import re
from typing import Final

from crdkit.cel.values import Uint

_SIMPLE: Final = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?",
}  # fmt: skip
_ESCAPE: Final = re.compile(r"\\(?:([xXuU])([0-9a-fA-F]+)|([0-3][0-7][0-7])|(.))", re.DOTALL)
_DIGITS: Final = {"x": 2, "X": 2, "u": 4, "U": 8}
_MAX_INT: Final = 2**63 - 1
_MAX_UINT: Final = 2**64 - 1


def integer(text: str, sign: str) -> int:
    """Raises `ValueError`, saying what is wrong."""
    value = int(text, 16 if text.startswith("0x") else 10)
    value = -value if sign else value
    if not -_MAX_INT - 1 <= value <= _MAX_INT:
        msg = "invalid int literal"
        raise ValueError(msg)
    return value


def unsigned(text: str) -> Uint:
    """Raises `ValueError`, saying what is wrong."""
    value = int(text[:-1], 16 if text.startswith("0x") else 10)
    if value > _MAX_UINT:
        msg = "invalid uint literal"
        raise ValueError(msg)
    return Uint(value)


def double(text: str, sign: str) -> float:
    """Raises `ValueError`, saying what is wrong."""
    value = float(sign + text)
    if math.isinf(value):
        msg = "invalid double literal"
        raise ValueError(msg)
    return value


def string(text: str) -> str:
    """Raises `ValueError`, saying what is wrong."""
    body, raw = _body(text)
    if raw or "\\" not in body:
        return body
    return _ESCAPE.sub(_character, body)


def byte_string(text: str) -> bytes:
    """Raises `ValueError`, saying what is wrong; the text has no leading ``b``."""
    body, raw = _body(text)
    if raw or "\\" not in body:
        return body.encode("utf-8", "surrogatepass")
    parts: list[bytes] = []
    position = 0
    for found in _ESCAPE.finditer(body):
        parts += (body[position : found.start()].encode("utf-8", "surrogatepass"), _byte(found))
        position = found.end()
        if found[1]:
            position = found.start() + 4
    parts.append(body[position:].encode("utf-8", "surrogatepass"))
    return b"".join(parts)


def _body(text: str) -> tuple[str, bool]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    if raw:
        text = text[1:]
    width = 3 if len(text) >= 6 and text[:3] in ("'''", '"""') else 1
    return text[width:-width], raw


def _character(found: re.Match[str]) -> str:
    kind, digits, octal, simple = found.groups()
    if simple:
        return _SIMPLE[simple]
    if octal:
        return chr(int(octal, 8))
    width = _DIGITS[kind]
    code = int(digits[:width], 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        msg = "invalid unicode code point"
        raise ValueError(msg)
    return chr(code) + digits[width:]


def _byte(found: re.Match[str]) -> bytes:
    kind, digits, octal, simple = found.groups()
    if simple:
        return _SIMPLE[simple].encode()
    if octal:
        return bytes((int(octal, 8),))
    if kind in "uU":
        msg = "unable to unescape string"
        raise ValueError(msg)
    return bytes((int(digits[:2], 16),))
