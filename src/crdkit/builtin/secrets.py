"""Secrets (core/v1): bytes under keys; those of a known type must have its keys."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final

from crdkit.builtin import keypairs
from crdkit.builtin.behaviour import CORE_RULES, Behaviour
from crdkit.builtin.common_fields import HEAD, META
from crdkit.builtin.configmaps import SIZE_LIMIT, bytes_size, check_immutable
from crdkit.meta import errors, json, names
from crdkit.meta.errors import FieldError
from crdkit.meta.godecoding import sort_of
from crdkit.meta.gostruct import StructTable
from crdkit.meta.json import JsonError
from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

OPAQUE: Final = "Opaque"
ACCOUNT_TOKEN: Final = "kubernetes.io/service-account-token"  # noqa: S105 (a type of Secret, and no secret)
ACCOUNT_NAME: Final = "kubernetes.io/service-account.name"
TLS: Final = "kubernetes.io/tls"
_TLS_KEYS: Final = ("tls.crt", "tls.key")
_REDACTED: Final = "<secret contents redacted>"
_DOCKER_KEYS: Final = {"kubernetes.io/dockercfg": ".dockercfg", "kubernetes.io/dockerconfigjson": ".dockerconfigjson"}
_DATA: Final = ROOT / "data"

FIELDS: Final = StructTable(
    package="v1",
    structs={
        "Secret": {
            **HEAD,
            "immutable": "*bool?",
            "data": "map[string][]byte?",
            "stringData": "map[string]string?",
            "type": "SecretType?",
        }
    },
    aliases={"SecretType": "string"},
    includes=(META,),
)


def default(obj: JsonObject) -> None:
    """``stringData`` is a way to write ``data``; it is never stored."""
    data = {key: value or "" for key, value in (obj.get("data") or {}).items()}
    for key, value in (obj.pop("stringData", None) or {}).items():
        data[key] = base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()
    kind = obj.pop("type", "") or OPAQUE
    obj.pop("data", None)
    if data:
        obj["data"] = data
    obj["type"] = kind


def check(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    data = obj.get("data") or {}
    for key in data:
        yield from (errors.invalid(_DATA.key(key), key, message) for message in names.config_key(key))
    if sum(map(bytes_size, data.values())) > SIZE_LIMIT:
        yield errors.too_long(_DATA, SIZE_LIMIT, kube)
    yield from _check_type(obj["type"], data, obj["metadata"].get("annotations") or {})


def _check_type(kind: str, data: JsonObject, annotations: JsonObject) -> Iterator[FieldError]:
    if kind == ACCOUNT_TOKEN and not annotations.get(ACCOUNT_NAME):
        yield errors.required((ROOT / "metadata" / "annotations").key(ACCOUNT_NAME))
    elif kind in _DOCKER_KEYS:
        yield from _check_docker(_DOCKER_KEYS[kind], data)
    elif kind == "kubernetes.io/basic-auth" and not {"username", "password"} & data.keys():
        yield errors.required(_DATA.key("username"))
        yield errors.required(_DATA.key("password"))
    elif kind == "kubernetes.io/ssh-auth" and not data.get("ssh-privatekey"):
        yield errors.required(_DATA.key("ssh-privatekey"))
    elif kind == TLS:
        yield from (errors.required(_DATA.key(key)) for key in _TLS_KEYS if key not in data)


def _check_docker(key: str, data: JsonObject) -> Iterator[FieldError]:
    if key not in data:
        yield errors.required(_DATA.key(key))
        return
    try:
        value = json.decode(base64.b64decode(data[key]))
    except JsonError as error:
        yield errors.invalid(_DATA.key(key), _REDACTED, str(error))
        return
    if value is not None and type(value) is not dict:
        why = f"json: cannot unmarshal {sort_of(value)} into Go value of type map[string]interface {{}}"
        yield errors.invalid(_DATA.key(key), _REDACTED, why)


def check_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    del kube
    if new["type"] != old["type"]:
        yield errors.invalid("type", new["type"], "field is immutable")
    yield from check_immutable(new, old, ("data",))


def warnings(new: JsonObject, old: JsonObject | None, kube: KubeVersion) -> list[str]:
    """A certificate that is no good is taken all the same."""
    del old, kube
    if new["type"] != TLS:
        return []
    data = new.get("data") or {}
    fault = keypairs.fault(*(base64.b64decode(data.get(key) or "") for key in _TLS_KEYS))
    return [fault] if fault else []


SECRET: Final = Behaviour(
    fields=FIELDS,
    metadata=CORE_RULES,
    default=default,
    check=check,
    check_change=check_change,
    warnings=warnings,
    selectable={"type": lambda obj: obj.get("type", "")},
)
