"""From an answer to its body, or to the words for an answer that is none (client-go's rest/request.go and api/errors)."""

from __future__ import annotations

from typing import Final

from crdkit.meta import golang
from crdkit.meta.offload import offload_if
from crdkit.meta.types import Json
from crdkit.webhooks.address import Address
from crdkit.webhooks.caller import JSON, Answer, Caller, CallFailed
from crdkit.webhooks.documents import DocumentError, read_document, takes_long

_TOLD_BYTES: Final = 2048
"""No more of a text is told on."""
_UNKNOWN: Final = "unknown"
_FIXED: Final = {
    400: "the server rejected our request for an unknown reason",
    401: "the server has asked for the client to provide credentials",
    404: "the server could not find the requested resource",
    405: "the server does not allow this method on the requested resource",
    409: "the server reported a conflict",
    422: "the server rejected our request due to an error in our request",
    429: "the server has received too many requests and has asked us to try again later",
    503: "the server is currently unable to handle the request",
    504: "the server was unable to return a response in the time allotted, but may still be processing the request",
}
_CONTENT: Final = "the server was unable to respond with a content type that the client supports"


async def ask(caller: Caller, address: Address, body: bytes, *, seconds: float) -> bytes:
    """Post a body and give that of the answer, which is not empty. Raises `CallFailed`."""
    answer = await caller.post(address, body, seconds=seconds)
    if not 200 <= answer.status <= 206:
        message = await offload_if(takes_long(answer.body), _status_message, answer.body)
        raise CallFailed(_generic(answer) if message is None else message)
    if not answer.body:
        raise CallFailed(f"0-length response with status code: {answer.status} and content type: {answer.content_type or JSON}")
    return answer.body


def _status_message(body: bytes) -> str | None:
    """The message of a Status of failure, if the body is one."""
    if not body:
        return None
    try:
        document = read_document(body)
    except DocumentError:
        return None
    if document.kind != "Status" or document.api_version.count("/") > 1:
        return None
    value: Json = document.value
    if value.get("status") != "Failure" or not isinstance(message := value.get("message", ""), str):
        return None
    return message


def _generic(answer: Answer) -> str:
    code, told = answer.status, _told(answer)
    if code in _FIXED:
        return _FIXED[code]
    if code in (403, 415):
        return told
    if code == 406:
        return _CONTENT if told in ("", _UNKNOWN) else told
    if code >= 500:
        return f"an error on the server ({golang.quote(told)}) has prevented the request from succeeding"
    return f"the server responded with the status code {code} but did not return more information"


def _told(answer: Answer) -> str:
    """What a plain text tells."""
    media = answer.content_type.partition(";")[0].strip().lower()
    if media and not media.startswith("text/"):
        return _UNKNOWN
    return answer.body[:_TOLD_BYTES].decode(errors="replace").strip()
