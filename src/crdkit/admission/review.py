"""AdmissionReview: what a webhook is sent, and what is taken from its answer (admission.k8s.io v1 and v1beta1)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from crdkit.access.user import User
from crdkit.admission.attributes import Attributes, Variant
from crdkit.meta import json
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.golang import quote
from crdkit.meta.gostruct import StructTable
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.documents import Document, DocumentError, check_kind, read_document
from crdkit.webhooks.statuses import STATUSES

GROUP: Final = "admission.k8s.io"
KIND: Final = "AdmissionReview"
KNOWN: Final = ("v1", "v1beta1")
JSON_PATCH: Final = "JSONPatch"

_OTHERS: Final = frozenset((f"{GROUP}/{version}", KIND) for version in KNOWN)
_STRUCTS: Final = {
    version: StructTable(
        package=version,
        structs={
            KIND: {"kind": "string?", "apiVersion": "string?", "request": "any?", "response": "*AdmissionResponse?"},
            "AdmissionResponse": {
                "uid": "types.UID",
                "allowed": "bool",
                "status": "*v1.Status?",
                "patch": "[]byte?",
                "patchType": "*PatchType?",
                "auditAnnotations": "map[string]string?",
                "warnings": "[]string?",
            },
        },
        aliases={"PatchType": "string"},
        includes=(STATUSES,),
    )
    for version in KNOWN
}


class UnreadableReview(ValueError):
    """The answer cannot be read as a review; ``str()`` is the real server's text."""


class InvalidReview(ValueError):
    """The answer is a review, but not one to this request; ``str()`` is the real server's text."""


@record
class Verdict:
    """What a webhook answered."""

    allowed: bool
    status: JsonObject | None = None
    patch: bytes = b""
    patch_type: str = ""
    warnings: Sequence[str] = ()
    annotations: dict[str, str] = field(default_factory=dict)


def review_version(wanted: Sequence[str]) -> str | None:
    """The version of reviews that a webhook is sent: the first known one that it takes."""
    return next((version for version in wanted if version in KNOWN), None)


def request_of(attributes: Attributes, variant: Variant) -> JsonObject:
    """A request as it is told to webhooks and expressions alike: all of it but the objects. What is empty is left out."""
    own = attributes.target.variant
    request: JsonObject = {"kind": variant.kind.json(), "resource": variant.place.json()}
    if attributes.subresource:
        request["subResource"] = attributes.subresource
    request |= {"requestKind": own.kind.json(), "requestResource": own.place.json()}
    if attributes.subresource:
        request["requestSubResource"] = attributes.subresource
    if attributes.name:
        request["name"] = attributes.name
    if attributes.namespace:
        request["namespace"] = attributes.namespace
    request["operation"] = attributes.operation
    request["userInfo"] = user_info(attributes.user)
    request["dryRun"] = attributes.dry_run
    request["options"] = attributes.options
    return request


def user_info(user: User) -> JsonObject:
    info: JsonObject = {}
    if user.name:
        info["username"] = user.name
    if user.uid:
        info["uid"] = user.uid
    if user.groups:
        info["groups"] = list(user.groups)
    if user.extra:
        info["extra"] = {key: list(values) for key, values in user.extra.items()}
    return info


def request(version: str, uid: str, told: JsonObject, obj: JsonObject | None, old: JsonObject | None) -> bytes:
    """The review that asks about a request."""
    asked = {"uid": uid, **told, "object": obj, "oldObject": old}
    return json.encode({"kind": KIND, "apiVersion": f"{GROUP}/{version}", "request": asked})


def verdict(data: bytes, version: str, uid: str, kube: KubeVersion, *, mutating: bool) -> Verdict:
    """What is taken from an answer. Raises `UnreadableReview` or `InvalidReview`."""
    try:
        document = read_document(data)
        check_kind(document, GROUP, version, KIND, others=_OTHERS)
        review: JsonObject = _STRUCTS[version].decode(KIND, document.value, kube=kube).value
    except (DocumentError, DecodeError) as error:
        raise UnreadableReview(str(error)) from error
    response = review.get("response")
    if response is None:
        msg = "webhook response was absent"
        raise InvalidReview(msg)
    if version == "v1":
        _check(document, response, uid, mutating=mutating)
    patch = base64.b64decode(response.get("patch") or "") if mutating else b""
    return Verdict(
        response["allowed"],
        response.get("status"),
        patch,
        response.get("patchType") or "" if version == "v1" else JSON_PATCH,
        response.get("warnings") or (),
        response.get("auditAnnotations") or {},
    )


def _check(document: Document, response: JsonObject, uid: str, *, mutating: bool) -> None:
    """Later versions are strict: an answer must tell what it is about, and patch only where it may."""
    if response["uid"] != uid:
        msg = f"expected response.uid={quote(uid)}, got {quote(response['uid'])}"
        raise InvalidReview(msg)
    expected = f"{GROUP}/v1"
    if (document.api_version, document.kind) != (expected, KIND):
        found = document.api_version or "/"
        found = found if "/" in found else f"/{found}"
        msg = f"expected webhook response of {expected}, Kind={KIND}, got {found}, Kind={document.kind}"
        raise InvalidReview(msg)
    patch, patch_type = bool(response.get("patch")), response.get("patchType")
    for msg in _patch_faults(mutating=mutating, patch=patch, patch_type=patch_type):
        raise InvalidReview(msg)


def _patch_faults(*, mutating: bool, patch: bool, patch_type: str | None) -> list[str]:
    if not mutating:
        found = ["response.patch"] * patch + ["response.patchType"] * (patch_type is not None)
        return [f"validating webhook may not return {what}" for what in found]
    if patch and patch_type is None:
        return ["webhook returned response.patch but not response.patchType"]
    if not patch and patch_type is not None:
        return ["webhook returned response.patchType but not response.patch"]
    return [f"webhook returned invalid response.patchType of {quote(patch_type)}"] if patch_type == "" else []
