"""Parameters that many operations have, written once for the whole OpenAPI v2 document and referred to elsewhere."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from crdkit.builtin.schemas.notation import META
from crdkit.meta import json
from crdkit.meta.types import JsonObject

T = TypeVar("T", bound=Hashable)

_KEPT: Final = frozenset({"name", "fieldValidation", "dryRun"})
"""These stand with every operation: a name tells its kind, and older versions of kubectl look for the others there."""
_OFFSET: Final = 0xCBF29CE484222325
_PRIME: Final = 0x100000001B3
_MASK: Final = (1 << 64) - 1


class SharedParameters:
    """Collects parameters by their text; what they are called follows from it, so names stay the same from server to server."""

    def __init__(self) -> None:
        self._written: dict[Hashable, JsonObject] = {}
        self._parameters: dict[str, JsonObject] = {}

    def use(self, source: T, write: Callable[[T], JsonObject]) -> JsonObject:
        """The parameter that ``write`` makes of ``source``, or a reference to it."""
        if (found := self._written.get(source)) is None:
            found = self._written[source] = self._refer(write(source))
        return found

    def _refer(self, parameter: JsonObject) -> JsonObject:
        if not _is_shared(parameter):
            return parameter
        name = f"{parameter['name']}-{short_hash(json.encode(parameter))}"
        self._parameters[name] = parameter
        return {"$ref": f"#/parameters/{name}"}

    def by_name(self) -> dict[str, JsonObject]:
        """All parameters that were referred to."""
        return dict(sorted(self._parameters.items()))


def _is_shared(parameter: JsonObject) -> bool:
    if parameter["in"] == "body":
        reference: str = parameter["schema"]["$ref"]
        return reference.startswith(f"#/definitions/{META}")
    return parameter["name"] not in _KEPT


def short_hash(text: bytes) -> str:
    """Eight characters: the FNV-1 hash of a text, shortened."""
    value = _OFFSET
    for byte in text:
        value = (value * _PRIME & _MASK) ^ byte
    return urlsafe_b64encode(value.to_bytes(8, "big")[:6]).decode()
