"""Objects as they stand in files: YAML documents, JSON texts, lists of objects; each knows its lines."""

from __future__ import annotations

import glob
import json as standard_json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from crdkit.meta import json, yaml
from crdkit.meta.json import JsonError
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.yaml import YamlError
from crdkit.offline import lines

SUFFIXES: Final = frozenset({".yaml", ".yml", ".json"})
STDIN: Final = "-"
_separator = re.compile(rb"^---(?:[ \t].*)?(?:\r?\n|\Z)", re.MULTILINE)
_told_line = re.compile(r"line (\d+)(?:: )?")
_WILD: Final = re.compile(r"[*?\[]")


class NoInput(Exception):
    """A path names nothing that could be read; ``str()`` tells which."""


class Unreadable(ValueError):
    """A text holds no object. ``line`` counts from 1 in the file."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


class Malformed(Unreadable):
    """A text is neither YAML nor JSON."""


@record(frozen=False)
class Twice:
    """A field that is there more than once."""

    text: str
    line: int


class Text:
    """A text that was read: its first line in the file, and the nodes it is composed of, which tell the lines of fields."""

    def __init__(self, data: bytes, first_line: int, node: Any = None) -> None:
        self._data = data
        self.first_line = first_line
        self._node = node

    @cached_property
    def node(self) -> Any:
        """JSON is read without nodes, which are made when somebody asks for a line. None where YAML cannot read it."""
        if self._node is None:
            try:
                self._node = yaml.read(self._data).node
            except YamlError:
                return None
        return self._node


@record(frozen=False)
class Document:
    """An object of a file. ``within`` is its place in the text, such as ``items[3]``; empty for the whole."""

    file: str
    value: JsonObject
    text: Text
    within: str = ""
    twice: tuple[Twice, ...] = ()

    def line(self, path: str = "") -> int:
        """The line of a field, or of the nearest one around it that is there; from 1."""
        whole = f"{self.within}.{path}" if self.within and path else self.within or path
        return self.text.first_line + lines.find(self.text.node, whole)


Found = Document | Unreadable


def files(paths: Iterable[str]) -> list[str]:
    """The files that paths, folders and patterns stand for; folders are searched to their ends. Raises `NoInput`."""
    found: dict[str, None] = {}
    for path in paths:
        found.update(dict.fromkeys(_files(path)))
    return list(found)


def _files(path: str) -> list[str]:
    if path == STDIN or Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        inside = sorted(
            str(one) for one in Path(path).rglob("*") if one.suffix in SUFFIXES and one.is_file() and not _is_hidden(one, Path(path))
        )
        if not inside:
            msg = f"no YAML or JSON files in {path}"
            raise NoInput(msg)
        return inside
    if _WILD.search(path) and (matched := sorted(glob.glob(path, recursive=True))):  # noqa: PTH207 (Path.glob takes no absolute patterns)
        return [file for one in matched for file in _files(one)]
    if Path(path).exists():
        return [path]
    msg = f"the path {path} does not exist"
    raise NoInput(msg)


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def read_file(path: str | Path) -> Iterator[Document]:
    """The objects of a file. Raises `Unreadable`, which tells the file and the line, and `OSError`."""
    for found in scan(str(path)):
        if isinstance(found, Unreadable):
            msg = f"{path}:{found.line}: {found}"
            raise Unreadable(msg, found.line)
        yield found


def scan(path: str) -> Iterator[Found]:
    """The objects of a file, and what is in it that is none. Raises `OSError`."""
    yield from scan_text(read_bytes(path), "<stdin>" if path == STDIN else path)


def read_bytes(path: str) -> bytes:
    """A file's content, or that of standard input. Raises `OSError`."""
    return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()


