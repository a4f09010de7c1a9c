"""Tables: what kubectl shows. The columns of a kind, and the cells of its objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject

NAME_DESCRIPTION: Final = (
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request"
    " the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration"
    " definition. Cannot be updated. More info:"
    " https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names"
)


@record
class Column:
    """The head of a column."""

    name: str
    type: str
    format: str = ""
    description: str = ""
    priority: int = 0

    def definition(self) -> JsonObject:
        return {
            "name": self.name,
            "type": self.type,
            "format": self.format,
            "description": self.description,
            "priority": self.priority,
        }


CREATED_DESCRIPTION: Final = (
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in"
    " happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in"
    " UTC.\n\nPopulated by the system. Read-only. Null for lists. More info:"
    " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"
)
NAME: Final = Column("Name", "string", "name", NAME_DESCRIPTION)


AGE: Final = Column("Age", "string", "", CREATED_DESCRIPTION)


@dataclass(frozen=True)
class Table:
    """The columns of a kind, and how the cells of an object are filled."""

    columns: Sequence[Column]
    cells: Callable[[JsonObject], list[Json]]

    def definitions(self) -> list[JsonObject]:
        return [column.definition() for column in self.columns]
