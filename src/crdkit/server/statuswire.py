"""A Status as protocol buffers, by the numbers of apimachinery's ``generated.proto``: for clients that read nothing else."""

from __future__ import annotations

from typing import Final

from crdkit.meta.types import JsonObject
from crdkit.server.discoverywire import MAGIC
from crdkit.server.protobuf import Field, Message, integer, text


def _message(**fields: Field) -> Message:
    message = Message()
    message.fields = fields
    return message


_CAUSE: Final = _message(reason=text(1), message=text(2), field=text(3))
_DETAILS: Final = _message(
    name=text(1),
    group=text(2),
    kind=text(3),
    causes=Field(4, _CAUSE, repeated=True),
    retryAfterSeconds=integer(5),
    uid=text(6),
)
_STATUS: Final = _message(
    metadata=Field(1, _message()),
    status=text(2),
    message=text(3),
    reason=text(4),
    details=Field(5, _DETAILS),
    code=integer(6),
)
_ENVELOPE: Final = _message(typeMeta=Field(1, _message(apiVersion=text(1), kind=text(2))), raw=Field(2, bytes))


def encode(status: JsonObject) -> bytes:
    """A Status in the envelope that tells its kind."""
    return MAGIC + _ENVELOPE({"typeMeta": {"apiVersion": "v1", "kind": "Status"}, "raw": _STATUS(status)})
