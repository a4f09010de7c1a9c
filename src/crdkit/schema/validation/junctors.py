"""allOf, anyOf, oneOf and not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from crdkit.meta import errors, golang
from crdkit.schema.structural import Structural
from crdkit.schema.validation.faults import Fault, Report

Try: TypeAlias = Callable[[Structural], Report]
"""Validates the value at hand by a branch."""


def check_junctors(schema: Structural, name: str, attempt: Try) -> Report:
    report = Report()
    if schema.any_of:
        _check_any(report, map(attempt, schema.any_of), name)
    if schema.one_of:
        _check_one(report, [attempt(branch) for branch in schema.one_of], name)
    if schema.all_of:
        _check_all(report, [attempt(branch) for branch in schema.all_of], name)
    if schema.not_ is not None and not attempt(schema.not_).faults:
        _tell(report, f"{golang.quote(name)} must not validate the schema (not)")
    report.passed += 1
    return report


def _check_any(report: Report, branches: Iterable[Report], name: str) -> None:
    """The first branch that holds ends the search; if none does, the faults of the one that came furthest are told."""
    failed: list[Report] = []
    for branch in branches:
        if not branch.faults:
            report.merge(branch)
            return
        failed.append(branch)
    _tell(report, f"{golang.quote(name)} must validate at least one schema (anyOf)")
    report.merge(_best(failed))


def _check_one(report: Report, branches: list[Report], name: str) -> None:
    valid = [branch for branch in branches if not branch.faults]
    if len(valid) == 1:
        report.merge(valid[0])
        return
    found = f"{len(valid)} valid alternatives" if valid else "none valid"
    _tell(report, f"{golang.quote(name)} must validate one and only one schema (oneOf). Found {found}")
    if not valid:
        report.merge(_best(branches))


def _check_all(report: Report, branches: list[Report], name: str) -> None:
    for branch in branches:
        report.merge(branch)
    failed = sum(1 for branch in branches if branch.faults)
    if failed:
        addition = ". None validated" if failed == len(branches) else ""
        _tell(report, f"{golang.quote(name)} must validate all the schemas (allOf){addition}")


def _best(failed: list[Report]) -> Report:
    """The first of those with the most passed checks."""
    return max(failed, key=lambda branch: branch.passed)


def _tell(report: Report, detail: str) -> None:
    report.add([Fault(None, detail, errors.invalid("", "", detail))])
