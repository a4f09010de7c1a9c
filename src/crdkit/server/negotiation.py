"""What a client can read and what it sends: Accept, Content-Type, Accept-Encoding, indentation (apiserver's handlers/negotiation)."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from crdkit.meta.status import Refusal, failure
from crdkit.registry.request import PLAIN, Form, Query
from crdkit.server.message import JSON, PROTOBUF, YAML

OBJECT_TYPES: Final = (JSON, YAML, PROTOBUF)
PATCH_TYPES: Final = ("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml")
BUILTIN_PATCH_TYPES: Final = (*PATCH_TYPES[:2], "application/strategic-merge-patch+json", PATCH_TYPES[2])
STREAM_TYPES: Final = (f"{JSON};stream=watch", f"{PROTOBUF};stream=watch")
BUILTIN_LIST_TYPES: Final = OBJECT_TYPES + STREAM_TYPES
"""Lists of built-in resources and their watches have one route."""
TRANSFORMS: Final = frozenset({"Table", "PartialObjectMetadata", "PartialObjectMetadataList"})
META_VERSIONS: Final = frozenset({"v1", "v1beta1"})
META_GROUP: Final = "meta.k8s.io"
TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
HUMANS: Final = ("curl", "Wget", "Mozilla/5.0")
COMPRESS_OVER: Final = 128 * 1024
ACCEPTS_KEPT: Final = 512
LONGEST_KEPT: Final = 1024
MOST_CLAUSES: Final = 100
"""So many clauses of an Accept header are read: putting them in order takes the square of their number."""


class Clause(NamedTuple):
    """One of the types that an Accept header lists."""

    type: str
    subtype: str
    quality: float
    parameters: Mapping[str, str]

    def matches(self, media_type: str) -> bool:
        kind, _, subtype = media_type.partition("/")
        if self.type == "*":
            return self.subtype == "*"
        return self.type == kind and self.subtype in (subtype, "*")


class Media(NamedTuple):
    """How an answer is written: its media type, the form of its objects, and whether the type asks for indentation."""

    type: str = JSON
    form: Form = PLAIN
    pretty: bool = False


PLAIN_JSON: Final = Media()
"""What most ask for."""


class Endpoint(enum.Enum):
    """What is answered: it decides which types and forms there are."""

    OBJECTS = enum.auto()
    """Custom objects: as protobuf there is only their metadata."""
    BUILTIN = enum.auto()
    ERROR = enum.auto()


def parse_accept(header: str) -> list[Clause]:
    """The clauses of an Accept header, the most wanted first; malformed ones are skipped, and those after the first hundred."""
    parts = header.split(",", MOST_CLAUSES)[:MOST_CLAUSES]
    clauses = [clause for part in parts if (clause := _clause(part.strip(" \t"))) is not None]
    for start in range(1, len(clauses)):
        at = start
        while at and _before(clauses[at], clauses[at - 1]):
            clauses[at - 1], clauses[at] = clauses[at], clauses[at - 1]
            at -= 1
    return clauses


def _before(one: Clause, other: Clause) -> bool:
    """Go's autoneg: quality first, then the specific before the wildcard. It is no total order, hence the sort by neighbours above."""
    if one.quality > other.quality or (one.type != "*" and other.type == "*"):
        return True
    return one.subtype != "*" and other.subtype == "*"


def _clause(text: str) -> Clause | None:
    media, _, rest = text.partition(";")
    kind, slash, subtype = media.partition("/")
    kind = kind.strip(" \t")
    if not slash or not subtype:
        if kind != "*":
            return None
        subtype = "*"
    if "/" in subtype:
        return None
    parameters = _parameters(rest)
    quality = _quality(parameters.pop("q", "1"))
    return Clause(kind, subtype.strip(" \t"), quality, parameters)


def _parameters(text: str) -> dict[str, str]:
    parameters = {}
    for part in text.split(";") if text else ():
        name, equals, value = part.partition("=")
        if equals and value and "=" not in value:
            parameters[name.strip(" \t")] = value.strip(" \t")
    return parameters


