"""The discovery documents as protocol buffers, by the numbers of apimachinery's and apidiscovery's ``generated.proto``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crdkit.meta.types import Json, JsonObject
from crdkit.server.protobuf import Field, Message, boolean, text

MAGIC: Final = b"k8s\x00"
"""What every protobuf answer of a Kubernetes server begins with."""


def _message(fields: Mapping[str, Field]) -> Message:
    found = Message()
    found.fields = fields
    return found


def _many(number: int, fields: Mapping[str, Field]) -> Field:
    return Field(number, _message(fields), repeated=True)


def _one(number: int, fields: Mapping[str, Field]) -> Field:
    return Field(number, _message(fields))


def _verbs(verbs: Json) -> bytes:
    return text(1, repeated=True).write(verbs)


_VERSION: Final = {"groupVersion": text(1), "version": text(2)}
_ADDRESS: Final = {"clientCIDR": text(1), "serverAddress": text(2)}
_GROUP: Final = {"name": text(1), "versions": _many(2, _VERSION), "preferredVersion": _one(3, _VERSION)}
_RESOURCE: Final = {
    "name": text(1),
    "namespaced": boolean(2),
    "kind": text(3),
    "verbs": Field(4, _verbs),
    "shortNames": text(5, repeated=True),
    "singularName": text(6),
    "categories": text(7, repeated=True),
    "group": text(8),
    "version": text(9),
    "storageVersionHash": text(10),
}
_GROUP_VERSION_KIND: Final = {"group": text(1), "version": text(2), "kind": text(3)}
_SUBRESOURCE: Final = {"subresource": text(1), "responseKind": _one(2, _GROUP_VERSION_KIND), "verbs": text(4, repeated=True)}
_DISCOVERED: Final = {
    "resource": text(1),
    "responseKind": _one(2, _GROUP_VERSION_KIND),
    "scope": text(3),
    "singularResource": text(4),
    "verbs": text(5, repeated=True),
    "shortNames": text(6, repeated=True),
    "categories": text(7, repeated=True),
    "subresources": _many(8, _SUBRESOURCE),
}
_DISCOVERED_VERSION: Final = {"version": text(1), "resources": _many(2, _DISCOVERED), "freshness": text(3)}
_DISCOVERED_GROUP: Final = {"metadata": _one(1, {"name": text(1)}), "versions": _many(2, _DISCOVERED_VERSION)}

_DOCUMENTS: Final = {
    "APIVersions": _message({"versions": text(1, repeated=True), "serverAddressByClientCIDRs": _many(2, _ADDRESS)}),
    "APIGroupList": _message({"groups": _many(1, _GROUP)}),
    "APIGroup": _message(_GROUP),
    "APIResourceList": _message({"groupVersion": text(1), "resources": _many(2, _RESOURCE)}),
    "APIGroupDiscoveryList": _message({"metadata": _one(1, {}), "items": _many(2, _DISCOVERED_GROUP)}),
}
_UNKNOWN: Final = _message({"typeMeta": _one(1, {"apiVersion": text(1), "kind": text(2)}), "raw": Field(2, bytes)})


def encode(document: JsonObject) -> bytes:
    """A discovery document, in the envelope that tells its kind."""
    kind = document["kind"]
    about = {"apiVersion": document.get("apiVersion", "v1"), "kind": kind}
    return MAGIC + _UNKNOWN({"typeMeta": about, "raw": _DOCUMENTS[kind](document)})
