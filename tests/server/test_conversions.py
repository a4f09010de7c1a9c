"""How the calls of conversion webhooks are told."""

from __future__ import annotations

from crdkit.conversion.calls import CALL_FAILED, SUCCESS, Calls, Key
from crdkit.server import conversions


def test_calls_are_told_by_definition_and_by_outcome() -> None:
    calls = Calls()
    calls.note(Key("kites.example.com", "v1", "v2", SUCCESS), 0.006)
    calls.note(Key("kites.example.com", "v2", "v1", SUCCESS), 0.03)
    calls.note(Key("kites.example.com", "v1", "v2", CALL_FAILED), 30.5)
    told = {
        (sample.name, *sample.labels.values()): sample.value
        for family in conversions.families(calls.series())
        for sample in family.samples
        if not sample.name.endswith("_sum")
    }
    crd, all_calls = "apiserver_crd_conversion_webhook_duration_seconds", "apiserver_conversion_webhook_duration_seconds"
    assert told[f"{crd}_count", "kites.example.com", "v1", "v2", "true"] == 1
    assert told[f"{crd}_bucket", "kites.example.com", "v1", "v2", "true", "0.004"] == 0
    assert told[f"{crd}_bucket", "kites.example.com", "v1", "v2", "true", "0.008"] == 1
    assert told[f"{crd}_bucket", "kites.example.com", "v1", "v2", "false", "16.384"] == 0
    assert told[f"{crd}_bucket", "kites.example.com", "v1", "v2", "false", "+Inf"] == 1
    assert told["apiserver_conversion_webhook_request_total", "success", ""] == 2
    assert told["apiserver_conversion_webhook_request_total", "failure", CALL_FAILED] == 1
    assert told[f"{all_calls}_bucket", "success", "", "0.01"] == 1
    assert told[f"{all_calls}_bucket", "success", "", "0.05"] == 2
    assert told[f"{all_calls}_bucket", "failure", CALL_FAILED, "45"] == 1
