"""What a real server stores, as it is read here: built-in kinds as protobuf, definitions of v1beta1, and all that is none of ours.

What is written here is JSON and, of definitions, v1: both can be read by a real server, too.
"""

from __future__ import annotations

import logging
from functools import cached_property
from typing import Final

from crdkit.access.gate import Gate
from crdkit.builtin.kinds import DEFINITION, KINDS
from crdkit.builtin.protobuf import envelope
from crdkit.builtin.protobuf.envelope import MAGIC
from crdkit.builtin.runtimeconfig import RuntimeConfig
from crdkit.definitions import decoding, v1beta1
from crdkit.meta import json
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.json import JsonError
from crdkit.meta.protowire import ProtobufError
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.builtinresource import BuiltinResource
from crdkit.registry.builtinresources import builtin_resources
from crdkit.registry.definitionresource import read_definition

logger = logging.getLogger(__name__)

_TOP: Final = "/registry/"
_OURS: Final = frozenset(kind.prefix.removeprefix(_TOP).partition("/")[0] for kind in KINDS if kind.prefix)
_OTHERS: Final = frozenset(("apiregistration.k8s.io",))
"""Looks like a group of custom resources, but is built in elsewhere."""
_ENCRYPTED: Final = b"k8s:enc:"


class Unreadable(ValueError):
    """A value is stored in a way that is not known here."""


class StoredForms:
    """Tells the store which keys hold objects that may be served here, and reads them whoever wrote them."""

    def __init__(self, kube: KubeVersion) -> None:
        self._kube = kube

    def is_read(self, key: str) -> bool:
        """Whether a key may be an object's: a built-in kind's, or one of a group as definitions have it, with a dot."""
        directory = key[len(_TOP) :].partition("/")[0]
        return directory in _OURS or ("." in directory and directory not in _OTHERS)

    def shown(self, key: str, value: bytes) -> bytes | None:
        """The value in our own form; None (and a line in the log) for one that cannot be read."""
        if value[:1] == b"{" and not key.startswith(DEFINITION.prefix):
            return value.removesuffix(b"\n")
        try:
            return self._read(key, value)
        except (Unreadable, ProtobufError, JsonError, DecodeError, KeyError, TypeError) as error:
            logger.warning("what is stored at %s cannot be read, and is left out: %s", key, error)
            return None

    def _read(self, key: str, value: bytes) -> bytes:
        if value.startswith(MAGIC):
            return json.encode(self._from_message(value))
        if value.startswith(_ENCRYPTED):
            raise Unreadable("it is encrypted")
        if value[:1] != b"{":
            raise Unreadable("it is neither JSON nor protobuf")
        if v1beta1.API_VERSION.encode() not in value:
            return value.removesuffix(b"\n")
        definition: JsonObject = json.decode(value)
        if definition.get("apiVersion") != v1beta1.API_VERSION:
            return value
        return json.encode(self._written(v1beta1.to_v1(definition)))

    def _from_message(self, value: bytes) -> JsonObject:
        message = envelope.open_envelope(value)
        table = envelope.table_of(message.api_version, message.kind)
        if table is None:
            raise Unreadable(f"{message.api_version} {message.kind} is not known")
        obj: JsonObject = table.read(message.kind, message.raw)
        obj["apiVersion"], obj["kind"] = message.api_version, message.kind
        if (message.api_version, message.kind) == (DEFINITION.api_version, DEFINITION.kind):
            return self._written(obj)
        resource = self._resources.get((message.api_version, message.kind))
        if resource is None:
            raise Unreadable(f"{message.api_version} {message.kind} is not served")
        decoded: JsonObject = resource.decode(obj, []).value
        return {"kind": message.kind, "apiVersion": message.api_version, **decoded}

    def _written(self, definition: JsonObject) -> JsonObject:
        return decoding.written(read_definition(definition, self._kube), kube=self._kube)

    @cached_property
    def _resources(self) -> dict[tuple[str, str], BuiltinResource]:
        """The built-in kinds, by what objects say of themselves."""
        found = builtin_resources(self._kube, Gate(), RuntimeConfig(), controllers=True)
        return {(resource.api_version, resource.kind): resource for resource in found if isinstance(resource, BuiltinResource)}
