"""Serves the OpenAPI documents. They are built when first asked for, in a worker thread, and kept until what they describe changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from email.utils import formatdate
from hashlib import sha512
from importlib.metadata import version as package_version
from time import time
from typing import Final
from urllib.parse import quote
from weakref import WeakKeyDictionary

from crdkit.builtin.kinds import BuiltinKind
from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.meta import json
from crdkit.meta.offload import offload
from crdkit.meta.records import record
from crdkit.meta.version import KubeVersion
from crdkit.server.discovery import Definitions
from crdkit.server.message import JSON, TEXT, Answer, Incoming
from crdkit.server.negotiation import parse_accept, wants_gzip
from crdkit.server.openapi import documents, gnostic, v2
from crdkit.server.rendering import compress

V2_PROTOBUF: Final = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
V2_TYPES: Final = {JSON: JSON, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf": V2_PROTOBUF, V2_PROTOBUF: V2_PROTOBUF}
V3_TYPES: Final = {JSON: JSON}
INDEX: Final = "/openapi/v3"
V2: Final = "/openapi/v2"
NO_TYPE: Final = ""
COMPRESS_OVER: Final = 1400
"""These documents are compressed in one packet's size already, as the real server does."""
IMMUTABLE: Final = "public, immutable"
YEAR: Final = 365 * 24 * 3600
VARY_ACCEPT: Final = ("Vary", "Accept")


@record
class Part:
    """A group's version: the built-in kinds or the definitions' versions in it. ``tag`` changes with what they say."""

    tag: str
    kinds: tuple[BuiltinKind, ...] = ()
    versions: tuple[DefinitionVersion, ...] = ()

    def build(self, kube: KubeVersion) -> bytes:
        """The document: for a worker thread."""
        return json.encode(documents.builtin(self.kinds, kube) if self.kinds else documents.defined(self.versions, kube))


@record(frozen=False)
class Built:
    """The bytes of a document, and the same compressed once somebody has wanted that."""

    plain: bytes
    compressed: bytes | None = None


class Tags:
    """Texts that differ where documents would: digests of all that a document is made from, which is quicker than making it."""

    def __init__(self, kube: KubeVersion) -> None:
        self._maker = f"{package_version('crdkit')} {kube}"
        self._of_definitions: WeakKeyDictionary[Definition, bytes] = WeakKeyDictionary()

    def of_kinds(self, kinds: Sequence[BuiltinKind]) -> str:
        return self._tag([f"{kind.api_version} {kind.plural}".encode() for kind in kinds])

    def of_versions(self, versions: Sequence[DefinitionVersion]) -> str:
        return self._tag([version.name.encode() + self._of(version.definition) for version in versions])

    def of_all(self, parts: Mapping[str, Part]) -> str:
        return self._tag([part.tag.encode() for part in parts.values()])

    def _of(self, definition: Definition) -> bytes:
        found = self._of_definitions.get(definition)
        if found is None:
            found = self._of_definitions[definition] = sha512(json.encode(definition.spec)).digest()
        return found

    def _tag(self, texts: Sequence[bytes]) -> str:
        digest = sha512(self._maker.encode())
        for text in texts:
            digest.update(text)
            digest.update(b"\n")
        return digest.hexdigest().upper()


