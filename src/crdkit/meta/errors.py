"""Field errors: what is wrong where, as data; their text is made once, in the words of a Kubernetes version."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any, Final

from crdkit.meta import golang
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import V1_36, KubeVersion


class ErrorKind(enum.Enum):
    """The reason told in a cause, and the words that a text begins with (apimachinery's field.ErrorType)."""

    NOT_FOUND = ("FieldValueNotFound", "Not found")
    REQUIRED = ("FieldValueRequired", "Required value")
    DUPLICATE = ("FieldValueDuplicate", "Duplicate value")
    INVALID = ("FieldValueInvalid", "Invalid value")
    NOT_SUPPORTED = ("FieldValueNotSupported", "Unsupported value")
    FORBIDDEN = ("FieldValueForbidden", "Forbidden")
    TOO_LONG = ("FieldValueTooLong", "Too long")
    TOO_MANY = ("FieldValueTooMany", "Too many")
    INTERNAL = ("InternalError", "Internal error")
    TYPE_INVALID = ("FieldValueTypeInvalid", "Invalid value")

    def __init__(self, reason: str, words: str) -> None:
        self.reason = reason
        self.words = words


class _Omitted(enum.Enum):
    OMITTED = enum.auto()


OMITTED: Final = _Omitted.OMITTED
"""Stands for a value that is not told."""
_WITHOUT_VALUE: Final = (ErrorKind.REQUIRED, ErrorKind.FORBIDDEN, ErrorKind.TOO_LONG, ErrorKind.INTERNAL)
JSON_VALUES: Final = KubeVersion(1, 34)
"""From here on a value that is no scalar is told as JSON, before as Go syntax."""


@record
class FieldError:
    """One thing that is wrong with one field. ``path`` is as printed; at the root of an object it is ``<nil>``."""

    kind: ErrorKind
    path: str
    value: Any
    detail: str

    def body(self, kube: KubeVersion = V1_36) -> str:
        """The text after the field: ``Invalid value: "x": must be shorter``."""
        text = self.kind.words
        if self.kind not in _WITHOUT_VALUE and self.value is not OMITTED:
            text = f"{text}: {value_text(self.value, kube)}"
        return f"{text}: {self.detail}" if self.detail else text

    def text(self, kube: KubeVersion = V1_36) -> str:
        return f"{self.path}: {self.body(kube)}"

    def cause(self, kube: KubeVersion = V1_36) -> JsonObject:
        """The error as a StatusCause."""
        return {"reason": self.kind.reason, "message": self.body(kube), "field": self.path}


def value_text(value: Any, kube: KubeVersion) -> str:
    """How an error tells the value it is about."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return golang.format_float(value)
    if isinstance(value, str):
        return golang.quote(value)
    if kube >= JSON_VALUES:
        return golang.to_json(value)
    return '"null"' if value is None else golang.go_syntax(value)


def aggregate(errors: Iterable[FieldError], kube: KubeVersion = V1_36) -> str:
    """The text of several errors as one: each said once, in brackets where there are more than one."""
    return joined(error.text(kube) for error in errors)


def joined(texts: Iterable[str]) -> str:
    """Texts of errors as one."""
    told = list(dict.fromkeys(texts))
    return told[0] if len(told) == 1 else "[" + ", ".join(told) + "]"


def _place(at: FieldPath | str) -> str:
    return str(at) or "<nil>"


def required(at: FieldPath | str, detail: str = "") -> FieldError:
    return FieldError(ErrorKind.REQUIRED, _place(at), "", detail)


def invalid(at: FieldPath | str, value: Any, detail: str) -> FieldError:
    return FieldError(ErrorKind.INVALID, _place(at), value, detail)


def type_invalid(at: FieldPath | str, value: Any, detail: str) -> FieldError:
    return FieldError(ErrorKind.TYPE_INVALID, _place(at), value, detail)


def not_supported(at: FieldPath | str, value: Any, supported: Sequence[str]) -> FieldError:
    """The supported values are told quoted, in the order given."""
    detail = "supported values: " + ", ".join(golang.quote(item) for item in supported) if supported else ""
    return FieldError(ErrorKind.NOT_SUPPORTED, _place(at), value, detail)


def duplicate(at: FieldPath | str, value: Any) -> FieldError:
    return FieldError(ErrorKind.DUPLICATE, _place(at), value, "")


def not_found(at: FieldPath | str, value: Any) -> FieldError:
    return FieldError(ErrorKind.NOT_FOUND, _place(at), value, "")


def forbidden(at: FieldPath | str, detail: str) -> FieldError:
    return FieldError(ErrorKind.FORBIDDEN, _place(at), "", detail)


def internal(at: FieldPath | str, detail: str) -> FieldError:
    return FieldError(ErrorKind.INTERNAL, _place(at), None, detail)


def _plural(count: int, noun: str, kube: KubeVersion) -> str:
    return noun if count == 1 and kube >= JSON_VALUES else noun + "s"


def too_long(at: FieldPath | str, limit: int, kube: KubeVersion) -> FieldError:
    """``limit`` is in bytes, or so the text says."""
    detail = f"may not be more than {limit} {_plural(limit, 'byte', kube)}" if limit >= 0 else "value is too long"
    return FieldError(ErrorKind.TOO_LONG, _place(at), "", detail)


def too_many(at: FieldPath | str, count: int, limit: int, kube: KubeVersion) -> FieldError:
    detail = f"must have at most {limit} {_plural(limit, 'item', kube)}" if limit >= 0 else "has too many items"
    return FieldError(ErrorKind.TOO_MANY, _place(at), count, detail)
