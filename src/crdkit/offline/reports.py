"""Reports as text, JSON, JUnit's XML, and GitHub's annotations."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from crdkit.meta import json
from crdkit.offline.findings import Finding, Report, Severity, Subject


class Output(enum.StrEnum):
    """A form of reports."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    GITHUB = "github"


def render(report: Report, output: Output) -> str:
    """The report in that form, without a newline at its end; empty where there is nothing to tell."""
    return _RENDERERS[output](report)


def summary(report: Report) -> str:
    """The outcome in a line."""
    errors = sum(finding.severity is Severity.ERROR for finding in report.findings)
    warnings = len(report.findings) - errors
    parts = [f"{counted(len(report.checked), 'object')} checked", counted(errors, "error"), counted(warnings, "warning")]
    if report.skipped:
        whys = "; ".join(f"{why}: {count}" for why, count in sorted(report.skipped.items()))
        parts.append(f"{report.skipped.total()} skipped ({whys})")
    return ", ".join(parts)


def counted(number: int, noun: str) -> str:
    """``1 object``, ``2 objects``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def text_of(finding: Finding) -> str:
    """``file:line: error: CronTab default/a: spec.replicas: Invalid value: ...``, with why and what to do on lines of their own."""
    name = f"{finding.subject.name}: " if finding.subject.name else ""
    first = f"{finding.file}:{finding.line}: {finding.severity}: {name}{finding.text}"
    return "\n".join([first, *(f"    {label}: {text}" for label, text in (("why", finding.why), ("fix", finding.fix)) if text)])


def _text(report: Report) -> str:
    return "\n".join(text_of(finding) for finding in report.ordered())


def _json(report: Report) -> str:
    findings = [
        {
            "file": finding.file,
            "line": finding.line,
            "severity": finding.severity.value,
            "object": finding.subject.name,
            "field": "" if finding.field == "<nil>" else finding.field,
            "message": finding.message,
            **{key: text for key, text in (("rule", finding.rule), ("why", finding.why), ("fix", finding.fix)) if text},
        }
        for finding in report.ordered()
    ]
    return json.encode({"findings": findings, "checked": len(report.checked), "skipped": dict(report.skipped)}).decode()


def _github(report: Report) -> str:
    return "\n".join(_annotation(finding) for finding in report.ordered())


def _annotation(finding: Finding) -> str:
    advice = "".join(f"\n{text}" for text in (finding.why, finding.fix) if text)
    where = f"file={_property(finding.file)},line={finding.line},title={_property(finding.subject.name or 'crdkit')}"
    return f"::{finding.severity} {where}::{_data(finding.text + advice)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _junit(report: Report) -> str:
    """A suite for each file, a case for each object; warnings are told beside a case that passes."""
    found: dict[Subject, list[Finding]] = {subject: [] for subject in report.checked}
    for finding in report.ordered():
        found.setdefault(finding.subject, []).append(finding)
    suites: dict[str, list[str]] = {}
    failures: dict[str, int] = {}
    for subject, findings in found.items():
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        suites.setdefault(subject.file, []).append(_case(subject, findings))
        failures[subject.file] = failures.get(subject.file, 0) + bool(errors)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites tests="{len(found)}" failures="{sum(failures.values())}">']
    for file, cases in suites.items():
        lines.append(f'  <testsuite name={_attribute(file)} tests="{len(cases)}" failures="{failures[file]}">')
        lines += [*cases, "  </testsuite>"]
    return "\n".join([*lines, "</testsuites>"])


def _case(subject: Subject, findings: Iterable[Finding]) -> str:
    head = f"    <testcase classname={_attribute(subject.file)} name={_attribute(subject.name or 'file')}"
    inside = [_failure(finding) if finding.severity is Severity.ERROR else _note(finding) for finding in findings]
    return "\n".join([f"{head}>", *inside, "    </testcase>"]) if inside else f"{head}/>"


def _failure(finding: Finding) -> str:
    return f"      <failure message={_attribute(finding.text)}>{escape(_printable(text_of(finding)))}</failure>"


def _note(finding: Finding) -> str:
    return f"      <system-out>{escape(_printable(text_of(finding)))}</system-out>"


def _attribute(text: str) -> str:
    return quoteattr(_printable(text))


def _printable(text: str) -> str:
    """XML 1.0 has no place for most control characters."""
    return "".join(char if char >= " " or char in "\t\n\r" else "\ufffd" for char in text)


_RENDERERS: Final[dict[Output, Callable[[Report], str]]] = {
    Output.TEXT: _text,
    Output.JSON: _json,
    Output.JUNIT: _junit,
    Output.GITHUB: _github,
}
