"""YAML 1.1 as sigs.k8s.io/yaml reads it: the first document, with what Kubernetes' Go library makes of scalars.

Unlike YAML 1.1 proper: dates and base-60 numbers stay text, ``0o10`` is octal; keys become the text of their value. What is read is
written as JSON and read again, so that a whole number is an integer however it was spelled: ``1.0`` and ``1e3`` are, up to int64.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final, NamedTuple

import yaml as pyyaml

from crdkit.meta import golang, gonumbers, json, nesting
from crdkit.meta.json import JsonError
from crdkit.meta.nesting import MOST_LEVELS
from crdkit.meta.types import Json, JsonObject

_Base: Any = getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)
_WORDS: Final[dict[str, Json]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
"""Plain scalars that are no texts, beside numbers."""
_float_form: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?").fullmatch
_integer_form: Final = re.compile(r"[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)").fullmatch
_anchor: Final = re.compile(r"&([-\w]+)").match
_may_have_anchors: Final = re.compile(r"&[-\w]").search
_may_differ_in_yaml: Final = re.compile(rb"[^ -~]| :|\\u[dD][89a-fA-F]").search
"""What ends lines or is not ASCII, blanks before a colon, which count for the length of a key, and halves of characters."""
_has_float = re.compile(rb"[:,\[\s]-?\d+[.eE]").search
_DIGITS: Final = bytes.maketrans(b"123456789E", b"000000000e")
_SMALLER_THAN_LIMITS: Final = 1000
"""A text of that many bytes has no key that is too long for YAML (1024 bytes, as written), and no 1000 levels."""
_SHORT_KEY: Final = 160
_LARGER_THAN_INT64: Final = 1e19
_LEVELS_OF_YAML: Final = 900
_TEXT: Final = "tag:yaml.org,2002:str"
_MERGE: Final = "<<"
_TOO_DEEP: Final = "yaml: exceeded max depth"
_TOO_DEEP_FOR_LIBYAML: Final = "exceeded maximum nesting depth"

nesting.make_room()


class YamlError(ValueError):
    """The text is no YAML that can be JSON; the message is that of the Go library."""


class _Loader(_Base):  # type: ignore[misc]
    """Leaves it to `resolve` what a plain scalar stands for: its tag is None, that of other scalars without a tag is that of texts."""

    def resolve(self, kind: type, value: str, implicit: tuple[bool, bool]) -> str | None:
        del value
        return _TEXT if kind is pyyaml.ScalarNode and not implicit[0] else None

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """No tag depends on its place."""

    def ascend_resolver(self) -> None:
        """No tag depends on its place."""


class Document(NamedTuple):
    """A document as read. ``node`` is what it was composed of, whose marks tell lines (from 0); None for an empty text."""

    value: Json
    duplicates: list[str]
    node: Any


def decode(data: bytes) -> tuple[Json, list[str]]:
    """The value of the first document, and which keys were given twice: ``line 7: key "a" already set in map``.

    Raises `YamlError`. Takes milliseconds for every 10 KB, unless it is JSON: call it in a worker thread where the text is long.
    """
    value = decode_json(data)
    if value is not None:
        return value, []
    value, duplicates, _ = read(data)
    return value, duplicates


def decode_json(data: bytes) -> JsonObject | None:
    """The object, if the text is JSON that reads the same as YAML, without fields that are there twice; else None."""
    data = data.rstrip(b"\n")
    if not data.startswith(b"{") or _may_differ_in_yaml(data):
        return None
    try:
        value, problems = json.decode_strict(data)
    except JsonError:
        return None
    if problems or (len(data) > _SMALLER_THAN_LIMITS and not _is_within_limits(value, _LEVELS_OF_YAML)):
        return None
    found: JsonObject = value if not _may_hold_floats(data) else _with_integers(value)
    return found


def _may_hold_floats(data: bytes) -> bool:
    digits = data.translate(_DIGITS)
    return (b"0." in digits or b"0e" in digits) and _has_float(data) is not None


def _with_integers(value: Json) -> Json:
    """A value whose whole numbers are integers."""
    if value.__class__ is dict:
        return {key: _with_integers(child) for key, child in value.items()}
    if value.__class__ is list:
        return [_with_integers(item) for item in value]
    return _number_read_again(value) if value.__class__ is float else value


def _is_within_limits(value: Json, levels: int) -> bool:
    """Whether the keys of a value are short enough for YAML, and it nests no deeper than that."""
    if value.__class__ is dict:
        if max(map(len, value), default=0) > _SHORT_KEY:
            return False
        below: Iterable[Json] = value.values()
    elif value.__class__ is list:
        below = value
    else:
        return True
    return levels > 0 and all(_is_within_limits(child, levels - 1) for child in below)


def read(data: bytes) -> Document:
    """The first document with its nodes. Raises `YamlError`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        msg = "yaml: invalid leading UTF-8 octet" if error.start == 0 else "yaml: control characters are not allowed"
        raise YamlError(msg) from error
    loader = _Loader(text)
    try:
        if not loader.check_node():
            return Document(None, [], None)
        node = loader.get_node()
    except pyyaml.YAMLError as error:
        raise YamlError(_scanner_text(error)) from error
    finally:
        loader.dispose()
    reader = _AliasReader(text) if _may_have_anchors(text) else _Reader(text)
    try:
        return Document(reader.value(node), reader.duplicates, node)
    except RecursionError as error:
        raise YamlError(_TOO_DEEP) from error


