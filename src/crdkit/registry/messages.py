"""Reading bodies that are protobuf messages: built-in kinds and options have them, custom objects do not."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.kinds import KINDS
from crdkit.builtin.protobuf import envelope
from crdkit.meta.protowire import ProtobufError
from crdkit.meta.types import JsonObject
from crdkit.registry.bodies import Unfit, Unreadable
from crdkit.registry.request import Request

_KINDS: Final = {(kind.group, kind.version, kind.plural): kind for kind in KINDS}
_NO_MESSAGES: Final = (
    "object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message"
)


def read(request: Request) -> JsonObject:
    """The body as JSON tells it, its kind and version first. Raises `Unreadable`.

    Of a kind that is unknown here that is all: whoever asked for another one refuses it.
    """
    try:
        found = envelope.open_envelope(request.body)
    except ProtobufError as error:
        raise Unreadable(str(error)) from error
    expected_version, expected_kind = _expected(request)
    api_version, kind = found.api_version or expected_version, found.kind or expected_kind
    table = envelope.table_of(api_version, kind)
    try:
        fields = table.read(kind, found.raw) if table is not None else {}
    except ProtobufError as error:
        raise Unfit(kind, api_version, str(error)) from error
    return {**fields, "apiVersion": api_version, "kind": kind}


def _expected(request: Request) -> tuple[str, str]:
    """The version and kind of a body that does not tell them."""
    if request.verb in ("delete", "deletecollection"):
        return "v1", "DeleteOptions"
    kind = _KINDS.get((request.group, request.version, request.resource))
    if kind is None:
        raise Unreadable(_NO_MESSAGES)
    return kind.api_version, kind.kind