class OpenApi:
    """Serves ``/openapi/v2``, ``/openapi/v3`` and the documents that the latter lists."""

    def __init__(self, definitions: Definitions, kinds: Sequence[BuiltinKind], kube: KubeVersion) -> None:
        self._definitions = definitions
        self._kinds = tuple(kinds)
        self._kube = kube
        self._tags = Tags(kube)
        self._generation = -1
        self._parts: dict[str, Part] = {}
        self._built: dict[tuple[str, str], Built] = {}

    async def answer(self, incoming: Incoming) -> Answer | None:
        """The document at a path; None for paths that are no business of OpenAPI."""
        path = incoming.path
        if not path.startswith("/openapi/"):
            return None
        await self._follow()
        match path.rstrip("/"):
            case "/openapi/v2":
                return await self._v2(incoming)
            case "/openapi/v3" if path == INDEX:
                return await self._index(incoming)
            case _ if path.startswith(f"{INDEX}/"):
                return await self._v3(incoming, path[len(INDEX) + 1 :])
            case _:
                return None

    async def _follow(self) -> None:
        """Take up definitions that have changed, and drop the documents that no longer hold."""
        generation = self._definitions.generation
        if self._generation == generation:
            return
        parts = await offload(self._divide, self._definitions.all())
        self._generation, self._parts = generation, parts
        tags = {part.tag for part in parts.values()} | {self._tags.of_all(parts)}
        self._built = {key: built for key, built in self._built.items() if key[1] in tags}

    def _divide(self, definitions: Sequence[Definition]) -> dict[str, Part]:
        """What is served, by group and version: for a worker thread."""
        kinds: dict[str, list[BuiltinKind]] = {}
        for kind in self._kinds:
            kinds.setdefault(f"apis/{kind.api_version}" if kind.group else f"api/{kind.version}", []).append(kind)
        versions: dict[str, list[DefinitionVersion]] = {}
        for definition in sorted(definitions, key=lambda each: each.name):
            if definition.established:
                for version in definition.served_versions:
                    versions.setdefault(f"apis/{version.api_version}", []).append(version)
        found = {key: Part(self._tags.of_versions(each), versions=tuple(each)) for key, each in versions.items()}
        found |= {key: Part(self._tags.of_kinds(each), kinds=tuple(each)) for key, each in kinds.items()}
        return dict(sorted(found.items()))

    async def _index(self, incoming: Incoming) -> Answer:
        paths = {key: {"serverRelativeURL": _url(key, part.tag)} for key, part in self._parts.items()}
        return await self._tagged(incoming, Built(json.encode({"paths": paths})), self._tags.of_all(self._parts), TEXT)

    async def _v3(self, incoming: Incoming, key: str) -> Answer:
        media_type = _accepted(incoming, V3_TYPES)
        if media_type is None:
            return Answer(b"", 406, NO_TYPE, headers=(VARY_ACCEPT,))
        part = self._parts.get(key)
        if part is None:
            return Answer(b"", 404, NO_TYPE, headers=(VARY_ACCEPT,))
        asked = incoming.query.first("hash")
        if asked and asked != part.tag:
            return Answer(b"", 301, media_type, headers=(VARY_ACCEPT, ("Location", _url(key, part.tag))))
        if (built := self._built.get((key, part.tag))) is None:
            built = self._built[key, part.tag] = Built(await offload(part.build, self._kube))
        answer = await self._tagged(incoming, built, part.tag, media_type)
        if asked:
            answer.cache_control = IMMUTABLE
            answer.headers = (*answer.headers, ("Expires", formatdate(time() + YEAR, usegmt=True)))
        return answer

    async def _v2(self, incoming: Incoming) -> Answer:
        media_type = _accepted(incoming, V2_TYPES)
        if media_type is None:
            return Answer(b"", 406, NO_TYPE, headers=(VARY_ACCEPT,))
        parts, tag = self._parts, self._tags.of_all(self._parts)
        if (built := self._built.get((media_type, tag))) is None:
            built = self._built[media_type, tag] = Built(await offload(self._build_v2, parts, media_type))
        answer = await self._tagged(incoming, built, tag, media_type)
        answer.headers = (("Vary", "Accept-Encoding"), *answer.headers)
        return answer

    async def _tagged(self, incoming: Incoming, built: Built, tag: str, content_type: str) -> Answer:
        """A document with its tag; nothing but that where the client says it has it already."""
        quoted = f'"{tag}"'
        headers = (VARY_ACCEPT, ("ETag", quoted))
        if incoming.headers.get(b"if-none-match") == quoted:
            return Answer(b"", 304, content_type, headers=headers, fixed=True)
        if len(built.plain) <= COMPRESS_OVER or not wants_gzip(incoming.headers.get(b"accept-encoding")):
            return Answer(built.plain, 200, content_type, headers=headers, fixed=True)
        if built.compressed is None:
            built.compressed = await compress(built.plain)
        return Answer(built.compressed, 200, content_type, headers=(*headers, ("Content-Encoding", "gzip")), fixed=True)

    def _build_v2(self, parts: Mapping[str, Part], media_type: str) -> bytes:
        """The document of everything: for a worker thread."""
        versions = [version for part in parts.values() for version in part.versions]
        document = v2.document(self._kinds, versions, self._kube)
        return gnostic.encode(document) if media_type == V2_PROTOBUF else json.encode(document)


def _url(key: str, tag: str) -> str:
    return f"{INDEX}/{quote(key)}?hash={tag}"


def _accepted(incoming: Incoming, offered: Mapping[str, str]) -> str | None:
    """What the best clause of Accept gets: the type that is answered, by the types that may be asked for."""
    for clause in parse_accept(incoming.headers.get(b"accept") or "*/*"):
        for asked, given in offered.items():
            if clause.matches(asked):
                return given
    return None
