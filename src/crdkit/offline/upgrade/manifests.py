"""Files of manifests: definitions of v1beta1 in them are rewritten, all else stays as it is, to the byte."""

from __future__ import annotations

import io
import json as standard_json
import re
from dataclasses import field
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.representer import RoundTripRepresenter

from crdkit.meta import yaml
from crdkit.meta.records import record
from crdkit.meta.version import DEFAULT, KubeVersion
from crdkit.offline import documents
from crdkit.offline.definition import judge_definition
from crdkit.offline.documents import Malformed
from crdkit.offline.upgrade import definition as definitions
from crdkit.offline.upgrade.notes import Note, Notes
from crdkit.offline.upgrade.trees import fields

_separator = re.compile(rb"^---(?:[ \t].*)?(?:\r?\n|\Z)", re.MULTILINE)
_mentions_old = re.compile(rb"apiextensions\.k8s\.io/v1beta1").search
_list_below = re.compile(r"^( *)[^\s#-][^\n]*:[ \t]*\n((?: *#[^\n]*\n)*)( *)- ", re.MULTILINE)
_FOLDED_AT: Final = 80
"""Where generators fold long texts: at the first space from here on."""
_NO_FOLDING: Final = 1 << 20


class NotUpgradable(ValueError):
    """A document that seems to hold a definition of v1beta1 cannot be read for rewriting; ``str()`` tells why."""


@record
class Rewritten:
    """A definition that was rewritten, and what there is to say about it."""

    name: str
    line: int
    notes: list[Note]


@record(frozen=False)
class Upgraded:
    """A text after its rewriting; without ``rewritten`` it is what it was. Documents that are ``malformed`` stay as they are."""

    data: bytes
    rewritten: list[Rewritten] = field(default_factory=list)
    malformed: list[Malformed] = field(default_factory=list)


def upgrade(data: bytes, *, kube: KubeVersion = DEFAULT, prune: bool = False) -> Upgraded:
    """Rewrite the definitions of v1beta1 in a text of YAML documents, or in a JSON text. Raises `NotUpgradable`."""
    result = Upgraded(b"")
    start = 0
    for match in [*_separator.finditer(data), None]:
        end = len(data) if match is None else match.start()
        line = data.count(b"\n", 0, start) + 1
        document = data[start:end]
        malformed = [one for one in documents.scan_text(document, "") if isinstance(one, Malformed)]
        result.malformed += [Malformed(str(one), line + one.line - 1) for one in malformed]
        result.data += document if malformed else _upgrade_document(document, line, result.rewritten, kube=kube, prune=prune)
        if match is not None:
            result.data += match.group()
            start = match.end()
    return result


def _upgrade_document(data: bytes, line: int, rewritten: list[Rewritten], *, kube: KubeVersion, prune: bool) -> bytes:
    if not _mentions_old(data):
        return data
    text = data.decode("utf-8", "replace")
    writer = _writer(text)
    try:
        document = writer.load(text)
    except YAMLError as error:
        msg = f"the document at line {line} cannot be read: {str(error).splitlines()[-1].strip()}"
        raise NotUpgradable(msg) from error
    found = [one for one in _objects(document) if definitions.is_old(one)]
    if not found:
        return data
    for one in found:
        notes = Notes()
        definitions.rewrite(one, notes, prune=prune, indent=writer.sequence_indent)
        _ask_server(one, notes, kube)
        name = str(fields(one.get("metadata")).get("name"))
        rewritten.append(Rewritten(name, line + one.lc.line, notes.notes))
    if text.lstrip().startswith("{"):
        return (standard_json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
    return _written(writer, document)


def _objects(document: Any) -> list[Any]:
    items = document.get("items") if isinstance(document, dict) else None
    return list(items) if isinstance(items, list) else [document]


def _ask_server(definition: Any, notes: Notes, kube: KubeVersion) -> None:
    """What a server would still refuse is for somebody to decide."""
    plain = yaml.decode(_written(YAML(), definition))[0]
    verdict = judge_definition(plain, kube)
    for problem in verdict.errors:
        notes.ask(str(problem))
    for path in verdict.unknown_fields:
        notes.tell(f"the field {path} is unknown, and dropped by a server")


def _written(writer: Any, document: Any) -> bytes:
    out = io.BytesIO()
    writer.dump(document, out)
    return out.getvalue()


class _Representer(RoundTripRepresenter):
    """Writes null as it mostly stands in manifests."""

    def represent_null(self, _: None) -> Any:
        return self.represent_scalar("tag:yaml.org,2002:null", "null")


_Representer.add_representer(type(None), _Representer.represent_null)


def _writer(text: str) -> Any:
    """What reads a text and writes it again in the style it has: quotes, indentation, long lines."""
    writer = YAML()
    writer.Representer = _Representer
    writer.preserve_quotes = True
    offset = _list_offset(text)
    writer.width = _FOLDED_AT if _is_folded(text) else _NO_FOLDING
    writer.indent(mapping=2, sequence=2 + offset, offset=offset)
    return writer


def _is_folded(text: str) -> bool:
    """Whether long texts were folded when this was written."""
    lines = [line for line in text.splitlines() if len(line) > _FOLDED_AT and not line.lstrip().startswith("#")]
    return bool(lines) and not any(" " in line[_FOLDED_AT + 2 :] for line in lines)


def _list_offset(text: str) -> int:
    """By how much lists are indented below the field that holds them."""
    found = _list_below.search(text)
    return max(len(found[3]) - len(found[1]), 0) if found else 0
