"""Reports in their forms."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from crdkit.offline import reports
from crdkit.offline.findings import Finding, Report, Severity, Subject
from crdkit.offline.reports import Output

GOOD, BAD, FILE = Subject("a.yaml", 1, "CronTab default/good"), Subject("a.yaml", 2, "CronTab default/bad"), Subject("b,c.yaml", 3)


@pytest.fixture
def report() -> Report:
    findings = [
        Finding(FILE, 4, Severity.ERROR, "", "yaml: line 4: broken\x07"),
        Finding(BAD, 9, Severity.WARNING, "spec.b", "50% odd\nreally", "some-rule", "because", "do that"),
        Finding(BAD, 7, Severity.ERROR, "<nil>", "Invalid value: <b> & c"),
    ]
    return Report(findings, [GOOD, BAD], Counter({"no definition of Pod": 2}))


def test_text_is_a_line_for_each_finding_in_the_order_of_the_files(report: Report) -> None:
    assert reports.render(report, Output.TEXT).split("\n") == [
        "a.yaml:7: error: CronTab default/bad: <nil>: Invalid value: <b> & c",
        "a.yaml:9: warning: CronTab default/bad: spec.b: 50% odd",
        "really [some-rule]",
        "    why: because",
        "    fix: do that",
        "b,c.yaml:4: error: yaml: line 4: broken\x07",
    ]
    assert reports.summary(report) == "2 objects checked, 2 errors, 1 warning, 2 skipped (no definition of Pod: 2)"


def test_json_has_all_there_is(report: Report) -> None:
    whole = json.loads(reports.render(report, Output.JSON))
    assert (whole["checked"], whole["skipped"]) == (2, {"no definition of Pod": 2})
    assert whole["findings"][1] == {
        "file": "a.yaml",
        "line": 9,
        "severity": "warning",
        "object": "CronTab default/bad",
        "field": "spec.b",
        "message": "50% odd\nreally",
        "rule": "some-rule",
        "why": "because",
        "fix": "do that",
    }
    assert whole["findings"][0]["field"] == ""


def test_junit_has_a_suite_for_each_file_and_a_case_for_each_object(report: Report) -> None:
    suites = ET.fromstring(reports.render(report, Output.JUNIT).split("\n", 1)[1])
    assert suites.attrib == {"tests": "3", "failures": "2"}
    first, second = suites
    assert first.attrib == {"name": "a.yaml", "tests": "2", "failures": "1"}
    good, bad = first
    assert (good.attrib["name"], len(good)) == ("CronTab default/good", 0)
    assert [child.tag for child in bad] == ["failure", "system-out"]
    assert bad[0].attrib["message"] == "<nil>: Invalid value: <b> & c"
    assert second[0][0].attrib["message"] == "yaml: line 4: broken\ufffd"


def test_github_s_annotations_are_escaped(report: Report) -> None:
    assert reports.render(report, Output.GITHUB).split("\n") == [
        "::error file=a.yaml,line=7,title=CronTab default/bad::<nil>: Invalid value: <b> & c",
        "::warning file=a.yaml,line=9,title=CronTab default/bad::spec.b: 50%25 odd%0Areally [some-rule]%0Abecause%0Ado that",
        "::error file=b%2Cc.yaml,line=4,title=crdkit::yaml: line 4: broken\x07",
    ]


def test_nothing_to_tell_is_an_empty_text() -> None:
    assert reports.render(Report(checked=[GOOD]), Output.TEXT) == ""
    assert reports.summary(Report(checked=[GOOD])) == "1 object checked, 0 errors, 0 warnings"
