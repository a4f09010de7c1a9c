"""The text that a patched object has before it is read again, which is told where that fails.

A real server's library keeps each part as it was written, blanks apart, as long as nothing looks into it: numbers and texts as the
client spelled them, the fields of Go's structs in their own order. What it looked into comes with its fields sorted.
"""

from __future__ import annotations

import json
import json.decoder
import json.scanner
import re
from contextlib import suppress
from typing import Any, Final, TypeAlias

from crdkit.meta import golang, jsonpatch
from crdkit.meta.golang import Ordered, Rendered
from crdkit.meta.types import JsonObject
from crdkit.registry.patches import mergepatch

_Places: TypeAlias = dict[str, "_Places"]

_LONGEST: Final = 100_000
"""Bytes of a patch that is read in this way, which takes its time."""
_KEEPS_VALUES: Final = frozenset(("add", "remove", "replace"))
_COPIES_NOTHING: Final = frozenset((*_KEEPS_VALUES, "move", "test"))
_IN_OTHER_WORDS: Final = re.compile(rb"[\\<>&]|[0-9][.eE]|-0|[0-9]{17}|\xe2\x80[\xa8\xa9]")
"""What is in a text where a value may be spelled otherwise than Go does."""
_ESCAPED_IN_HTML: Final = re.compile("[<>&\u2028\u2029]")


def of_merge(body: bytes, patch: JsonObject, view: JsonObject, *, typed: bool) -> str:
    """The text of a view with a merge patch applied; ``typed`` tells whether a Go struct is behind it."""
    spelled = _spelled(body, in_html=True)
    patched = mergepatch.merged(view, patch if spelled is None else spelled)
    return golang.to_json(_as_written(patched, view) if typed else patched)


def of_operations(body: bytes, operations: list[JsonObject], view: JsonObject, patched: JsonObject, *, typed: bool) -> str:
    """The same of ``patched``, which the operations made of a view."""
    spelled = _spelled(body, in_order=True, in_html=True)
    if spelled is not None and all(operation.get("op") in _KEEPS_VALUES and operation["path"] for operation in operations):
        given = [{**operation, "value": one.fields.get("value")} for operation, one in zip(operations, spelled, strict=True)]
        with suppress(jsonpatch.PatchFailed):  # one looks into what another has put there
            patched = jsonpatch.patched(view, given)
    return golang.to_json(_beside_paths(patched, _looked_into(operations)) if typed else patched)


def check_tests(body: bytes, operations: list[JsonObject], view: JsonObject) -> None:
    """See whether the tests among operations find what they want in a view, which may change, letter for letter.

    A real server compares texts: of what was there before as Go writes it, of what a client sends as it has spelled it.
    Raises `PatchFailed`.
    """
    kinds = {operation.get("op") for operation in operations}
    if "test" not in kinds or not kinds <= _COPIES_NOTHING or not _IN_OTHER_WORDS.search(body):
        return
    if (spelled := _spelled(body)) is not None:
        given = [
            {**operation, "value": one["value"]} if "value" in operation else operation
            for operation, one in zip(operations, spelled, strict=True)
        ]
        jsonpatch.patched(view, given)


def _looked_into(operations: list[JsonObject]) -> _Places:
    """What operations go through on their ways."""
    places: _Places = {}
    for operation in operations:
        for path in (operation.get("path"), operation.get("from")):
            at = places
            for token in path.split("/")[1:-1] if isinstance(path, str) else ():
                at = at.setdefault(token.replace("~1", "/").replace("~0", "~"), {})
    return places


def _beside_paths(patched: Any, places: _Places | None) -> Any:
    """The same, with the fields that stand as in a struct where nothing looked."""
    if type(patched) is list:
        return [_beside_paths(item, (places or {}).get(str(index))) for index, item in enumerate(patched)]
    if type(patched) is not dict:
        return patched
    fields = {name: _beside_paths(value, (places or {}).get(name)) for name, value in patched.items()}
    return Ordered(fields) if places is None else fields


def _as_written(patched: Any, view: Any) -> Any:
    """The same, with the fields that stand as in a struct where nothing in it was touched."""
    if type(patched) is list:
        return [_as_written(item, item) for item in patched] if patched is view else patched
    if type(patched) is not dict:
        return patched
    before = view if type(view) is dict else {}
    fields = {name: _as_written(value, before.get(name)) for name, value in patched.items()}
    return Ordered(fields) if patched is view else fields


def _spelled(body: bytes, *, in_order: bool = False, in_html: bool = False) -> Any:
    """The patch with each number and text as the client spelled it, and its objects in order if so wanted; None for a long one.

    ``in_html`` tells whether it is for a text that Go writes, who spells some characters otherwise than clients may.
    """
    if len(body) > _LONGEST:
        return None
    decoder = json.JSONDecoder(
        parse_int=_as_it_stands,
        parse_float=_as_it_stands,
        object_pairs_hook=(lambda pairs: Ordered(dict(pairs))) if in_order else None,
    )
    decoder.parse_string = _spelled_in_html if in_html else _spelled_text  # type: ignore[attr-defined]
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode(body.decode("utf-8", "crdkit.go"))


def _as_it_stands(text: str) -> Rendered:
    return Rendered(text, text)


def _spelled_text(text: str, begin: int, strict: bool = True) -> tuple[Rendered, int]:
    end = json.decoder.scanstring(text, begin, strict)[1]  # type: ignore[attr-defined]
    return _as_it_stands(text[begin - 1 : end]), end


def _spelled_in_html(text: str, begin: int, strict: bool = True) -> tuple[Rendered, int]:
    spelled, end = _spelled_text(text, begin, strict)
    return _as_it_stands(_ESCAPED_IN_HTML.sub(lambda found: f"\\u{ord(found[0]):04x}", spelled.json)), end
