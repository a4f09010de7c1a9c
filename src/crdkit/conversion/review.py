"""ConversionReview: what a webhook is sent, and what is taken from its answer (apiextensions v1 and v1beta1)."""

from __future__ import annotations

import json as standard_json
from collections.abc import Sequence
from typing import Final

from crdkit.conversion.texts import Text, marks_of_owners, shorten
from crdkit.meta import golang
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.documents import Document, DocumentError, check_kind, read_document
from crdkit.webhooks.statuses import STATUSES

GROUP: Final = "apiextensions.k8s.io"
KIND: Final = "ConversionReview"
KNOWN: Final = ("v1", "v1beta1")

_OTHERS: Final = frozenset(
    (f"{GROUP}/{version}", kind) for version in KNOWN for kind in (KIND, "CustomResourceDefinition", "CustomResourceDefinitionList")
)
_STRUCTS: Final = {
    version: StructTable(
        package=version,
        structs={
            KIND: {"kind": "string?", "apiVersion": "string?", "request": "*ConversionRequest?", "response": "*ConversionResponse?"},
            "ConversionRequest": {"uid": "types.UID", "desiredAPIVersion": "string", "objects": "[]runtime.RawExtension"},
            "ConversionResponse": {"uid": "types.UID", "convertedObjects": "[]runtime.RawExtension", "result": "v1.Status"},
        },
        includes=(STATUSES,),
        special={"runtime.RawExtension": lambda _table, value, _run: value},
    )
    for version in KNOWN
}

_NULL: Final = b"null"
_REQUEST_END: Final = b']},"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}'
_SUCCESS: Final = ({"status": "Success"}, {"metadata": {}, "status": "Success"})
"""How webhooks tell of success, the latter those written in Go."""


class BadReview(ValueError):
    """The answer is no review that tells of success; ``str()`` is the real server's text."""


def review_version(wanted: Sequence[str]) -> str | None:
    """The version of reviews that a webhook is sent: the first known one that it takes."""
    return next((version for version in wanted if version in KNOWN), None)


def request(version: str, uid: str, objects: Sequence[bytes], desired: str) -> bytes:
    """The review that asks for objects, which are given as JSON, in another version."""
    head = f'{{"kind":"{KIND}","apiVersion":"{GROUP}/{version}","request":{{"uid":"{uid}","desiredAPIVersion":"{desired}","objects":['
    return b"%s%s%s" % (head.encode(), b",".join(objects), _REQUEST_END)


class Answered:
    """An answer that is a review."""

    def __init__(self, review: JsonObject, document: Document, version: str) -> None:
        self._review, self._document, self._version = review, document, version

    @property
    def nulls(self) -> bool:
        """Whether there may be a null anywhere."""
        return _NULL in self._document.text

    def objects(self, uid: str) -> list[Json]:
        """The converted objects, of whatever form. Raises `BadReview` unless the review with that uid succeeded."""
        if self._version != "v1beta1":
            _check_type(self._document.api_version, self._document.kind, self._version)
        answer = self._review.get("response")
        if answer is None:
            raise BadReview("no response provided")
        if self._version != "v1beta1" and answer["uid"] != uid:
            raise BadReview(f"expected response.uid={golang.quote(uid)}, got {golang.quote(answer['uid'])}")
        result = answer["result"]
        if (status := result.get("status", "")) != "Success":
            raise BadReview(result.get("message") or f"response.result.status was '{status}', not 'Success'")
        return answer["convertedObjects"] or []

    def text(self, index: int) -> str:
        """An object as it stood in the answer."""
        return _element_text(self._document.text.decode(errors="replace"), ("response", "convertedObjects"), index)


def read(data: bytes, version: str, kube: KubeVersion, sent: Sequence[Text] = ()) -> Answered:
    """Read the answer to a review of that version, in which those objects were sent. Raises `BadReview`.

    In the objects answered, the ``managedFields`` may be anything.
    """
    if (quickly := _read_short(data, version, sent)) is not None:
        return quickly
    try:
        document = read_document(data)
        if _is_plain(document, version):
            return Answered(document.value, document, version)
        _check_read(document, version, kube)
        return Answered(_STRUCTS[version].decode(KIND, document.value, kube=kube).value, document, version)
    except (DocumentError, DecodeError) as error:
        raise BadReview(str(error)) from error


def _check_read(document: Document, version: str, kube: KubeVersion) -> None:
    """A review of another known version is read as that before it is found to be another."""
    other = document.api_version.removeprefix(f"{GROUP}/")
    if document.kind == KIND and other != version and other in KNOWN:
        _STRUCTS[other].decode(KIND, document.value, kube=kube)
    check_kind(document, GROUP, version, KIND, others=_OTHERS)


def _read_short(data: bytes, version: str, sent: Sequence[Text]) -> Answered | None:
    """Read an answer without the fields of owners, if nothing else is unusual with it."""
    shortened = shorten(data, (fields for text in sent for fields in text.fields))
    if not shortened.marks:
        return None
    try:
        document = read_document(shortened.data)
    except DocumentError:
        return None
    if not _is_plain(document, version) or sum(map(marks_of_owners, document.value["response"]["convertedObjects"])) != shortened.marks:
        return None
    return Answered(document.value, document._replace(text=data), version)


def _is_plain(document: Document, version: str) -> bool:
    """Whether nothing in an answer is wrong or unusual, as in nearly all, so that it need not be decoded as Go does."""
    answer = document.value.get("response")
    return (
        (document.api_version, document.kind) == (f"{GROUP}/{version}", KIND)
        and "request" not in document.value
        and type(answer) is dict
        and type(answer.get("uid")) is str
        and answer.get("result") in _SUCCESS
        and type(answer.get("convertedObjects")) is list
    )


def _check_type(api_version: str, kind: str, version: str) -> None:
    """An answer must tell what it is, too."""
    expected = f"{GROUP}/{version}"
    if (api_version, kind) != (expected, KIND):
        got = f"{api_version or '/'}, Kind={kind}" if "/" in api_version or not api_version else f"/{api_version}, Kind={kind}"
        raise BadReview(f"expected webhook response of {expected}, Kind={KIND}, got {got}")


def _element_text(text: str, path: Sequence[str], index: int) -> str:
    """The text of an element of the list at a path of a JSON document that has been decoded."""
    decoder = standard_json.JSONDecoder()
    position = _blanks(text, 0)
    for name in path:
        position = _member(decoder, text, position, name)
    position = _blanks(text, position + 1)
    for _ in range(index):
        position = _blanks(text, _blanks(text, decoder.raw_decode(text, position)[1]) + 1)
    return text[position : decoder.raw_decode(text, position)[1]]


def _member(decoder: standard_json.JSONDecoder, text: str, position: int, name: str) -> int:
    """Where the last member of that name begins, in the object that begins at ``position``."""
    found = position
    position = _blanks(text, position + 1)
    while text[position] != "}":
        key, position = decoder.raw_decode(text, position)
        position = _blanks(text, _blanks(text, position) + 1)
        if key == name:
            found = position
        position = _blanks(text, decoder.raw_decode(text, position)[1])
        if text[position] == ",":
            position = _blanks(text, position + 1)
    return found


def _blanks(text: str, position: int) -> int:
    while text[position] in " \t\r\n":
        position += 1
    return position
