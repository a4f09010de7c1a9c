"""Converting all objects of files, by the definitions that stand among them."""

from __future__ import annotations

from collections.abc import Iterable

from crdkit.conversion.converter import ConversionFailed, Converter
from crdkit.conversion.function import Convert, FunctionConverter
from crdkit.conversion.strategies import Strategies
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.offline import converting
from crdkit.offline.checking import Input
from crdkit.offline.definition import Definition, DefinitionRefused, is_definition
from crdkit.offline.documents import Document, Unreadable
from crdkit.webhooks.client import HttpCaller
from crdkit.webhooks.services import ServiceResolver


class Unusable(Exception):
    """Something among the inputs keeps all from being converted; ``str()`` tells what."""


async def convert_all(
    inputs: Iterable[Input], wanted: str, *, kube: KubeVersion, function: Convert | None, services: ServiceResolver
) -> list[JsonObject | str]:
    """The objects in the version wanted, in their order; a text tells why one could not be had. Raises `Unusable`."""
    definitions: dict[tuple[str, str], Definition] = {}
    objects: list[Document] = []
    for file, found in inputs:
        if isinstance(found, Unreadable):
            raise Unusable(f"{file}:{found.line}: {found}")
        if not is_definition(found.value):
            objects.append(found)
            continue
        try:
            definition = Definition.of(found.value, kube)
        except DefinitionRefused as error:
            raise Unusable(f"{file}:{found.line()}: {error}") from error
        definitions[definition.group, definition.kind] = definition
    caller = HttpCaller(services)
    try:
        strategies = Strategies(caller)
        return [await _converted(document, definitions, wanted, function, strategies) for document in objects]
    finally:
        await caller.close()


async def _converted(
    document: Document, definitions: dict[tuple[str, str], Definition], wanted: str, function: Convert | None, strategies: Strategies
) -> JsonObject | str:
    obj = document.value
    group, kind = str(obj.get("apiVersion") or "").rpartition("/")[0], str(obj.get("kind") or "")
    definition = definitions.get((group, kind))
    if definition is None:
        return f"{document.file}:{document.line()}: no definition of {kind}.{group} is among the files"
    stored = definition.stored
    converter: Converter = (
        strategies.converter(stored.name, stored.conversion, stored.kube)
        if function is None
        else FunctionConverter(function, kube=stored.kube)
    )
    try:
        return await converting.convert(stored, obj, wanted, converter)
    except (ConversionFailed, ValueError) as error:
        return f"{document.file}:{document.line()}: {error}"
