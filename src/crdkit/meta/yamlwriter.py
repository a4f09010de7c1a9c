"""YAML as sigs.k8s.io/yaml writes it: keys sorted, text quoted only where it would be read as something else, folded at 80 columns."""

from __future__ import annotations

import math
import re
from typing import Any, Final

import yaml as pyyaml

from crdkit.meta import golang, gonumbers, yaml
from crdkit.meta.types import Json

_Base: Any = getattr(pyyaml, "CSafeDumper", pyyaml.SafeDumper)
_sexagesimal = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?").fullmatch
_timestamp = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:Z|[-+]\d\d:\d\d)?)?").fullmatch
_number_in_key = re.compile(r"\d+|\D").findall
_LARGEST_FIXED: Final = 6
_SCALAR: Final = "tag:yaml.org,2002:str"
_TAGS: Final[dict[type, str]] = {pyyaml.MappingNode: "tag:yaml.org,2002:map", pyyaml.SequenceNode: "tag:yaml.org,2002:seq"}
_CONSTANTS: Final[dict[object, str]] = {None: "null", True: "true", False: "false"}


def encode(value: Json) -> bytes:
    """Write a value. Takes milliseconds for every 10 KB: call it in a worker thread where the value is large."""
    text: bytes = pyyaml.dump(
        _sorted(value), Dumper=_Writer, default_flow_style=False, sort_keys=False, allow_unicode=True, encoding="utf-8"
    )
    return text.removesuffix(b"...\n")


class _Writer(_Base):  # type: ignore[misc]  # chosen at run time
    """Writes scalars as they are given: what needs quotes, so that it is read as text, is decided here and not by tags."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True

    def resolve(self, kind: type, value: object, implicit: object) -> str:
        del value, implicit
        return _TAGS.get(kind, _SCALAR)


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=_natural)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


def _natural(key: str) -> list[tuple[int, int, str]]:
    """Go-yaml's order of keys: numbers within them by value, digits and signs before letters."""
    return [
        (0, gonumbers.of_digits(part), part) if part.isdecimal() else (2 if part.isalpha() else 1, 0, part) for part in _number_in_key(key)
    ]


def _write_text(writer: Any, text: str) -> Any:
    style = "|" if "\n" in text else None if _is_plain(text) else '"'
    return writer.represent_scalar(_SCALAR, text, style=style)


def _is_plain(text: str) -> bool:
    """Whether the text, unquoted, is read as that text."""
    return isinstance(yaml.resolve(text), str) and not _sexagesimal(text) and not _timestamp(text)


def _write_float(writer: Any, value: float) -> Any:
    if math.isinf(value) or math.isnan(value):
        text = ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    else:
        text = golang.format_float(value, high=_LARGEST_FIXED)
    return writer.represent_scalar(_SCALAR, text)


def _write_constant(writer: Any, value: object) -> Any:
    return writer.represent_scalar(_SCALAR, _CONSTANTS[value])


_Writer.add_representer(str, _write_text)
_Writer.add_representer(float, _write_float)
_Writer.add_representer(bool, _write_constant)
_Writer.add_representer(type(None), _write_constant)
_Writer.add_representer(int, lambda writer, value: writer.represent_scalar(_SCALAR, str(value)))