def _quality(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


@lru_cache(ACCEPTS_KEPT)
def _negotiate(header: str, endpoint: Endpoint) -> Media | None:
    if not header:
        return PLAIN_JSON
    for clause in parse_accept(header):
        for media_type in OBJECT_TYPES:
            if clause.matches(media_type) and (media := _allowed(clause.parameters, media_type, endpoint)):
                return media
    return None


def _allowed(parameters: Mapping[str, str], media_type: str, endpoint: Endpoint) -> Media | None:
    stream, server_version = parameters.get("stream"), parameters.get("sv")
    if stream and (media_type == YAML or stream != "watch"):
        return None
    if server_version and (endpoint is Endpoint.ERROR or server_version != "v1"):
        return None
    pretty = parameters.get("pretty") == "1"
    if not parameters.keys() & {"as", "g", "v"}:
        if media_type == PROTOBUF and endpoint is Endpoint.OBJECTS:
            return None
        return PLAIN_JSON if media_type == JSON and not pretty else Media(media_type, PLAIN, pretty)
    form = _form(parameters, media_type)
    return Media(media_type, form, pretty) if form and endpoint is not Endpoint.ERROR else None


def _form(parameters: Mapping[str, str], media_type: str) -> Form | None:
    kind, version = parameters.get("as", ""), parameters.get("v", "")
    if kind not in TRANSFORMS or version not in META_VERSIONS or parameters.get("g") != META_GROUP:
        return None
    return None if kind == "Table" and media_type == PROTOBUF else Form(kind, version)


def negotiate(accept: str, endpoint: Endpoint) -> Media | None:
    """The best of what the client accepts and the endpoint can write, or None."""
    if len(accept) > LONGEST_KEPT:
        return _negotiate.__wrapped__(accept, endpoint)
    return _negotiate(accept, endpoint)


def for_objects(accept: str, endpoint: Endpoint = Endpoint.OBJECTS) -> Media:
    """How to write objects. Raises `Refusal` (406)."""
    if media := negotiate(accept, endpoint):
        return media
    raise not_acceptable(OBJECT_TYPES)


def check_streamed(media: Media) -> Media:
    """A watch's events cannot be YAML; whether they can be had at all is asked before. Raises `Refusal` (406)."""
    if media.type == YAML:
        raise not_acceptable(STREAM_TYPES)
    return media


def for_error(accept: str) -> Media:
    """How to write a Status. A client that accepts nothing we can write gets indented JSON, as from the real server."""
    return negotiate(accept, Endpoint.ERROR) or Media(pretty=True)


def not_acceptable(types: Sequence[str]) -> Refusal:
    return Refusal(failure(406, "NotAcceptable", f"only the following media types are accepted: {', '.join(types)}"))


def not_produced(types: Sequence[str]) -> Refusal:
    """The 406 of documents and built-in resources, whose types are compared before anything else."""
    return Refusal(failure(406, "NotAcceptable", f"406: Not Acceptable\n\nAvailable representations: {', '.join(types)}", {}))


def accepts_any(accept: str, types: Sequence[str]) -> bool:
    """Whether one of a document's types is accepted; parameters do not count, nor does ``application/*`` (go-restful's matching of routes)."""
    return not accept or any(one == "*/*" or one in types for one in _bare(accept))


def check_consumed(content_type: str, types: Sequence[str]) -> None:
    """Make sure that one of a built-in resource's types is sent, before anything else is looked at. Raises `Refusal` (415)."""
    if not any(one in types for one in _bare(content_type)):
        raise Refusal(failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {}))


def _bare(header: str) -> list[str]:
    """The types that a header lists, without their parameters."""
    return [part.partition(";")[0].strip(" \t") for part in header.split(",")]


def unsupported_media_type(types: Sequence[str]) -> Refusal:
    accepted = ", ".join(types)
    message = f"the body of the request was in an unknown format - accepted media types include: {accepted}"
    return Refusal(failure(415, "UnsupportedMediaType", message))


def check_body_type(content_type: str) -> str:
    """The media type of an object in a body; JSON if it is not told. Raises `Refusal` (415)."""
    if content_type in OBJECT_TYPES:
        return content_type
    media_type = parse_media_type(content_type) if content_type else JSON
    if media_type not in OBJECT_TYPES:
        raise unsupported_media_type(OBJECT_TYPES)
    return media_type


def check_patch_type(content_type: str, types: Sequence[str] = PATCH_TYPES) -> str:
    """The kind of a patch. Raises `Refusal` (415)."""
    media_type = content_type.partition(";")[0]
    if media_type not in types:
        raise unsupported_media_type(types)
    return media_type


_WORD: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_TYPE: Final = re.compile(rf"\s*({_WORD}(?:/{_WORD})?)\s*")
_PARAMETER: Final = re.compile(rf';\s*({_WORD})\s*=\s*({_WORD}|"(?:[^"\\]|\\.)*")\s*')


def parse_media_type(text: str) -> str | None:
    """The type of ``type/subtype; name=value``, in lower case; None where that cannot be read (Go's mime.ParseMediaType)."""
    found = _TYPE.match(text)
    if not found:
        return None
    at, names = found.end(), set[str]()
    while at < len(text) and text[at:].strip(" \t") != ";":
        parameter = _PARAMETER.match(text, at)
        if not parameter or parameter[1].lower() in names:
            return None
        names.add(parameter[1].lower())
        at = parameter.end()
    return found[1].lower()


def wants_indentation(query: Query, media: Media, user_agent: str) -> bool:
    """By the query, else by the accepted type, else because a human reads."""
    if media.pretty:
        return True
    if query and (pretty := query.first("pretty")):
        return pretty in TRUE
    return user_agent.startswith(HUMANS)


def wants_gzip(accept_encoding: str) -> bool:
    """Only a plain ``gzip`` counts: with a quality, in capitals or by ``*`` it is not understood."""
    return "gzip" in accept_encoding and any(token.strip(" \t") == "gzip" for token in accept_encoding.split(","))
