"""The fields of CEL rules, as texts: what can be said of them without compiling an expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crdkit.meta import golang
from crdkit.meta.errors import FieldError, invalid, not_supported, required
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema import fieldpaths
from crdkit.schema.structural import NotStructural, build

REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")

_SHORT_DETAILS: Final = KubeVersion(1, 34)
"""From here on a detail does not repeat the name of the field."""
_LINE_BREAK: Final = re.compile(r"[\n\r]")


def check_rule_texts(schema: JsonObject, at: FieldPath, *, kube: KubeVersion) -> Iterator[FieldError]:
    """Check the rules of one node."""
    for index, rule in enumerate(schema.get("x-kubernetes-validations") or ()):
        place = (at / "x-kubernetes-validations").index(index)
        yield from _check_rule_and_message(rule or {}, place, kube)
        expression = _text(rule, "messageExpression")
        if expression and not expression.strip():
            yield required(place / "messageExpression", "messageExpression must be non-empty if specified")
        reason = (rule or {}).get("reason")
        if reason is not None and reason not in REASONS:
            yield not_supported(place / "reason", golang.Typed(reason, golang.quote(reason)), REASONS)
        if path := _text(rule, "fieldPath"):
            yield from _check_field_path(schema, path, place / "fieldPath", kube)


def _text(rule: JsonObject | None, name: str) -> str:
    text = (rule or {}).get(name)
    return text if isinstance(text, str) else ""


def _detail(field: str, text: str, kube: KubeVersion) -> str:
    return text if kube >= _SHORT_DETAILS else f"{field} {text}"


def _check_rule_and_message(rule: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """Only the first fault is told."""
    expression, message = _text(rule, "rule").strip(), _text(rule, "message")
    if not expression:
        yield required(at / "rule", "rule is not specified")
    elif message and not message.strip():
        yield invalid(at / "message", message, _detail("message", "must be non-empty if specified", kube))
    elif _LINE_BREAK.search(message.strip()):
        yield invalid(at / "message", message, _detail("message", "must not contain line breaks", kube))
    elif _LINE_BREAK.search(expression) and not message:
        yield required(at / "message", "message must be specified if rule contains line breaks")


def _check_field_path(schema: JsonObject, path: str, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    if not path.strip():
        yield invalid(at, path, _detail("fieldPath", "must be non-empty if specified", kube))
    if _LINE_BREAK.search(path):
        yield invalid(at, path, _detail("fieldPath", "must not contain line breaks", kube))
    if not _leads_somewhere(schema, path):
        yield invalid(at, path, _detail("fieldPath", "must be a valid path", kube))


def _leads_somewhere(schema: JsonObject, path: str) -> bool:
    try:
        fieldpaths.find(path, build(schema))
    except NotStructural:
        return True  # nobody can tell, and the schema is refused anyway
    except fieldpaths.InvalidFieldPath:
        return False
    return True
