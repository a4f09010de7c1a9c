"""Field selectors as query parameters: ``metadata.name=a,spec.tier!=gold`` (apimachinery's fields.ParseSelector)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from crdkit.meta.labelselectors import SelectorError
from crdkit.meta.records import record

_operator: Final = re.compile("!=|==?").search
_special: Final = re.compile(r"[\\,=]").search


@record
class Term:
    """One comparison of a field's text."""

    field: str
    value: str
    equal: bool


@record
class FieldSelector:
    """All terms must hold; none at all selects everything. What a field of an object is told by the caller."""

    terms: tuple[Term, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.terms)

    def matches(self, value_of: Callable[[str], str]) -> bool:
        return all((value_of(term.field) == term.value) is term.equal for term in self.terms)

    def exact(self, field: str) -> str | None:
        """The only value that ``field`` may have, if the selector says so."""
        return next((term.value for term in self.terms if term.field == field and term.equal), None)


def parse(text: str) -> FieldSelector:
    """Read a selector; which fields may be asked for is the caller's to check. Raises `SelectorError`."""
    terms: list[Term] = []
    for part in _split(text):
        if not part:
            continue
        field, operator, value = _split_term(part)
        if not operator:
            msg = f"invalid selector: '{text}'; can't understand '{part}'"
            raise SelectorError(msg)
        if field or value:
            terms.append(Term(field, _unescape(value), equal=operator != "!="))
    return FieldSelector(tuple(terms))


def _split(text: str) -> list[str]:
    """Split at commas that no backslash escapes."""
    if "\\" not in text:
        return text.split(",")
    parts, start, escaped = [], 0, False
    for position, char in enumerate(text):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == ",":
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts


def _split_term(part: str) -> tuple[str, str, str]:
    found = _operator(part)
    return (part[: found.start()], found.group(), part[found.end() :]) if found else ("", "", "")


def _unescape(value: str) -> str:
    if not _special(value):
        return value
    out: list[str] = []
    escaped = False
    for char in value:
        if escaped:
            if char not in "\\,=":
                msg = f"invalid field selector: invalid escape sequence: \\{char}"
                raise SelectorError(msg)
            out.append(char)
            escaped = False
        elif char == "\\":
            escaped = True
        elif char in ",=":
            msg = f"invalid field selector: unescaped character in value: {ord(char)}"
            raise SelectorError(msg)
        else:
            out.append(char)
    if escaped:
        msg = "invalid field selector: invalid escape sequence: \\"
        raise SelectorError(msg)
    return "".join(out)
