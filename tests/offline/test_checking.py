"""Files of definitions and objects, checked."""

from __future__ import annotations

import json
from typing import Any

from crdkit.offline import documents
from crdkit.offline.checking import Input, Settings, check
from crdkit.offline.findings import Report
from crdkit.offline.judging import FieldValidation
from tests.offline.crontabs import crontab, definition, version


def inputs(*values: Any, file: str = "a.yaml") -> list[Input]:
    text = "---\n".join(value if isinstance(value, str) else json.dumps(value, indent=1) + "\n" for value in values)
    return [Input(file, found) for found in documents.scan_text(text.encode(), file)]


def told(report: Report) -> list[tuple[str, str]]:
    return [(str(finding.severity), finding.text) for finding in report.ordered()]


OBJECT = """apiVersion: example.com/v1
kind: CronTab
metadata: {name: nightly, namespace: jobs}
spec:
  schedule: "* *"
  replicas: 0
  color: red
"""


def test_an_error_has_file_line_object_field_and_words() -> None:
    report = check([*inputs(OBJECT, file="b.yaml"), *inputs(definition())], Settings())
    found = [(finding.file, finding.line, finding.subject.name, finding.field, finding.message) for finding in report.ordered()]
    assert found == [
        ("b.yaml", 6, "CronTab jobs/nightly", "spec.replicas", TOO_LOW),
        ("b.yaml", 7, "CronTab jobs/nightly", "spec.color", 'unknown field "spec.color"'),
    ]
    assert [subject.name for subject in report.checked] == ["CustomResourceDefinition crontabs.example.com", "CronTab jobs/nightly"]


TOO_LOW = "Invalid value: 0: spec.replicas in body should be greater than or equal to 1"


def test_unknown_fields_are_errors_warnings_or_nothing() -> None:
    for validation, severity in (("Strict", "error"), ("Warn", "warning"), ("Ignore", None)):
        report = check(inputs(definition(), crontab(color=1)), Settings(validation=FieldValidation(validation)))
        assert told(report) == ([(severity, 'spec.color: unknown field "spec.color"')] if severity else [])


def test_a_field_given_twice_is_an_error() -> None:
    text = OBJECT.replace("  replicas: 0\n  color: red\n", '  schedule: "*"\n')
    report = check(inputs(definition(), text), Settings())
    assert told(report) == [("error", 'key "schedule" already set in map')]


def test_unknown_kinds_are_skipped_and_counted() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}}
    report = check(inputs(definition(), pod, job, job), Settings())
    assert report.findings == []
    assert report.skipped == {"no definition of Pod": 1, "no definition of Job.batch": 2}
    report = check(inputs(pod), Settings(strict_kinds=True))
    assert told(report) == [("error", 'apiVersion: no matches for kind "Pod" in version "v1"')]


def test_an_object_without_kind_or_version_is_an_error() -> None:
    report = check(inputs({"apiVersion": "v1"}, {"kind": "A"}), Settings())
    assert told(report) == [("error", "Object 'Kind' is missing"), ("error", "Object 'apiVersion' is missing")]
    assert [subject.name for subject in report.checked] == ["", "A *"]


def test_errors_in_a_definition_are_found_where_they_stand() -> None:
    raw = json.dumps(definition(version(openapi={"type": "object", "properties": {"spec": {"minimum": 1}}})), indent=1)
    report = check(inputs(raw + "\n", crontab()), Settings())
    assert told(report) == [
        ("error", "spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields")
    ]
    assert raw.splitlines()[report.findings[0].line - 1].strip() == '"spec": {'
    assert report.skipped == {"the definition of CronTab.example.com is refused": 1}


def test_a_definition_of_old_is_an_error() -> None:
    report = check(inputs({**definition(), "apiVersion": "apiextensions.k8s.io/v1beta1"}, crontab()), Settings())
    what = 'no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v1beta1" (crdkit upgrade rewrites it)'
    assert told(report) == [("error", f"apiVersion: {what}")]
    assert report.skipped == {"the definition of CronTab.example.com is of an API that is gone": 1}


def test_against_older_objects_updates_are_checked() -> None:
    report = check(inputs(definition(), crontab(replicas=0, schedule="*")), Settings(), against=inputs(crontab(replicas=0)))
    assert report.findings == []
    report = check(inputs(definition(), crontab(replicas=0)), Settings(), against=inputs(crontab(replicas=0), crontab("b")))
    assert report.findings == []
    report = check(inputs(definition(), crontab("b", replicas=0)), Settings(), against=inputs(crontab(replicas=0)))
    assert told(report) == [("error", f"spec.replicas: {TOO_LOW}")]


def test_against_older_definitions_updates_are_checked() -> None:
    report = check(inputs(definition(scope="Cluster")), Settings(), against=inputs(definition()))
    assert told(report) == [("error", 'spec.scope: Invalid value: "Cluster": field is immutable')]
    report = check(inputs(crontab(replicas=0)), Settings(), against=inputs(definition()))
    assert told(report) == [("error", f"spec.replicas: {TOO_LOW}")]


def test_what_a_webhook_would_convert_is_checked_as_new() -> None:
    hook = {"clientConfig": {"url": "https://localhost"}, "conversionReviewVersions": ["v1"]}
    raw = definition(version("v1", storage=False), version("v2"), conversion={"strategy": "Webhook", "webhook": hook})
    report = check(inputs(raw, crontab(api="example.com/v2")), Settings(), against=inputs(crontab()))
    assert told(report) == [("warning", "not compared with its older state: crontabs.example.com converts v1 to v2 by a webhook")]


def test_warnings_of_the_server_are_told() -> None:
    report = check(inputs(definition(), {**crontab(), "metadata": {"name": "a", "finalizers": ["x"]}}), Settings())
    wish = "prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"
    assert told(report) == [("warning", f'metadata.finalizers: "x": {wish}')]
    assert not report.has_errors


def test_each_document_is_counted() -> None:
    steps: list[None] = []
    check(inputs(definition(), crontab("a"), crontab("b")), Settings(), advance=lambda: steps.append(None))
    assert len(steps) == 3
