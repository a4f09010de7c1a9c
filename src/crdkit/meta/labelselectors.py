"""Label selectors as query parameters: ``tier in (web, api),!canary,size>3`` (apimachinery's labels.Parse)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from crdkit.meta import golang, gonumbers, names
from crdkit.meta.records import record
from crdkit.meta.version import KubeVersion

_SYMBOLS: Final = "=!(),><"
_BLANKS: Final = " \t\r\n"
_pieces: Final = re.compile(r"[=!(),><]+|[^=!(),>< \t\r\n]+").finditer
_TOKENS: Final = frozenset((")", ",", "!", "==", "=", ">", "in", "<", "!=", "notin", "("))
_OPERATORS: Final = ("in", "notin", "=", "==", "!=", "gt", "lt")
_BINARY: Final = frozenset(("in", "notin", "=", "==", "!=", ">", "<"))
_ERROR: Final = "\0error"
_END: Final = "\0end"
_NAME: Final = "\0name"


class SelectorError(ValueError):
    """The selector cannot be read; the text is what a client is told."""


@record
class Requirement:
    """One term. ``operator`` is ``exists``, ``!`` or one of ``in notin = == != > <``."""

    key: str
    operator: str
    values: frozenset[str] = frozenset()

    def matches(self, labels: Mapping[str, str]) -> bool:
        value = labels.get(self.key)
        match self.operator:
            case "in" | "=" | "==":
                return value is not None and value in self.values
            case "notin" | "!=":
                return value is None or value not in self.values
            case "exists":
                return value is not None
            case "!":
                return value is None
        number = _integer(value) if value is not None else None
        if number is None:
            return False
        (bound,) = self.values
        return number > int(bound) if self.operator == ">" else number < int(bound)


@record
class LabelSelector:
    """All requirements must hold; none at all selects everything."""

    requirements: tuple[Requirement, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.requirements)

    def matches(self, labels: Mapping[str, str]) -> bool:
        return all(requirement.matches(labels) for requirement in self.requirements)


def _integer(text: str) -> int | None:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = gonumbers.of_digits(text)
    return number if -(2**63) <= number < 2**63 else None


def parse(text: str, kube: KubeVersion) -> LabelSelector:
    """Read a selector. Raises `SelectorError`."""
    return _Parser(_scan(text), kube).selector()


def _scan(text: str) -> list[tuple[str, str]]:
    """Tokens as (kind, literal); a symbol or keyword is its own kind. A NUL ends the text as it does in Go's lexer."""
    tokens: list[tuple[str, str]] = []
    for found in _pieces(text.partition("\0")[0]):
        piece = found.group()
        if piece in _TOKENS:
            tokens.append((piece, piece))
        elif piece[0] not in _SYMBOLS:
            tokens.append((_NAME, piece))
        else:
            position = 0
            while position < len(piece):
                token, position = _symbol(piece, position)
                tokens.append(token)
    tokens.append((_END, ""))
    return tokens


