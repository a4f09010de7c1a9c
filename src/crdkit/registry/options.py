"""The options of a request: what its query (or, for deletions, its body) says beside the object itself."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

from crdkit.meta import errors, golang, gonumbers, managers
from crdkit.meta.errors import FieldError
from crdkit.meta.records import record
from crdkit.meta.status import GroupResource, bad_request, invalid
from crdkit.meta.version import KubeVersion
from crdkit.registry.request import Query, Request

IGNORE: Final = "Ignore"
WARN: Final = "Warn"
STRICT: Final = "Strict"

_INTEGER: Final = re.compile(r"[+-]?[0-9]+\Z")
_INT64: Final = 1 << 63
_KINDS: Final = {"create": "CreateOptions", "update": "UpdateOptions", "patch": "PatchOptions"}
_META_GROUP: Final = "meta.k8s.io"


@record
class WriteOptions:
    """What create, update and patch requests may ask for."""

    dry_run: bool = False
    field_manager: str = ""
    field_validation: str = WARN
    force: bool | None = None


_DEFAULT: Final = WriteOptions()
COMPLETING: Final = WriteOptions(field_validation=IGNORE)
"""With these, objects are decoded that no client has sent."""


def write_options(request: Request, kube: KubeVersion, *, apply: bool = False) -> WriteOptions:
    """The options of a create, update or patch. Raises a `Refusal` for values that are not allowed."""
    query = request.query
    if not query and not apply:
        return _DEFAULT
    return _options(query, request.verb, apply, kube)


@functools.lru_cache(maxsize=256)
def _options(query: Query, verb: str, apply: bool, kube: KubeVersion) -> WriteOptions:
    manager, validation, dry_run = query.first("fieldManager") or "", query.first("fieldValidation") or "", query.all("dryRun")
    force = flag(query, "force") if verb == "patch" and "force" in query else None
    found = [
        *(_check_apply(manager) if apply else _check_force(force)),
        *managers.check_name(manager, "fieldManager", kube),
        *check_dry_run(dry_run),
        *_check_field_validation(validation),
    ]
    if found:
        raise invalid(GroupResource(_META_GROUP, _KINDS[verb]), "", found, kube)
    return WriteOptions(bool(dry_run), manager, validation or WARN, force)


def _check_apply(manager: str) -> list[FieldError]:
    return [] if manager else [errors.required("fieldManager", "is required for apply patch")]


def _check_force(force: bool | None) -> list[FieldError]:
    return [] if force is None else [errors.forbidden("force", "may not be specified for non-apply patch")]


def check_dry_run(values: Sequence[str]) -> list[FieldError]:
    if all(value == "All" for value in values):
        return []
    return [errors.not_supported("dryRun", golang.strings(list(values)), ["All"])]


def _check_field_validation(value: str) -> list[FieldError]:
    allowed = ["", IGNORE, STRICT, WARN]
    return [] if value in allowed else [errors.not_supported("fieldValidation", value, allowed)]


def flag(query: Query, name: str) -> bool:
    """A boolean parameter: only its absence, ``0`` and ``false`` mean no."""
    value = query.first(name)
    return value is not None and value != "0" and value.lower() != "false"


def integer(query: Query, name: str) -> int | None:
    """An integer parameter; None if it is not given."""
    text = query.first(name)
    if text is None:
        return None
    if not _INTEGER.match(text):
        raise bad_request(f"strconv.ParseInt: parsing {golang.quote(text)}: invalid syntax")
    value = gonumbers.of_digits(text)
    if not -_INT64 <= value < _INT64:
        raise bad_request(f"strconv.ParseInt: parsing {golang.quote(text)}: value out of range")
    return value
