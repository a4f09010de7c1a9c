"""What validation finds, before it is known where in an object the validated value stands."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import field

from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record


@record
class Fault:
    """One fault: ``name`` is the dotted place below the validated value (None: told at that value), ``text`` what tells it from others.

    The path of ``error`` is not yet set.
    """

    name: str | None
    text: str
    error: FieldError

    def at(self, place: FieldPath) -> FieldError:
        """The error with its path, where the validated value stands at ``place``."""
        path = place
        if self.name and self.name != ".":
            path = place / self.name.removeprefix(".")
        return dataclasses.replace(self.error, path=str(path) or "<nil>")


@record(frozen=False)
class Report:
    """The faults of one value, each once, and how many checks passed: by this a branch of anyOf or oneOf is the best one."""

    faults: dict[str, Fault] = field(default_factory=dict)
    passed: int = 0

    def add(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self.faults.setdefault(fault.text, fault)

    def merge(self, other: Report) -> None:
        self.add(other.faults.values())
        self.passed += other.passed

    def errors(self, place: FieldPath) -> list[FieldError]:
        """The faults as errors, where the validated value stands at ``place``."""
        return [fault.at(place) for fault in self.faults.values()]