def _symbol(text: str, position: int) -> tuple[tuple[str, str], int]:
    """The longest run of symbols that is a token."""
    start, found = position, ""
    while position < len(text) and text[position] in _SYMBOLS:
        position += 1
        if text[start:position] in _TOKENS:
            found = text[start:position]
        elif found:
            return (found, found), position - 1
    if found:
        return (found, found), position
    return (_ERROR, f"error expected: keyword found '{text[start:position]}'"), position


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]], kube: KubeVersion) -> None:
        self._tokens = tokens
        self._position = 0
        self._kube = kube

    def _peek(self, *, as_value: bool = True) -> tuple[str, str]:
        kind, literal = self._tokens[min(self._position, len(self._tokens) - 1)]
        return (_NAME if as_value and kind in ("in", "notin") else kind), literal

    def _take(self, *, as_value: bool = True) -> tuple[str, str]:
        token = self._peek(as_value=as_value)
        self._position += 1
        return token

    def selector(self) -> LabelSelector:
        requirements: list[Requirement] = []
        while True:
            kind, literal = self._peek()
            if kind == _END:
                break
            if kind not in (_NAME, "!"):
                msg = f"found '{literal}', expected: !, identifier, or 'end of string'"
                raise SelectorError(msg)
            try:
                requirements.append(self._requirement())
            except SelectorError as error:
                msg = f"unable to parse requirement: {error}"
                raise SelectorError(msg) from error
            kind, literal = self._take()
            if kind == _END:
                break
            if kind != ",":
                msg = f"found '{literal}', expected: ',' or 'end of string'"
                raise SelectorError(msg)
            if (after := self._peek())[0] not in (_NAME, "!"):
                msg = f"found '{after[1]}', expected: identifier after ','"
                raise SelectorError(msg)
        return LabelSelector(tuple(sorted(requirements, key=lambda requirement: requirement.key)))

    def _requirement(self) -> Requirement:
        kind, key = self._take()
        absent = kind == "!"
        if absent:
            kind, key = self._take()
        if kind != _NAME:
            msg = f"found '{key}', expected: identifier"
            raise SelectorError(msg)
        if wrong := names.label_key(key, self._kube):
            msg = f"<nil>: Invalid value: {golang.quote(key)}: {'; '.join(wrong)}"
            raise SelectorError(msg)
        if absent:
            return Requirement(key, "!")
        if self._peek()[0] in (_END, ","):
            return Requirement(key, "exists")
        operator, literal = self._take(as_value=False)
        if operator not in _BINARY:
            msg = f"found '{literal}', expected: {', '.join(_OPERATORS)}"
            raise SelectorError(msg)
        values = self._values() if operator in ("in", "notin") else {self._exact_value()}
        self._check(key, operator, sorted(values))
        return Requirement(key, operator, frozenset(values))

    def _check(self, key: str, operator: str, values: list[str]) -> None:
        if operator in (">", "<") and _integer(values[0]) is None:
            msg = f"values[0]: Invalid value: {golang.quote(values[0])}: for 'Gt', 'Lt' operators, the value must be an integer"
            raise SelectorError(msg)
        for position, value in enumerate(values):
            if wrong := names.label_value(value, self._kube):
                msg = f"values[{position}][{key}]: Invalid value: {golang.quote(value)}: {'; '.join(wrong)}"
                raise SelectorError(msg)

    def _exact_value(self) -> str:
        if self._peek()[0] in (_END, ","):
            return ""
        kind, literal = self._take()
        if kind != _NAME:
            msg = f"found '{literal}', expected: identifier"
            raise SelectorError(msg)
        return literal

    def _values(self) -> set[str]:
        kind, literal = self._take()
        if kind != "(":
            msg = f"found '{literal}' expected: '('"
            raise SelectorError(msg)
        kind, literal = self._peek()
        if kind == ")":
            self._take()
            return {""}
        if kind not in (_NAME, ","):
            msg = f"found '{literal}', expected: ',', ')' or identifier"
            raise SelectorError(msg)
        values = self._identifiers()
        if self._take()[0] != ")":
            msg = f"found '{literal}', expected: ')'"
            raise SelectorError(msg)
        return values

    def _identifiers(self) -> set[str]:
        values: set[str] = set()
        tokens, at = self._tokens, self._position
        while tokens[at][0] == _NAME and tokens[at + 1][0] == "," and tokens[at + 2][0] == _NAME:  # there may be very many
            values.add(tokens[at][1])
            at += 2
        self._position = at
        while True:
            kind, literal = self._take()
            after, after_literal = self._peek()
            if kind == _NAME:
                values.add(literal)
                if after == ")":
                    return values
                if after != ",":
                    msg = f"found '{after_literal}', expected: ',' or ')'"
                    raise SelectorError(msg)
            elif kind == ",":
                if not values or after in (")", ","):
                    values.add("")
                if after == ")":
                    return values
            else:
                msg = f"found '{literal}', expected: ',', or identifier"
                raise SelectorError(msg)
