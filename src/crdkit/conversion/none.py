"""The strategy ``None``: versions differ in nothing but their names."""

from __future__ import annotations

from collections.abc import Sequence

from crdkit.meta.types import JsonObject


class NoneConverter:
    """Changes the apiVersion. Whoever reads the result prunes what its version does not have."""

    batch_size = 1
    by_text = None

    async def convert(self, objects: Sequence[JsonObject], wanted: str) -> list[JsonObject]:
        return [renamed(obj, wanted) for obj in objects]


def renamed(obj: JsonObject, wanted: str) -> JsonObject:
    """The same object under another apiVersion."""
    return {**obj, "apiVersion": wanted}
