"""The checks of a write: done at once if that is quick, else in a worker thread, where they hold up no other request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crdkit.meta.changes import Changes
from crdkit.meta.errors import FieldError
from crdkit.meta.offload import Impatient, offload
from crdkit.meta.types import JsonObject
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.resource import Resource

if TYPE_CHECKING:
    from crdkit.schema.survey import Survey

_PATIENCE: Final = 10_000
"""What rules may cost at once: some milliseconds."""


async def check_new(resource: Resource, obj: JsonObject, survey: Survey | None, warnings: list[str]) -> list[FieldError]:
    """What is wrong with a prepared new object; ``warnings`` are added to."""
    found = await offload(resource.check_new, obj, survey) if resource.takes_long(obj) else resource.check_new(obj, survey)
    try:
        return resource.with_rules(found, obj, None, warnings, patience=_PATIENCE)
    except Impatient:
        return await offload(resource.with_rules, found, obj, None, warnings)


def broken_by_new(resource: Resource, obj: JsonObject) -> list[FieldError] | None:
    """What the rules of the kind find in a new object in which all else is in order; None where that is not easily seen."""
    try:
        return resource.broken_by_new(obj, patience=_PATIENCE)
    except Impatient:
        return None


async def check_change(endpoint: Endpoint, new: JsonObject, old: JsonObject, warnings: list[str]) -> list[FieldError]:
    """What is wrong with a prepared object as a change of the old one; ``warnings`` are added to."""
    resource = endpoint.resource
    found = await offload(endpoint.check, new, old) if resource.takes_long(new) else endpoint.check(new, old)
    return await with_rules(resource, found, new, old, warnings)


async def with_rules(
    resource: Resource,
    found: list[FieldError],
    new: JsonObject,
    old: JsonObject | None,
    warnings: list[str],
    *,
    changes: Changes | None = None,
) -> list[FieldError]:
    """What was found, and what the rules of the kind find besides; ``warnings`` are added to.

    ``changes`` tell what differs from the old object, if that is sound.
    """
    try:
        return resource.with_rules(found, new, old, warnings, changes=changes, patience=_PATIENCE)
    except Impatient:
        return await offload(resource.with_rules, found, new, old, warnings)
