"""Events, in both of their APIs: core/v1, which is what is stored, and events.k8s.io/v1, which is stricter and names fields otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crdkit.builtin.behaviour import Behaviour
from crdkit.builtin.common_fields import CORE, HEAD
from crdkit.meta import errors, golang, names, objectmeta
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.paths import ROOT
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

_NAME_LIMIT: Final = 128
_MESSAGE_LIMIT: Final = 1024
_TYPES: Final = ("Normal", "Warning")
_UNSET: Final = "needs to be unset"
_ELSEWHERE: Final = "does not match event.namespace"

CORE_FIELDS: Final = StructTable(
    package="v1",
    structs={
        "Event": {
            **HEAD,
            "involvedObject": "ObjectReference",
            "reason": "string?",
            "message": "string?",
            "source": "EventSource?",
            "firstTimestamp": "Time?",
            "lastTimestamp": "Time?",
            "count": "int32?",
            "type": "string?",
            "eventTime": "MicroTime?",
            "series": "*EventSeries?",
            "action": "string?",
            "related": "*ObjectReference?",
            "reportingComponent": "string",
            "reportingInstance": "string",
        },
        "EventSeries": {"count": "int32?", "lastObservedTime": "MicroTime?"},
    },
    includes=(CORE,),
)

FIELDS: Final = StructTable(
    package="v1",
    structs={
        "Event": {
            **HEAD,
            "eventTime": "MicroTime",
            "series": "*EventSeries?",
            "reportingController": "string?",
            "reportingInstance": "string?",
            "action": "string?",
            "reason": "string?",
            "regarding": "ObjectReference?",
            "related": "*ObjectReference?",
            "note": "string?",
            "type": "string?",
            "deprecatedSource": "EventSource?",
            "deprecatedFirstTimestamp": "Time?",
            "deprecatedLastTimestamp": "Time?",
            "deprecatedCount": "int32?",
        },
        "EventSeries": {"count": "int32", "lastObservedTime": "MicroTime"},
    },
    includes=(CORE,),
)

_CORE_NAMES: Final = {
    "reportingController": "reportingComponent",
    "regarding": "involvedObject",
    "note": "message",
    "deprecatedSource": "source",
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
}
_NEW_NAMES: Final = {core: new for new, core in _CORE_NAMES.items()}


def to_core(event: JsonObject) -> JsonObject:
    """An event of events.k8s.io as it is stored; the two share their parts."""
    renamed = {_CORE_NAMES.get(field, field): value for field, value in event.items()}
    return _in_order(CORE_FIELDS, {"reportingComponent": "", "reportingInstance": "", **renamed, "apiVersion": "v1"})


def from_core(event: JsonObject) -> JsonObject:
    """A stored event as events.k8s.io shows it."""
    renamed = {_NEW_NAMES.get(field, field): value for field, value in event.items()}
    shown = {field: value for field, value in renamed.items() if value != "" or field not in ("reportingController", "reportingInstance")}
    return _in_order(FIELDS, {**shown, "apiVersion": "events.k8s.io/v1"})


def _in_order(fields: StructTable, event: JsonObject) -> JsonObject:
    return {field: event[field] for field in fields.structs["Event"] if field in event}


def check_core(event: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What core/v1 asks of an event: little, unless it has an ``eventTime``."""
    involved, namespace = event["involvedObject"].get("namespace", ""), event["metadata"].get("namespace", "")
    if event.get("eventTime") is None:
        if involved != namespace and not (not involved and namespace == "default"):
            yield errors.invalid("involvedObject.namespace", involved, _ELSEWHERE)
        return
    if not involved and namespace not in ("default", "kube-system"):
        yield errors.invalid("involvedObject.namespace", involved, _ELSEWHERE)
    controller = event.get("reportingComponent", "")
    if not controller:
        yield errors.required("reportingController")
    yield from (errors.invalid("reportingController", controller, message) for message in names.label_key(controller, kube))
    for field in ("reportingInstance", "action", "reason"):
        if not event.get(field):
            yield errors.required(field)
        yield from _check_length(event, field, _NAME_LIMIT)
    yield from _check_length(event, "message", _MESSAGE_LIMIT)


def _check_length(event: JsonObject, field: str, limit: int) -> Iterator[FieldError]:
    if len(event.get(field, "").encode("utf-8", "surrogatepass")) > limit:
        yield errors.invalid(field, "", f"can have at most {limit} characters")


