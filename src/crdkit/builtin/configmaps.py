"""ConfigMaps (core/v1): text and bytes under keys that can be names of files."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final

from crdkit.builtin.behaviour import CORE_RULES, Behaviour
from crdkit.builtin.common_fields import HEAD, META
from crdkit.meta import errors, names
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

SIZE_LIMIT: Final = 1024 * 1024
"""Bytes that the values of a ConfigMap or a Secret may have together."""
IMMUTABLE: Final = "field is immutable when `immutable` is set"

FIELDS: Final = StructTable(
    package="v1",
    structs={
        "ConfigMap": {
            **HEAD,
            "immutable": "*bool?",
            "data": "map[string]string?",
            "binaryData": "map[string][]byte?",
        }
    },
    includes=(META,),
)


def default(obj: JsonObject) -> None:
    """No bytes are stored for null."""
    if binary := obj.get("binaryData"):
        obj["binaryData"] = {key: value or "" for key, value in binary.items()}


def check(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    data, binary = obj.get("data") or {}, obj.get("binaryData") or {}
    for field, values, other in (("data", data, binary), ("binaryData", binary, data)):
        for key in values:
            at = ROOT / field
            yield from (errors.invalid(at.key(key), key, message) for message in names.config_key(key))
            if key in other and field == "data":
                yield errors.invalid(at.key(key), key, "duplicate of key present in binaryData")
    size = sum(text_size(value) for value in data.values()) + sum(bytes_size(value) for value in binary.values())
    if size > SIZE_LIMIT:
        yield errors.too_long("[]", SIZE_LIMIT, kube)


def check_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    del kube
    yield from check_immutable(new, old, ("data", "binaryData"))


def check_immutable(new: JsonObject, old: JsonObject, fields: tuple[str, ...]) -> Iterator[FieldError]:
    """What has been made immutable stays so."""
    if not old.get("immutable"):
        return
    if not new.get("immutable"):
        yield errors.forbidden("immutable", IMMUTABLE)
    for field in fields:
        if (new.get(field) or {}) != (old.get(field) or {}):
            yield errors.forbidden(field, IMMUTABLE)


def text_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def bytes_size(text: str) -> int:
    """How many bytes a text in base64 stands for."""
    return len(base64.b64decode(text)) if text else 0


CONFIG_MAP: Final = Behaviour(fields=FIELDS, metadata=CORE_RULES, default=default, check=check, check_change=check_change)
