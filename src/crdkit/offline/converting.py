"""Objects from one version of their definition to another, as a server that stores them in the one shows them in the other."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from crdkit.conversion.converter import ConversionFailed, Converter
from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.meta.types import JsonObject
from crdkit.registry.metadata import metadata_of

T = TypeVar("T")


def version_of(definition: Definition, api_version: str) -> DefinitionVersion:
    """The version of a definition that is meant by its name alone or with its group, be it served or not. Raises `ValueError`."""
    group, _, name = api_version.rpartition("/")
    found = definition.version(name) if group in ("", definition.group) else None
    if found is None:
        known = ", ".join(version.name for version in definition.versions)
        msg = f"{definition.name} has the versions {known}, not {api_version!r}"
        raise ValueError(msg)
    return found


async def convert(definition: Definition, obj: JsonObject, wanted: str, converter: Converter) -> JsonObject:
    """An object, which is used up, in the version wanted: completed in its own version, converted, and pruned in the other.

    Raises `ConversionFailed`, and `ValueError` for an object that is none of the definition's.
    """
    source, target = version_of(definition, str(obj.get("apiVersion") or "")), version_of(definition, wanted)
    if obj.get("kind") != definition.names.kind:
        msg = f"{definition.name} defines {definition.names.kind}, not {obj.get('kind')!r}"
        raise ValueError(msg)
    metadata_of(obj)
    source.compiled.read(obj)
    source.compiled.default(obj)
    if source is target:
        return obj
    (converted,) = await converter.convert([obj], target.api_version)
    try:
        target.compiled.read(converted)
    except ValueError as error:
        raise ConversionFailed(str(error)) from error
    return converted


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    msg = "the work waits for something"
    raise RuntimeError(msg)
