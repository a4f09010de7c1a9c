"""Conditions in the status of built-in kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, names
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

_STATES: Final = ("True", "False", "Unknown")
_REASON_LIMIT: Final = 1024
_MESSAGE_LIMIT: Final = 32 * 1024
_REASON: Final = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?")
_REASON_FORM: Final = (
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must"
    " end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB',"
    " regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
)


def check_conditions(conditions: list[JsonObject], at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """apimachinery's rules for ``metav1.Condition``."""
    seen: set[str] = set()
    for position, condition in enumerate(conditions):
        below = at.index(position)
        if condition["type"] in seen:
            yield errors.duplicate(below / "type", condition["type"])
        seen.add(condition["type"])
        yield from _check_condition(condition, below, kube)


def _check_condition(condition: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    yield from (errors.invalid(at / "type", condition["type"], fault) for fault in names.label_key(condition["type"], kube))
    if condition["status"] not in _STATES:
        yield errors.not_supported(at / "status", condition["status"], sorted(_STATES))
    if (generation := condition.get("observedGeneration", 0)) < 0:
        yield errors.invalid(at / "observedGeneration", generation, "must be greater than or equal to zero")
    if condition.get("lastTransitionTime") is None:
        yield errors.required(at / "lastTransitionTime")
    if not (reason := condition["reason"]):
        yield errors.required(at / "reason")
    elif not _REASON.fullmatch(reason):
        yield errors.invalid(at / "reason", reason, _REASON_FORM)
    if len(reason) > _REASON_LIMIT:
        yield errors.too_long(at / "reason", _REASON_LIMIT, kube)
    if len(condition["message"]) > _MESSAGE_LIMIT:
        yield errors.too_long(at / "message", _MESSAGE_LIMIT, kube)
