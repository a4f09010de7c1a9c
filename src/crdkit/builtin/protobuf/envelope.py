"""What protobuf messages of built-in kinds are sent in: an envelope that tells the kind (``runtime.Unknown``), and a watch's frames."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from crdkit.builtin.protobuf import admission, apiextensions, autoscaling, coordination, core, discovery, events, migration, rbac, reviews
from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable
from crdkit.meta.protobuf import varint
from crdkit.meta.protowire import LENGTH, ProtobufError, pieces
from crdkit.meta.types import JsonObject

MAGIC: Final = b"k8s\x00"
"""How everything begins."""

_TABLES: Final = {
    "v1": core.V1,
    "admissionregistration.k8s.io/v1": admission.V1,
    "apidiscovery.k8s.io/v2": discovery.AGGREGATED,
    "apiextensions.k8s.io/v1": apiextensions.V1,
    "authentication.k8s.io/v1": reviews.AUTHENTICATION,
    "authorization.k8s.io/v1": reviews.AUTHORIZATION,
    "autoscaling/v1": autoscaling.V1,
    "coordination.k8s.io/v1": coordination.V1,
    "events.k8s.io/v1": events.V1,
    "meta.k8s.io/v1": META,
    "meta.k8s.io/v1beta1": META,
    "rbac.authorization.k8s.io/v1": rbac.V1,
    "storagemigration.k8s.io/v1beta1": migration.V1BETA1,
}
_ANYWHERE: Final = {"DeleteOptions": META, "Status": META, **dict.fromkeys(discovery.DISCOVERY.messages, discovery.DISCOVERY)}
"""Kinds that are known in every group's version, or go without one."""
_TYPE_META: Final = MessageTable({"TypeMeta": {"apiVersion": "1 string", "kind": "2 string"}})
_NAMES: Final = {1: "TypeMeta", 2: "Raw", 3: "ContentEncoding", 4: "ContentType"}
_UNENCODED: Final = b"\x1a\x00\x22\x00"
"""No encoding, and no content type but the envelope's own."""


class Enveloped(NamedTuple):
    """A message that is still to be read. What the envelope does not tell is empty."""

    api_version: str
    kind: str
    raw: memoryview


def table_of(api_version: str, kind: str) -> MessageTable | None:
    """The table that has a kind's message."""
    table = _ANYWHERE.get(kind) or _TABLES.get(api_version)
    return table if table is not None and kind in table else None


def encode(obj: JsonObject) -> bytes:
    """An object that tells its kind, in its envelope. Raises `KeyError` for one that has no message."""
    api_version, kind = obj.get("apiVersion", "v1"), obj["kind"]
    table = table_of(api_version, kind)
    if table is None:
        msg = f"{api_version} {kind} has no message"
        raise KeyError(msg)
    about = _TYPE_META.write("TypeMeta", {"apiVersion": api_version, "kind": kind})
    return b"".join((MAGIC, _piece(1, about), _piece(2, table.write(kind, obj)), _UNENCODED))


def open_envelope(data: bytes) -> Enveloped:
    """What is in an envelope. Raises `ProtobufError`."""
    if not data:
        raise ProtobufError("empty data")
    if not data.startswith(MAGIC):
        prefix = " ".join(map(str, MAGIC))
        raise ProtobufError(f"provided data does not appear to be a protobuf message, expected prefix [{prefix}]")
    if len(data) == len(MAGIC):
        raise ProtobufError("empty body")
    about: JsonObject = {}
    raw = memoryview(b"")
    for number, wire, content in pieces(memoryview(data)[len(MAGIC) :], "Unknown"):
        if number in _NAMES and wire != LENGTH:
            raise ProtobufError(f"proto: wrong wireType = {wire} for field {_NAMES[number]}")
        if number == 1:
            about |= _TYPE_META.read("TypeMeta", content)
        elif number == 2:
            raw = content
    return Enveloped(about.get("apiVersion", ""), about.get("kind", ""), raw)


def frame(event: JsonObject) -> bytes:
    """A watch's event, with its length before it."""
    content = _piece(1, event["type"].encode()) + _piece(2, _piece(1, encode(event["object"])))
    return struct.pack(">I", len(content)) + content


def _piece(number: int, content: bytes) -> bytes:
    return varint(number << 3 | LENGTH) + varint(len(content)) + content