def _scanner_text(error: pyyaml.YAMLError) -> str:
    """The Go port tells a line only past the first, and counts those of its parser one lower than those of its scanner."""
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    if problem == _TOO_DEEP_FOR_LIBYAML:
        return _TOO_DEEP
    marks = (getattr(error, "context_mark", None), getattr(error, "problem_mark", None))
    line = next((mark.line for mark in marks if mark is not None and mark.line), 0)
    if line and isinstance(error, pyyaml.scanner.ScannerError):
        line += 1
    return f"yaml: line {line}: {problem}" if line else f"yaml: {problem}"


class _Reader:
    """Turns the nodes of a text without aliases into JSON values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.duplicates: list[str] = []

    def value(self, node: Any) -> Json:
        if type(node) is pyyaml.ScalarNode:
            value = node.value if node.tag == _TEXT else resolve(node.value)
            return _number_read_again(value) if value.__class__ is float else value
        return self._mapping(node) if type(node) is pyyaml.MappingNode else [self.value(item) for item in node.value]

    def _mapping(self, node: Any) -> dict[str, Json]:
        fields: dict[str, Json] = {}
        merged: set[str] = set()
        for key_node, value_node in node.value:
            if key_node.value == _MERGE and _is_merge(key_node):
                self._merge(fields, merged, value_node)
                continue
            key = self._key(key_node, value_node)
            if key in fields:
                told = golang.go_syntax(_scalar(key_node))
                self.duplicates.append(f"line {key_node.start_mark.line + 1}: key {told} already set in map")
            fields[key] = self.value(value_node)
        return fields

    def _merge(self, fields: dict[str, Json], merged: set[str], node: Any) -> None:
        sources = node.value if isinstance(node, pyyaml.SequenceNode) else [node]
        if not all(isinstance(source, pyyaml.MappingNode) for source in sources):
            msg = "yaml: map merge requires map or sequence of maps as the value"
            raise YamlError(msg)
        for source in reversed(sources):
            for key, value in self.value(source).items():
                if key not in fields or key in merged:
                    fields[key] = value
                    merged.add(key)

    def _key(self, node: Any, value_node: Any) -> str:
        if type(node) is not pyyaml.ScalarNode:
            msg = f"yaml: invalid map key: {self._shown(node)}"
            raise YamlError(msg)
        value = _scalar(node)
        if type(value) is str:
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if value is None:
            msg = f"unsupported map key of type: %!s(<nil>), key: <nil>, value: {self._shown(value_node)}"
            raise YamlError(msg)
        if isinstance(value, float):
            return golang.format_float(value)
        return str(value)

    def _shown(self, node: Any) -> str:
        """A value in Go's syntax, as it is before keys become texts."""
        value = self.value(node)
        return "<nil>" if value is None else golang.go_syntax(value).replace("map[string]interface {}", "map[interface {}]interface {}")


class _AliasReader(_Reader):
    """The same for texts with aliases, counting what these repeat."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._read = 0
        self._repeated = 0
        self._open: set[int] = set()
        self._seen: set[int] = set()
        self._in_alias = 0

    def value(self, node: Any) -> Json:
        self._count(node)
        if type(node) is pyyaml.ScalarNode:
            return super().value(node)
        key = id(node)
        if len(self._open) >= MOST_LEVELS:  # what is repeated nests deeper than the text does
            raise YamlError(_TOO_DEEP)
        if key in self._open:
            found = _anchor(self._text, node.start_mark.index)
            msg = f"yaml: anchor '{found[1] if found else ''}' value contains itself"
            raise YamlError(msg)
        alias = key in self._seen
        self._seen.add(key)
        self._open.add(key)
        self._in_alias += alias
        try:
            return super().value(node)
        finally:
            self._open.remove(key)
            self._in_alias -= alias

    def _count(self, node: Any) -> None:
        self._read += 1
        self._repeated += bool(self._in_alias) or id(node) in self._seen
        if self._repeated > 100 and self._read > 1000 and self._repeated / self._read > _alias_share(self._read):
            msg = "yaml: document contains excessive aliasing"
            raise YamlError(msg)


def _alias_share(read: int) -> float:
    """How much of what is read may stem from aliases: nearly all of a small text, a tenth of a large one."""
    low, high = 400_000, 4_000_000
    if read <= low:
        return 0.99
    if read >= high:
        return 0.10
    return 0.99 - 0.89 * (read - low) / (high - low)


def _is_merge(node: Any) -> bool:
    return isinstance(node, pyyaml.ScalarNode) and node.value == _MERGE and not node.style


def _number_read_again(value: float) -> int | float:
    """A number as it comes out of JSON: Go writes large ones with as few digits as tell them from others, and zeros."""
    if not math.isfinite(value):
        msg = f"json: unsupported value: {golang.format_float(value)}"
        raise YamlError(msg)
    if not value.is_integer() or abs(value) >= _LARGER_THAN_INT64:
        return value
    number = int(Decimal(repr(value)))
    return number if -(2**63) <= number < 2**63 else value


def _scalar(node: Any) -> Json:
    return node.value if node.tag == _TEXT else resolve(node.value)


def resolve(text: str) -> Json:
    """What a plain scalar stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-.0123456789":
        return _number(text)
    return text


def _number(text: str) -> Json:
    if _integer_form(text):
        number = _integer(text.replace("_", ""))
        if number is not None and -(2**63) <= number < 2**64:
            return number if number < 2**63 else float(number)
    if _float_form(text.replace("_", "")):
        number_text = text.replace("_", "")
        value = float(number_text)
        return value if math.isfinite(value) else text
    return text


def _integer(text: str) -> int | None:
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.removeprefix("+"))
    prefix = digits[:2].lower()
    try:
        if prefix in ("0x", "0b", "0o"):
            return sign * int(digits, 0)
        if len(digits) > 1 and digits[0] == "0":
            return sign * int(digits, 8)
        return sign * gonumbers.of_digits(digits)
    except ValueError:
        return None
