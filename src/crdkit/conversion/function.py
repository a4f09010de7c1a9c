"""Conversion by a Python function, held to the rules of a webhook: for programs that check objects without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crdkit.conversion.converter import ConversionFailed
from crdkit.conversion.objects import accepted
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

Convert = Callable[[JsonObject, str], JsonObject]
"""Gives an object, which it may change, in the version wanted (an apiVersion)."""


class FunctionConverter:
    """Converts by a function. What it raises is told as a webhook's refusal would be."""

    batch_size = 1
    by_text = None

    def __init__(self, function: Convert, *, kube: KubeVersion) -> None:
        self._function = function
        self._kube = kube

    async def convert(self, objects: Sequence[JsonObject], wanted: str) -> list[JsonObject]:
        return [self.convert_one(obj, wanted) for obj in objects]

    def convert_one(self, obj: JsonObject, wanted: str) -> JsonObject:
        """One object; ``obj`` is left as it is. Raises `ConversionFailed`."""
        try:
            after = json.decode(json.encode(self._function(json.decode(json.encode(obj)), wanted)))
        except Exception as error:
            raise ConversionFailed(f"conversion function for {obj['apiVersion']}, Kind={obj['kind']} failed: {error}") from error
        return accepted(obj, after, wanted, text=lambda: json.encode(after).decode(), kube=self._kube)
