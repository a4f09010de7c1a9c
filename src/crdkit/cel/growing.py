"""Lists and maps that folds gather in: nothing else has seen them yet, so adding to them changes them."""

from __future__ import annotations

from crdkit.cel.values import Value


class Growing(list[Value]):
    """A list in the making."""

    __slots__ = ()


class GrowingMap(dict[Value, Value]):
    """A map with string keys in the making."""

    __slots__ = ()
