"""Answers discovery: which document a path has, and in which of its forms."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha512
from typing import Final, NamedTuple

from crdkit.builtin.kinds import BuiltinKind
from crdkit.meta import json
from crdkit.meta.offload import SMALL_YAML, offload
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.server import aggregated, discovery, negotiation
from crdkit.server.discovery import Catalogue, Definitions
from crdkit.server.message import JSON, PROTOBUF, YAML, Answer, Incoming
from crdkit.server.rendering import to_protobuf, to_yaml
from crdkit.server.routing import method_not_allowed

AGGREGATED: Final = {"g": "apidiscovery.k8s.io", "v": "v2", "as": "APIGroupDiscoveryList"}
AGGREGATED_SUFFIX: Final = "".join(f";{name}={value}" for name, value in AGGREGATED.items())


class Found(NamedTuple):
    """A document. Those of built-in versions can only be read, the others answer any method alike."""

    content: bytes
    read_only: bool = False


class Directory:
    """Serves ``/api``, ``/apis`` and what is below, down to the versions. What it made is kept until a definition changes."""

    def __init__(self, definitions: Definitions, kinds: Sequence[BuiltinKind], kube: KubeVersion, *, address: str = "") -> None:
        self._definitions = definitions
        self._kinds = kinds
        self._kube = kube
        self._address = address
        self._generation = -1
        self._catalogue = Catalogue(kinds, ())
        self._found: dict[tuple[str, ...], Found] = {}
        self._aggregated: dict[tuple[str, str], bytes] = {}

    async def answer(self, incoming: Incoming) -> Answer | None:
        """The document at a path; None where there is none. Raises `Refusal` for other media types and methods."""
        parts = tuple(incoming.path.strip("/").split("/"))
        if parts[0] not in ("api", "apis") or len(parts) > 3 or not incoming.path.startswith("/a"):
            return None
        self._follow()
        accept = incoming.headers.get(b"accept")
        if len(parts) == 1 and (media_type := aggregated_type(accept)):
            return await self._answer_aggregated(parts[0], media_type, incoming)
        found = self._find(parts)
        if found is None:
            return None
        if found.read_only:
            _check_read(incoming, accept)
        media_type = plain_type(accept)
        return Answer(await _encoded(found.content, media_type), content_type=media_type)

    def _follow(self) -> None:
        """Forget what was built from definitions that have changed since."""
        if self._generation != self._definitions.generation:
            self._generation = self._definitions.generation
            self._catalogue = Catalogue(self._kinds, self._definitions.all())
            self._found = {}
            self._aggregated = {}

    def _find(self, parts: tuple[str, ...]) -> Found | None:
        found = self._found.get(parts)
        if found is None and (made := self._make(parts)) is not None:
            found = self._found[parts] = made
        return found

    def _make(self, parts: tuple[str, ...]) -> Found | None:
        catalogue = self._catalogue
        match parts:
            case ("api",):
                return _built_in(discovery.api_versions(self._address))
            case ("api", version):
                return _built_in(discovery.builtin_resource_list(catalogue, "", version))
            case ("apis",):
                return _defined(discovery.group_list(catalogue))
            case ("apis", group):
                return _defined(discovery.group(catalogue, group))
            case ("apis", group, version):
                builtin = _built_in(discovery.builtin_resource_list(catalogue, group, version))
                return builtin or _defined(discovery.resource_list(catalogue, group, version))
            case _:
                return None

    async def _answer_aggregated(self, root: str, media_type: str, incoming: Incoming) -> Answer:
        """The document of everything, with a tag by which clients tell whether it has changed."""
        if root == "api" and incoming.method != "GET":
            raise method_not_allowed()
        kept = self._aggregated
        if (plain := kept.get((root, JSON))) is None:
            plain = kept[root, JSON] = await offload(self._aggregate, root, self._catalogue)
        tag = f'"{sha512(plain).hexdigest().upper()}"'
        headers = (("ETag", tag), ("Vary", "Accept"))
        kind = media_type + AGGREGATED_SUFFIX
        if incoming.headers.get(b"if-none-match") == tag:
            return Answer(b"", 304, kind, "public", headers)
        if (body := kept.get((root, media_type))) is None:
            body = kept[root, media_type] = await _encoded(plain, media_type)
        return Answer(body, 200, kind, "public", headers)

    def _aggregate(self, root: str, catalogue: Catalogue) -> bytes:
        """Everything in one document: for a worker thread."""
        make = aggregated.core_document if root == "api" else aggregated.document
        return json.encode(make(catalogue, self._kube))


def _built_in(content: JsonObject | None) -> Found | None:
    return None if content is None else Found(json.encode(content), read_only=True)


def _defined(content: JsonObject | None) -> Found | None:
    return None if content is None else Found(json.encode(content))


def _check_read(incoming: Incoming, accept: str) -> None:
    if incoming.method != "GET":
        raise method_not_allowed()
    if not negotiation.accepts_any(accept, negotiation.OBJECT_TYPES):
        raise negotiation.not_produced(negotiation.OBJECT_TYPES)


def aggregated_type(accept: str) -> str | None:
    """The media type for aggregated discovery if the client can read that: it then wins over all else it can read."""
    if AGGREGATED["g"] not in accept:
        return None
    for clause in negotiation.parse_accept(accept):
        if all(clause.parameters.get(name) == value for name, value in AGGREGATED.items()):
            for media_type in negotiation.OBJECT_TYPES:
                if clause.matches(media_type):
                    return media_type
    return None


def plain_type(accept: str) -> str:
    """The media type for a document by itself. Raises `Refusal` (406)."""
    if not accept:
        return JSON
    for clause in negotiation.parse_accept(accept):
        if clause.parameters.keys() & AGGREGATED.keys():
            continue
        for media_type in negotiation.OBJECT_TYPES:
            if clause.matches(media_type):
                return media_type
    raise negotiation.not_acceptable(negotiation.OBJECT_TYPES)


async def _encoded(plain: bytes, media_type: str) -> bytes:
    if media_type == YAML:
        return to_yaml(plain) if len(plain) < SMALL_YAML else await offload(to_yaml, plain)
    return to_protobuf(plain) if media_type == PROTOBUF else plain
