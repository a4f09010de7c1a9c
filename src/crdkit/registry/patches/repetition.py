"""What a JSON patch gives twice in a value: a real server keeps values as text, and meets it again in the patched object."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crdkit.meta import gonumbers, jsonpatch
from crdkit.meta.types import Json, JsonObject

_GIVING: Final = frozenset(("add", "replace"))
_in_value = re.compile(r'duplicate field "\[(\d+)\]\.value(.+)"').fullmatch


def repeated(document: JsonObject, operations: Sequence[JsonObject], duplicates: Sequence[str]) -> list[str]:
    """The texts of strict decoding for what stands twice in a patched document, by those for the patch itself (``duplicates``).

    Where a later operation has changed a value, it is read as others are, and nothing is twice in it.
    """
    found = []
    for text in duplicates:
        if (match := _in_value(text)) is None:
            continue
        operation = operations[int(match[1])]
        place = _place(document, operation) if operation.get("op") in _GIVING else None
        if place is not None:
            found.append(f'duplicate field "{(place + match[2]).removeprefix(".")}"')
    return found


def _place(document: Json, operation: JsonObject) -> str | None:
    """Where the value of an operation stands in the document, as strict decoding tells places; None if it is there no longer."""
    place, found = "", document
    for token in operation["path"].split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if type(found) is dict and name in found:
            place, found = f"{place}.{name}", found[name]
        elif type(found) is list and (index := _index(name, len(found))) is not None:
            place, found = f"{place}[{index}]", found[index]
        else:
            return None
    return place if jsonpatch.equal(found, operation.get("value")) else None


def _index(name: str, size: int) -> int | None:
    index = size - 1 if name == "-" else gonumbers.of_digits(name) if name.removeprefix("-").isdecimal() else size
    return index % size if -size <= index < size else None
