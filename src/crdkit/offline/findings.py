"""What a check found, as data: each finding tells where it is; a report also counts what was fine and what was not looked at."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import field

from crdkit.meta.records import record


class Severity(enum.StrEnum):
    """An error is what a server refuses; a warning, what it takes although somebody may be surprised."""

    ERROR = "error"
    WARNING = "warning"


@record
class Subject:
    """What was looked at: an object, or a file that holds none."""

    file: str
    number: int
    """Tells it from others of the same name."""
    name: str = ""
    """Such as ``CronTab default/nightly``."""


@record
class Finding:
    """One thing to tell. ``field`` is the path as the server prints it; empty for the object as a whole.

    ``rule``, ``why`` and ``fix`` are those of a rule of `lint`, and empty where a server speaks.
    """

    subject: Subject
    line: int
    severity: Severity
    field: str
    message: str
    rule: str = ""
    why: str = ""
    fix: str = ""

    @property
    def file(self) -> str:
        return self.subject.file

    @property
    def text(self) -> str:
        """What is told of the field, after file, line and object."""
        told = f"{self.field}: {self.message}" if self.field else self.message
        return f"{told} [{self.rule}]" if self.rule else told


@record(frozen=False)
class Report:
    """The outcome of a run."""

    findings: list[Finding] = field(default_factory=list)
    checked: list[Subject] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    """How many objects were not looked at, by why: ``no definition of Deployment.apps``."""

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def ordered(self) -> list[Finding]:
        """The findings as they stand in the files, files in the order they were read."""
        files = {subject.file: None for subject in self.checked} | {finding.file: None for finding in self.findings}
        order = {file: position for position, file in enumerate(files)}
        return sorted(self.findings, key=lambda finding: (order[finding.file], finding.line))
