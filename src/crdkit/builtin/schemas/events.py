"""The types of ``events.k8s.io/v1``: events in their newer form."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas import core
from crdkit.builtin.schemas.notation import META, integer, kind, list_of, one, string, struct

V1: Final = "io.k8s.api.events.v1."

TYPES: Final = {
    V1 + "Event": kind(
        "Event tells of something that happened to an object. Events are kept for a while only.",
        {
            "action": string("action is what was done, or was tried. New events need it; at most 128 characters."),
            "deprecatedCount": integer("deprecatedCount is the count of the core form."),
            "deprecatedFirstTimestamp": one(META + "Time", "deprecatedFirstTimestamp is that of the core form.", optional=True),
            "deprecatedLastTimestamp": one(META + "Time", "deprecatedLastTimestamp is that of the core form.", optional=True),
            "deprecatedSource": one(core.V1 + "EventSource", "deprecatedSource is the source of the core form."),
            "eventTime": one(META + "MicroTime", "eventTime is when it was first seen. It is required.", optional=True),
            "note": string("note tells people what happened, in at most 1,024 bytes."),
            "reason": string("reason is one word, in CamelCase, for what happened; at most 128 characters."),
            "regarding": one(core.V1 + "ObjectReference", "regarding is the object that the event is about."),
            "related": one(core.V1 + "ObjectReference", "related is a second object that has to do with it.", optional=True),
            "reportingController": string("reportingController is the controller that reports, such as `example.com/controller`."),
            "reportingInstance": string("reportingInstance is which of its processes reports; at most 128 characters."),
            "series": one(V1 + "EventSeries", "series is about further events like this one; there are none without it.", optional=True),
            "type": string("type is Normal or Warning, or one of those to come."),
        },
        required=("eventTime",),
    ),
    V1 + "EventList": list_of(V1 + "Event", "EventList is a list of events.", "items are the events."),
    V1 + "EventSeries": struct(
        "EventSeries sums up events that go on happening.",
        {
            "count": integer("count is how many there were up to the last report.", default=0),
            "lastObservedTime": one(META + "MicroTime", "lastObservedTime is when the last was seen.", optional=True),
        },
        required=("count", "lastObservedTime"),
    ),
}
