"""Objects to apply, given as they come: dictionaries, files, folders of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from crdkit.meta import json, yaml

Manifest: TypeAlias = "str | Path | Mapping[str, Any] | Iterable[Manifest]"
SUFFIXES: Final = frozenset({".yaml", ".yml", ".json"})
_FIRST: Final = ("CustomResourceDefinition", "Namespace")
_separator = re.compile(rb"^---(?:[ \t].*)?$", re.MULTILINE)


def read(manifest: Manifest) -> Iterator[Mapping[str, Any]]:
    """The objects of a dictionary, a file of YAML documents, a folder, or several of these; lists are taken apart."""
    if isinstance(manifest, Mapping):
        yield from _items(manifest)
    elif isinstance(manifest, str | Path):
        for path in _files(Path(manifest)):
            yield from _read_file(path)
    else:
        for one in manifest:
            yield from read(one)


def in_order(objects: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """What others need goes first; names of files in a folder say nothing about that."""
    return sorted(objects, key=lambda obj: _FIRST.index(obj["kind"]) if obj.get("kind") in _FIRST else len(_FIRST))


def _files(path: Path) -> list[Path]:
    return sorted(one for one in path.iterdir() if one.suffix in SUFFIXES) if path.is_dir() else [path]


def _read_file(path: Path) -> Iterator[Mapping[str, Any]]:
    for document in _documents(path):
        if isinstance(document, Mapping):
            yield from _items(document)
        elif document is not None:
            msg = f"{path}: not an object: {document!r}"
            raise ValueError(msg)


def _documents(path: Path) -> list[Any]:
    content = path.read_bytes()
    try:
        return [json.decode(content)] if path.suffix == ".json" else [yaml.decode(part)[0] for part in _separator.split(content)]
    except (json.JsonError, yaml.YamlError) as error:
        msg = f"{path}: {error}"
        raise ValueError(msg) from error


def _items(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if str(document.get("kind", "")).endswith("List") and isinstance(document.get("items"), list):
        yield from document["items"]
    else:
        yield document
