"""Answers discovery: which document a path has, and in which of its forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha512
from typing import Final, NamedTuple

from crdkit.builtin.kinds import BuiltinKind
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.server import aggregated, discovery, discoverywire, negotiation
from crdkit.server.discovery import Catalogue, Definitions
from crdkit.server.message import JSON, PROTOBUF, YAML, Answer, Incoming
from crdkit.server.rendering import to_yaml
from crdkit.server.routing import method_not_allowed

AGGREGATED: Final = {"g": "apidiscovery.k8s.io", "v": "v2", "as": "APIGroupDiscoveryList"}
AGGREGATED_SUFFIX: Final = "".join(f";{name}={value}" for name, value in AGGREGATED.items())


class Found(NamedTuple):
    """A document. Those of built-in versions can only be read, the others answer any method alike."""

    content: JsonObject
    read_only: bool = False


class Directory:
    """Serves ``/api``, ``/apis`` and what is below, down to the versions."""

    def __init__(self, definitions: Definitions, kinds: Sequence[BuiltinKind], kube: KubeVersion, *, address: str = "") -> None:
        self._definitions = definitions
        self._kinds = kinds
        self._kube = kube
        self._address = address
        self._generation = -1
        self._catalogue = Catalogue(kinds, ())
        self._known: dict[tuple[str, ...], bytes] = {}

    async def answer(self, incoming: Incoming) -> Answer | None:
        """The document at a path; None where there is none. Raises `Refusal` for other media types and methods."""
        parts = tuple(incoming.path.strip("/").split("/"))
        if parts[0] not in ("api", "apis") or len(parts) > 3 or not incoming.path.startswith("/"):
            return None
        self._follow()
        accept = incoming.headers.get(b"accept")
        if len(parts) == 1 and (media_type := aggregated_type(accept)):
            return self._aggregated(parts[0], media_type, incoming)
        found = self._find(parts)
        if found is None:
            return None
        if found.read_only and incoming.method != "GET":
            raise method_not_allowed()
        if found.read_only and not negotiation.accepts_any(accept, negotiation.OBJECT_TYPES):
            raise negotiation.not_produced(negotiation.OBJECT_TYPES)
        return _written(found.content, plain_type(accept))

    def _follow(self) -> None:
        """Forget what was built from definitions that have changed since."""
        if self._generation != self._definitions.generation:
            self._generation = self._definitions.generation
            self._catalogue = Catalogue(self._kinds, tuple(self._definitions.all()))
            self._known.clear()

    def _find(self, parts: tuple[str, ...]) -> Found | None:
        match parts:
            case ("api",):
                return Found(discovery.api_versions(self._address), read_only=True)
            case ("api", version):
                return _read_only(discovery.builtin_resource_list(self._catalogue, "", version))
            case ("apis",):
                return Found(discovery.group_list(self._catalogue))
            case ("apis", group):
                content = discovery.group(self._catalogue, group)
                return None if content is None else Found(content)
            case ("apis", group, version):
                builtin = _read_only(discovery.builtin_resource_list(self._catalogue, group, version))
                content = discovery.resource_list(self._catalogue, group, version)
                return builtin or (None if content is None else Found(content))
            case _:
                return None

    def _aggregated(self, root: str, media_type: str, incoming: Incoming) -> Answer:
        """The document of everything, with a tag by which clients tell whether it has changed."""
        if root == "api" and incoming.method != "GET":
            raise method_not_allowed()
        make = aggregated.core_document if root == "api" else aggregated.document
        plain = self._once((root,), lambda: json.encode(make(self._catalogue, self._kube)))
        tag = f'"{sha512(plain).hexdigest().upper()}"'
        headers = (("ETag", tag), ("Vary", "Accept"))
        kind = media_type + AGGREGATED_SUFFIX
        if incoming.headers.get(b"if-none-match") == tag:
            return Answer(b"", 304, kind, "public", headers)
        body = self._once((root, media_type), lambda: _encoded(plain, media_type))
        return Answer(body, 200, kind, "public", headers)

    def _once(self, key: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
        if (found := self._known.get(key)) is None:
            found = self._known[key] = make()
        return found


def _read_only(content: JsonObject | None) -> Found | None:
    return None if content is None else Found(content, read_only=True)


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


def _written(content: JsonObject, media_type: str) -> Answer:
    return Answer(_encoded(json.encode(content), media_type), content_type=media_type)


def _encoded(plain: bytes, media_type: str) -> bytes:
    if media_type == YAML:
        return to_yaml(plain)
    return discoverywire.encode(json.decode(plain)) if media_type == PROTOBUF else plain
