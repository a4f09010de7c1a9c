"""What owners of fields may be called, in a request's options and in ``metadata.managedFields``."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, golang
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.version import KubeVersion

_LIMIT: Final = 128
_SUBRESOURCE_LIMIT: Final = 256


@functools.lru_cache(maxsize=256)
def is_short(name: str) -> bool:
    """Whether there is nothing wrong with the name of a manager, or of a subresource. A no may be wrong of the latter."""
    return len(name.encode()) <= _LIMIT and all(map(golang.is_print, name))


def check_name(name: str, at: FieldPath | str, kube: KubeVersion) -> Iterator[FieldError]:
    """A manager's name is short and printable."""
    if is_short(name):
        return
    if len(name.encode()) > _LIMIT:
        yield errors.too_long(at, _LIMIT, kube)
    position = 0
    for char in name:
        if not golang.is_print(char):
            yield errors.invalid(at, name, f"invalid character {_unicode(char)} (at position {position})")
        position += len(char.encode("utf-8", "replace"))


def check_subresource(name: str, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """So is that of a subresource; what it is made of, nobody asks."""
    if len(name.encode()) > _SUBRESOURCE_LIMIT:
        yield errors.too_long(at, _SUBRESOURCE_LIMIT, kube)


def _unicode(char: str) -> str:
    """fmt's ``%#U`` of a character that cannot be printed."""
    return f"U+{ord(char):04X}"
