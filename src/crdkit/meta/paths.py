"""Field paths as Kubernetes prints them: ``spec.ports[0].labels[app]``; linked, and text only when asked."""

from __future__ import annotations

from typing import Final


class FieldPath:
    """A place in an object. ``path / "name"`` is a field, ``path.index(0)`` an item, ``path.key("k")`` a map's value.

    The root prints as nothing; where an error stands at the root, its field is told as ``<nil>`` (`errors.FieldError`).
    """

    __slots__ = ("parent", "part")

    def __init__(self, parent: FieldPath | None = None, part: str = "") -> None:
        self.parent = parent
        self.part = part

    def __truediv__(self, name: str) -> FieldPath:
        return FieldPath(self, "." + name)

    def index(self, position: int) -> FieldPath:
        return FieldPath(self, f"[{position}]")

    def key(self, key: str) -> FieldPath:
        return FieldPath(self, f"[{key}]")

    def __str__(self) -> str:
        parts: list[str] = []
        path: FieldPath | None = self
        while path is not None:
            parts.append(path.part)
            path = path.parent
        parts.reverse()
        return "".join(parts).removeprefix(".")

    def __repr__(self) -> str:
        return f"FieldPath({str(self)!r})"


ROOT: Final = FieldPath()
