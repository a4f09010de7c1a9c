"""Names of properties as identifiers: ``a-b`` is ``a__dash__b``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

RESERVED: Final = frozenset(
    {
        "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
        "let", "loop", "package", "namespace", "return", "var", "void", "while",
    }
)  # fmt: skip
_SPECIAL: Final = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_EXPAND: Final = re.compile(r"__|[-./]")
_ALLOWED: Final = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*\Z")
_ESCAPED: Final = re.compile(r"__[^_]+__")
_NAMES: Final = {"underscores": "__", "dot": ".", "dash": "-", "slash": "/"}


def escape(name: str) -> str | None:
    """The identifier of a property; None if it has none."""
    if name in RESERVED:
        return f"__{name}__"
    if not _ALLOWED.match(name):
        return None
    return _EXPAND.sub(lambda found: _SPECIAL[found[0]], name)


@lru_cache(maxsize=1024)
def unescape(identifier: str) -> str | None:
    """The property that an identifier stands for; None if it stands for none."""
    position, parts = 0, list[str]()
    for found in _ESCAPED.finditer(identifier):
        word = found[0][2:-2]
        name = _NAMES.get(word)
        if name is None:
            if word not in RESERVED or found[0] != identifier:
                return None
            name = word
        parts += (identifier[position : found.start()], name)
        position = found.end()
    return "".join(parts) + identifier[position:]
