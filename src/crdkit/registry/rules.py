"""Running the rules of schemas as part of a write: at once if that is quick, else in a worker thread."""

from __future__ import annotations

from typing import Final

from crdkit.meta.errors import FieldError
from crdkit.meta.offload import Impatient, offload
from crdkit.meta.types import JsonObject
from crdkit.registry.resource import Resource

_PATIENCE: Final = 150_000
"""What rules may cost at once: some 10 ms."""


async def with_rules(
    resource: Resource, found: list[FieldError], new: JsonObject, old: JsonObject | None, warnings: list[str]
) -> list[FieldError]:
    """What was found, and what rules find besides."""
    try:
        return resource.with_rules(found, new, old, warnings, patience=_PATIENCE)
    except Impatient:
        return await offload(resource.with_rules, found, new, old, warnings)
