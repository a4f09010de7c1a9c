"""A JSON reader that is slow and obvious: it knows what Go's scanner says of broken text, and which fields are there twice.

The texts are those of encoding/json (scanner.go, decode.go) and of the strict reader in sigs.k8s.io/json.
"""

from __future__ import annotations

import math
import re
from dataclasses import field
from typing import Any, Final

from crdkit.meta import golang
from crdkit.meta.nesting import MOST_LEVELS
from crdkit.meta.records import record
from crdkit.meta.types import Json

DUPLICATES_LIMIT: Final = 100
"""So many duplicates are told at most."""

_BLANK: Final = " \t\r\n"
_plain_string: Final = re.compile(r'[^"\\\x00-\x1f]*').match
_ESCAPED: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS: Final = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}


class JsonError(ValueError):
    """The text is no JSON; the message is Go's."""


class NumberError(JsonError):
    """The text is JSON, with a number in it that is too large for any type; ``value`` has infinity in its place."""

    def __init__(self, message: str, value: Json) -> None:
        super().__init__(message)
        self.value = value


@record(frozen=False)
class _Container:
    """An object or list being read, and where it stands."""

    value: Any
    path: str
    key: str = ""
    seen: set[str] = field(default_factory=set)

    def below(self) -> str:
        if isinstance(self.value, list):
            return f"{self.path}[{len(self.value)}]"
        return f"{self.path}.{self.key}" if self.path else self.key

    def add(self, item: Any) -> None:
        if isinstance(self.value, list):
            self.value.append(item)
        else:
            self.value[self.key] = item