def scan_text(data: bytes, file: str) -> Iterator[Found]:
    """The objects of a text, which is JSON if it looks like that."""
    if data.lstrip()[:1] in (b"{", b"["):
        try:
            yield from list(_json_documents(data, file))
        except Unreadable as error:
            if not file.endswith(".json"):
                in_yaml = list(_yaml_documents(data, file))
                if not any(isinstance(found, Unreadable) for found in in_yaml):
                    yield from in_yaml
                    return
            yield error
    else:
        yield from _yaml_documents(data, file)


def _json_documents(data: bytes, file: str) -> Iterator[Document]:
    for part, first_line in _json_texts(data):
        try:
            value, duplicates = json.decode_strict(part)
        except JsonError as error:
            why = f"json parse error: {error}"
            raise Malformed(why, first_line) from error
        text = Text(part, first_line)
        yield from _objects(file, value, text, [Twice(told, 0) for told in duplicates])


def _json_texts(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The texts of a stream of JSON values, with the line each begins in."""
    text = data.decode("utf-8", "replace")
    decoder, position = standard_json.JSONDecoder(), 0
    if text.count("}\n{") + text.count("}{") + text.count("}\r\n{") == 0:
        yield data, 1
        return
    while position < len(text):
        try:
            end = decoder.raw_decode(text, position)[1]
        except ValueError:
            end = len(text)
        yield text[position:end].encode(), text.count("\n", 0, position) + 1
        position = end + len(text[end:]) - len(text[end:].lstrip())


def _yaml_documents(data: bytes, file: str) -> Iterator[Found]:
    for part, first_line in split(data):
        try:
            document = yaml.read(part)
        except YamlError as error:
            told = _told_line.search(str(error))
            # It counts from the document's first line: beside the line in the file that would be a second, other number.
            yield Malformed(_told_line.sub("", str(error), count=1), first_line + (int(told[1]) - 1 if told else 0))
            continue
        if document.value is None:
            continue
        twice = [_twice(told, first_line) for told in document.duplicates]
        try:
            yield from _objects(file, document.value, Text(part, first_line, document.node), twice)
        except Unreadable as error:
            yield error


def split(data: bytes) -> list[tuple[bytes, int]]:
    """The documents of a YAML stream, each with its first line, as clients cut it."""
    parts, start, line = [], 0, 1
    for match in _separator.finditer(data):
        parts.append((data[start : match.start()], line))
        line += data.count(b"\n", start, match.end())
        start = match.end()
    parts.append((data[start:], line))
    return parts


def _twice(told: str, first_line: int) -> Twice:
    match = _told_line.match(told)
    assert match is not None
    return Twice(told[match.end() :], first_line + int(match[1]) - 1)


def _objects(file: str, value: Json, text: Text, twice: list[Twice]) -> Iterator[Document]:
    """The object, or those of a list."""
    if type(value) is not dict:
        msg = f"not an object: {json.encode(value)[:60].decode(errors='replace')}"
        raise Unreadable(msg, text.first_line + lines.find(text.node, ""))
    items = value.get("items")
    if type(items) is not list:
        yield Document(file, value, text, "", _with_lines(twice, text))
        return
    kind = value.get("kind")
    item_kind = kind.removesuffix("List") if isinstance(kind, str) and kind != "List" else ""
    for index, item in enumerate(items):
        if type(item) is not dict:
            msg = f"items[{index}] is not an object"
            raise Unreadable(msg, text.first_line + lines.find(text.node, f"items[{index}]"))
        if item_kind and not item.get("kind"):
            item = {"apiVersion": value.get("apiVersion"), "kind": item_kind, **item}  # noqa: PLW2901 (items of a typed list need not tell)
        yield Document(file, item, text, f"items[{index}]", _with_lines(twice, text) if index == 0 else ())


def _with_lines(twice: list[Twice], text: Text) -> tuple[Twice, ...]:
    """JSON's duplicates are told by their path: ``duplicate field "spec.a"``."""
    return tuple(one if one.line else Twice(one.text, text.first_line + lines.find(text.node, one.text.split('"')[1])) for one in twice)
