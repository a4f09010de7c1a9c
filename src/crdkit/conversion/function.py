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


def told(error: BaseException) -> str:
    """An error of somebody's code in a line: many say little without their type."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


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
        about = f"conversion function for {obj['apiVersion']}, Kind={obj['kind']}"
        try:
            returned = self._function(json.decode(json.encode(obj)), wanted)
            after = json.decode(json.encode(returned))
        except Exception as error:
            raise ConversionFailed(f"{about} failed: {told(error)}") from error
        if type(after) is not dict:
            raise ConversionFailed(f"{about} returned {'None' if after is None else type(returned).__name__}, not an object")
        return accepted(obj, after, wanted, text=lambda: json.encode(after).decode(), kube=self._kube)
