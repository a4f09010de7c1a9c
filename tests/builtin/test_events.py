"""Events in both of their APIs, and leases."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.builtin import events
from crdkit.builtin.leases import LEASE
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from tests.builtin.judging import faults, read

NEW = {
    "metadata": {"name": "e", "namespace": "ns"},
    "eventTime": "1999-01-02T03:04:05.678901Z",
    "type": "Normal",
    "reason": "Why",
    "action": "Act",
    "reportingController": "example.com/ctl",
    "reportingInstance": "i-1",
    "regarding": {"namespace": "ns"},
}


def stored(**fields: Any) -> dict[str, Any]:
    return events.to_core(read(events.EVENT, "Event", {**NEW, **fields}))


def test_an_event_is_stored_under_the_names_of_core() -> None:
    event = stored(note="it sank", deprecatedCount=3)
    assert event == {
        "kind": "Event",
        "apiVersion": "v1",
        "metadata": {"name": "e", "namespace": "ns"},
        "involvedObject": {"namespace": "ns"},
        "reason": "Why",
        "message": "it sank",
        "source": {},
        "firstTimestamp": None,
        "lastTimestamp": None,
        "count": 3,
        "type": "Normal",
        "eventTime": "1999-01-02T03:04:05.678901Z",
        "action": "Act",
        "reportingComponent": "example.com/ctl",
        "reportingInstance": "i-1",
    }
    assert events.from_core(event)["note"] == "it sank"
    assert events.to_core(events.from_core(event)) == event


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({}, []),
        ({"type": "Odd"}, ['type: Invalid value: "": has invalid value: Odd']),
        ({"deprecatedCount": 2}, ['count: Invalid value: "": needs to be unset']),
        ({"deprecatedSource": {"component": "c"}}, ['source: Invalid value: "": needs to be unset']),
        ({"series": {"count": 1}}, ['series.count: Invalid value: "": should be at least 2', "series.lastObservedTime: Required value"]),
        ({"eventTime": None}, ["eventTime: Required value"]),
    ],
)
def test_a_new_event_is_judged_strictly(fields: dict[str, Any], texts: list[str]) -> None:
    assert [error.text() for error in events.check_new(stored(**fields), V1_36)] == texts


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"regarding": {}}, ['involvedObject.namespace: Invalid value: "": does not match event.namespace']),
        ({"action": ""}, ["action: Required value"]),
        ({"action": "z" * 129}, ['action: Invalid value: "": can have at most 128 characters']),
        ({"note": "z" * 1025}, ['message: Invalid value: "": can have at most 1024 characters']),
        (
            {"eventTime": None, "regarding": {"namespace": "other"}, "action": ""},
            ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
        ),
    ],
)
def test_any_event_is_judged_by_core(fields: dict[str, Any], texts: list[str]) -> None:
    assert [error.text() for error in events.check_core(stored(**fields), V1_36)] == texts


@pytest.mark.parametrize(
    ("kube", "shown"),
    [
        (V1_36, '{"Kind":"","Namespace":"ns","Name":"x","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}'),
        (V1_33, 'core.ObjectReference{Kind:"", Namespace:"ns", Name:"x", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}'),
    ],
)
def test_all_but_the_series_stays(kube: KubeVersion, shown: str) -> None:
    changed = stored(regarding={"namespace": "ns", "name": "x"}, reason="Other")
    assert [error.text(kube) for error in events.check_change(changed, stored())] == [
        f"involvedObject: Invalid value: {shown}: field is immutable",
        'reason: Invalid value: "Other": field is immutable',
        'reason: Invalid value: "Other": field is immutable',
    ]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ({"leaseDurationSeconds": 15, "leaseTransitions": 0}, []),
        (
            {"leaseDurationSeconds": 0, "leaseTransitions": -1},
            [
                "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
                "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
            ],
        ),
    ],
)
def test_leases(spec: dict[str, Any], texts: list[str]) -> None:
    assert faults(LEASE, "Lease", {"spec": spec}) == texts
