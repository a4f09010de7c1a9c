"""Looking into what users wrote: what is not of the type that belongs there is passed over, since a server will tell."""

from __future__ import annotations

from typing import Any

from ruamel.yaml.comments import CommentedMap


def fields(value: Any) -> Any:
    """The value, if it is an object, else an empty one."""
    return value if isinstance(value, CommentedMap) else CommentedMap()


def objects(value: Any) -> list[Any]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, CommentedMap)] if isinstance(value, list) else []
