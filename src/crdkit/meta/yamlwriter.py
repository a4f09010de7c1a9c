"""YAML as sigs.k8s.io/yaml writes it: keys sorted, text quoted only where it would be read as something else, folded at 80 columns."""

from __future__ import annotations

import math
import re
from typing import Any, Final

import yaml as pyyaml

from crdkit.meta import golang, yaml
from crdkit.meta.types import Json

_Base: Any = getattr(pyyaml, "CSafeDumper", pyyaml.SafeDumper)
_sexagesimal = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?").fullmatch
_timestamp = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:Z|[-+]\d\d:\d\d)?)?").fullmatch
_number_in_key = re.compile(r"\d+|\D").findall
_LARGEST_FIXED: Final = 6


def encode(value: Json) -> bytes:
    """Write a value. Takes milliseconds for every 10 KB: call it in a worker thread where the value is large."""
    text: bytes = pyyaml.dump(
        _sorted(value), Dumper=_Writer, default_flow_style=False, sort_keys=False, allow_unicode=True, encoding="utf-8"
    )
    return text.removesuffix(b"...\n")


class _Writer(_Base):  # type: ignore[misc]  # chosen at run time
    def ignore_aliases(self, data: object) -> bool:
        return True


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=_natural)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


def _natural(key: str) -> list[tuple[int, int, str]]:
    """Go-yaml's order of keys: numbers within them by value, digits and signs before letters."""
    return [(0, int(part), part) if part.isdecimal() else (2 if part.isalpha() else 1, 0, part) for part in _number_in_key(key)]


def _write_text(writer: Any, text: str) -> Any:
    style = "|" if "\n" in text else None if _is_plain(text) else '"'
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _is_plain(text: str) -> bool:
    """Whether the text, unquoted, is read as that text."""
    return isinstance(yaml.resolve(text), str) and not _sexagesimal(text) and not _timestamp(text)


def _write_float(writer: Any, value: float) -> Any:
    if math.isinf(value) or math.isnan(value):
        text = ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    else:
        text = golang.format_float(value, high=_LARGEST_FIXED)
    return writer.represent_scalar("tag:yaml.org,2002:float", text)


_Writer.add_representer(str, _write_text)
_Writer.add_representer(float, _write_float)