def check_new(event: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What events.k8s.io asks of a new event (in its stored form) beside that."""
    at = ROOT / "metadata"
    yield from objectmeta.check_create(event["metadata"], at, namespaced=True, name_check=names.dns1123_subdomain, kube=kube)
    yield from _check_series(event.get("series"))
    if event.get("eventTime") is None:
        yield errors.required("eventTime")
    if (kind := event.get("type", "")) not in _TYPES:
        yield errors.invalid("type", "", f"has invalid value: {kind}")
    yield from (errors.invalid(field, "", _UNSET) for field in ("firstTimestamp", "lastTimestamp", "count", "source") if event.get(field))


def _check_series(series: JsonObject | None) -> Iterator[FieldError]:
    if series is None:
        return
    if series.get("count", 0) < 2:
        yield errors.invalid("series.count", "", "should be at least 2")
    if series.get("lastObservedTime") is None:
        yield errors.required("series.lastObservedTime")


def check_change(new: JsonObject, old: JsonObject) -> Iterator[FieldError]:
    """What of an event (in its stored form) may not be changed through events.k8s.io: all but metadata and series."""
    if new.get("series") != old.get("series"):
        yield from _check_series(new.get("series"))
    for field, told_as, shown in _FIXED:
        if (value := new.get(field)) != old.get(field):
            yield errors.invalid(told_as, shown(value), "field is immutable")


_REFERENCE: Final = {
    "kind": "Kind",
    "namespace": "Namespace",
    "name": "Name",
    "uid": "UID",
    "apiVersion": "APIVersion",
    "resourceVersion": "ResourceVersion",
    "fieldPath": "FieldPath",
}


def _reference(value: JsonObject) -> golang.Typed:
    """A reference as the real server holds it in memory."""
    return _struct("core.ObjectReference", {go: value.get(field, "") for field, go in _REFERENCE.items()})


def _pointer(value: JsonObject | None) -> Json:
    if value is None:
        return None
    told = _reference(value)
    return golang.Typed(told.value, f"&{told.go}")


def _source(value: JsonObject | None) -> golang.Typed:
    given = value or {}
    return _struct("core.EventSource", {"Component": given.get("component", ""), "Host": given.get("host", "")})


def _struct(kind: str, fields: dict[str, str]) -> golang.Typed:
    return golang.Typed(golang.Ordered(fields), f"{kind}{{{', '.join(f'{name}:{golang.quote(value)}' for name, value in fields.items())}}}")


def _text(value: Json) -> Json:
    return "" if value is None else value


def _time(value: Json) -> Json:
    return golang.Typed(None, "null") if value is None else value


def _count(value: Json) -> Json:
    return value or 0


_FIXED: Final[tuple[tuple[str, str, Callable[[Json], Json]], ...]] = (
    ("involvedObject", "involvedObject", _reference),
    ("reason", "reason", _text),
    ("message", "message", _text),
    ("source", "source", _source),
    ("firstTimestamp", "firstTimestamp", _time),
    ("lastTimestamp", "lastTimestamp", _time),
    ("count", "count", _count),
    ("reason", "reason", _text),
    ("type", "type", _text),
    ("eventTime", "eventTime", _time),
    ("action", "action", _text),
    ("related", "related", _pointer),
    ("reportingComponent", "reportingController", _text),
    ("reportingInstance", "reportingInstance", _text),
)
"""The fields that stay, the names they are told under, and how their values are."""


def _selectable() -> dict[str, Callable[[JsonObject], str]]:
    """What field selectors may name, read from a stored event."""

    def involved(field: str) -> Callable[[JsonObject], str]:
        return lambda event: event["involvedObject"].get(field, "")

    def own(field: str) -> Callable[[JsonObject], str]:
        return lambda event: event.get(field, "")

    return {
        **{f"involvedObject.{field}": involved(field) for field in _REFERENCE},
        "reason": own("reason"),
        "reportingComponent": own("reportingComponent"),
        "source": lambda event: (event.get("source") or {}).get("component", "") or event.get("reportingComponent", ""),
        "type": own("type"),
    }


SELECTABLE: Final = _selectable()
CORE_EVENT: Final = Behaviour(fields=CORE_FIELDS, name_check=lambda _: [], check=check_core, selectable=SELECTABLE, creates_on_update=True)
EVENT: Final = Behaviour(fields=FIELDS, name_check=lambda _: [], creates_on_update=True)
"""Its checks are made on the stored form (`check_core`, `check_new`, `check_change`)."""

NEW_SELECTABLE: Final = {
    **{f"regarding.{field}": f"involvedObject.{field}" for field in _REFERENCE},
    "reason": "reason",
    "reportingController": "reportingComponent",
    "type": "type",
}
"""What field selectors of events.k8s.io may name, and what that is in a stored event."""
