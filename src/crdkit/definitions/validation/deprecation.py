"""Rules of the warning that a deprecated version gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, golang
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject

_LIMIT: Final = 256
"""In bytes, though the text tells characters."""


def check_deprecation_warning(version: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    warning = version.get("deprecationWarning")
    if warning is None:
        return
    told = golang.Typed(warning, golang.quote(warning))
    yield from (errors.invalid(at, told, fault) for fault in _faults(warning, deprecated=bool(version.get("deprecated"))))


def _faults(warning: str, *, deprecated: bool) -> Iterator[str]:
    if not deprecated:
        yield "can only be set for deprecated versions"
        return
    if len(warning.encode()) > _LIMIT:
        yield "must be <= 256 characters long"
    if not warning:
        yield "must not be an empty string"
    hidden = next((position for position, char in enumerate(warning) if not golang.is_print(char)), None)
    if hidden is not None:
        index = len(warning[:hidden].encode())
        yield f"must only contain printable UTF-8 characters; non-printable character found at index {index}"