def scan(text: str) -> tuple[Json, list[str]]:
    """The value, and what was given twice: ``duplicate field "spec.a"``. Raises `JsonError`."""
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._duplicates: dict[str, None] = {}
        self._too_large = ""
        """The first number that is too large for any type: what is no JSON at all is told before."""

    def scan(self) -> tuple[Json, list[str]]:
        value = self._document()
        self._skip_blanks()
        if self._at < len(self._text):
            raise self._unexpected("after top-level value")
        if self._too_large:
            msg = f"json: cannot unmarshal number {self._too_large} into Go value of type float64"
            raise NumberError(msg, value)
        return value, list(self._duplicates)

    def _document(self) -> Json:
        """Read one value with a stack of containers instead of recursion."""
        stack: list[_Container] = []
        while True:
            value = self._value_or_open(stack)
            while value is not _OPENED:
                if not stack:
                    return value
                stack[-1].add(value)
                if self._next_item(stack[-1]):
                    break
                value = stack.pop().value

    def _value_or_open(self, stack: list[_Container]) -> Any:
        """A scalar or an empty container; or `_OPENED`, when a container with something in it has been put on the stack."""
        self._skip_blanks()
        char = self._peek()
        if char not in ("{", "["):
            return self._scalar(char)
        path = stack[-1].below() if stack else ""
        if len(stack) >= MOST_LEVELS:
            msg = "exceeded max depth"
            raise JsonError(msg)
        self._at += 1
        self._skip_blanks()
        container = _Container({} if char == "{" else [], path)
        if self._peek() == ("}" if char == "{" else "]"):
            self._at += 1
            return container.value
        stack.append(container)
        if char == "{":
            self._key(container)
        return _OPENED

    def _next_item(self, container: _Container) -> bool:
        """Step over what follows an item: whether there is another one."""
        self._skip_blanks()
        char = self._peek()
        is_list = isinstance(container.value, list)
        if char == ("]" if is_list else "}"):
            self._at += 1
            return False
        if char != ",":
            raise self._unexpected("after array element" if is_list else "after object key:value pair")
        self._at += 1
        if not is_list:
            self._skip_blanks()
            self._key(container)
        return True

    def _key(self, container: _Container) -> None:
        if self._peek() != '"':
            raise self._unexpected("looking for beginning of object key string")
        container.key = self._string()
        if container.key in container.seen:
            if len(self._duplicates) < DUPLICATES_LIMIT:
                self._duplicates[f"duplicate field {golang.quote(container.below())}"] = None
        else:
            container.seen.add(container.key)
        self._skip_blanks()
        if self._peek() != ":":
            raise self._unexpected("after object key")
        self._at += 1

    def _scalar(self, char: str) -> Any:
        if char == '"':
            return self._string()
        if char in _LITERALS:
            return self._literal(*_LITERALS[char])
        if char == "-" or ("0" <= char <= "9"):
            return self._number()
        raise self._unexpected("looking for beginning of value")

    def _literal(self, word: str, value: object) -> object:
        for expected in word:
            if self._next() != expected:
                raise self._unexpected(f"in literal {word} (expecting {_quoted(expected)})")
            self._at += 1
        return value

    def _number(self) -> int | float:
        start, whole = self._at, True
        if self._text[self._at] == "-":
            self._at += 1
            if not self._is_digit():
                raise self._unexpected("in numeric literal")
        if self._peek() == "0":
            self._at += 1
        else:
            self._digits()
        if self._at < len(self._text) and self._text[self._at] == ".":
            self._at += 1
            whole = False
            self._some_digits("in numeric literal")
        if self._at < len(self._text) and self._text[self._at] in "eE":
            self._at += 1
            whole = False
            if self._next() in ("+", "-"):
                self._at += 1
            self._some_digits("in numeric literal")
        digits = self._text[start : self._at]
        number = _number_value(digits, whole=whole)
        if number in _INFINITE:
            self._too_large = self._too_large or digits
        return number

    def _is_digit(self) -> bool:
        return "0" <= self._next() <= "9"

    def _digits(self) -> None:
        while self._at < len(self._text) and "0" <= self._text[self._at] <= "9":
            self._at += 1

    def _some_digits(self, place: str) -> None:
        if not self._is_digit():
            raise self._unexpected(place)
        self._digits()

    def _string(self) -> str:
        self._at += 1
        parts: list[str] = []
        while True:
            match = _plain_string(self._text, self._at)
            assert match is not None
            parts.append(match.group())
            self._at = match.end()
            char = self._peek()
            if char == '"':
                self._at += 1
                break
            if char != "\\":
                raise self._unexpected("in string literal")
            self._at += 1
            parts.append(self._escape())
        return "".join(parts)

    def _escape(self) -> str:
        char = self._next()
        if char in _ESCAPED:
            self._at += 1
            return _ESCAPED[char]
        if char != "u":
            raise self._unexpected("in string escape code")
        self._at += 1
        code = 0
        for _ in range(4):
            digit = self._next()
            if digit not in "0123456789abcdefABCDEF":
                raise self._unexpected("in \\u hexadecimal character escape")
            code = code * 16 + int(digit, 16)
            self._at += 1
        return self._second_half(code)

    def _second_half(self, code: int) -> str:
        """Join a high surrogate with the low one that follows it; alone, either is U+FFFD."""
        if not 0xD800 <= code < 0xE000:
            return chr(code)
        low = self._text[self._at : self._at + 6]
        if code < 0xDC00 and re.fullmatch(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}", low):
            self._at += 6
            return chr(0x10000 + ((code - 0xD800) << 10) + int(low[2:], 16) - 0xDC00)
        return "\ufffd"

    def _skip_blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in _BLANK:
            self._at += 1

    def _peek(self) -> str:
        if self._at >= len(self._text):
            msg = "unexpected end of JSON input"
            raise JsonError(msg)
        return self._text[self._at]

    def _next(self) -> str:
        """What goes on in a word or number or escape: at the end of the text Go's scanner sees a blank."""
        return self._text[self._at : self._at + 1] or " "

    def _unexpected(self, place: str) -> JsonError:
        return JsonError(f"invalid character {_quoted(self._next())} {place}")


_OPENED: Final = object()
_INFINITE: Final = (math.inf, -math.inf)


def _number_value(digits: str, *, whole: bool) -> int | float:
    if whole and len(digits) < 21:
        number = int(digits)
        if -(2**63) <= number < 2**63:
            return number
    return float(digits)


def _quoted(char: str) -> str:
    """A character as Go's scanner tells it (strconv.QuoteRune)."""
    if char == "'":
        return "'\\''"
    if char == '"':
        return "'\"'"
    return "'" + golang.quote(char)[1:-1] + "'"
