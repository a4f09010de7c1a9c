"""The messages of events.k8s.io/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf import core
from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable

V1: Final = MessageTable(
    {
        "Event": {
            "metadata": "1 ObjectMeta",
            "eventTime": "2 MicroTime",
            "series": "3 *EventSeries",
            "reportingController": "4 string",
            "reportingInstance": "5 string",
            "action": "6 string",
            "reason": "7 string",
            "regarding": "8 ObjectReference",
            "related": "9 *ObjectReference",
            "note": "10 string",
            "type": "11 string",
            "deprecatedSource": "12 EventSource",
            "deprecatedFirstTimestamp": "13 Time",
            "deprecatedLastTimestamp": "14 Time",
            "deprecatedCount": "15 int32",
        },
        "EventList": {"metadata": "1 ListMeta", "items": "2 []Event"},
        "EventSeries": {"count": "1 int32", "lastObservedTime": "2 MicroTime"},
    },
    includes=(META, core.V1),
)
