"""What is wrong with definitions, and what of them would only surprise: the server's words first, then rules of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from crdkit.definitions.definition import Definition
from crdkit.offline.checking import Accepted, Input, Run, Settings
from crdkit.offline.findings import Finding, Report, Severity
from crdkit.offline.lint import nodes, versions, wholes
from crdkit.offline.lint.rules import Rule, root
from crdkit.offline.lint.wholes import Neighbours

RULES: Final[tuple[Rule[Any], ...]] = (*wholes.RULES, *wholes.NEIGHBOUR_RULES, *versions.RULES, *nodes.RULES)
_TOLD_BY_A_RULE: Final = "unrecognized format"
_Looked = TypeVar("_Looked")


def lint(
    inputs: Iterable[Input],
    settings: Settings,
    *,
    without: Iterable[str] = (),
    errors_only: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> Report:
    """Look at the definitions among what was read. ``without`` names rules that are left out; ``errors_only`` leaves out all of them.

    ``advance`` is called after each document.
    """
    run = Run(settings)
    for one in inputs:
        if run.take(one) is not None:
            run.report.skipped["not a definition"] += 1
        advance()
    report = run.report
    if errors_only:
        report.findings = [finding for finding in report.findings if finding.severity is Severity.ERROR]
        return report
    report.findings = [finding for finding in report.findings if not finding.message.startswith(_TOLD_BY_A_RULE)]
    skipped = frozenset(without)
    before: list[Definition] = []
    for accepted in run.accepted:
        definition = accepted.stored
        report.findings += _findings(accepted, _concerns(definition, before, skipped))
        before.append(definition)
    return report


def _findings(accepted: Accepted, concerns: Iterable[tuple[Rule[Any], str, str]]) -> Iterator[Finding]:
    for rule, at, detail in concerns:
        line = accepted.document.line(at)
        yield Finding(accepted.subject, line, Severity.WARNING, at, detail, rule.id, rule.why, rule.fix)


def _concerns(definition: Definition, before: list[Definition], without: frozenset[str]) -> Iterator[tuple[Rule[Any], str, str]]:
    yield from _apply(wholes.RULES, definition, "", without)
    yield from _apply(wholes.NEIGHBOUR_RULES, Neighbours(definition, before), "", without)
    for index, version in enumerate(definition.versions):
        at = f"spec.versions[{index}]."
        yield from _apply(versions.RULES, version, at, without)
        for node in root(version).all():
            yield from _apply(nodes.RULES, node, at, without)


def _apply(rules: Iterable[Rule[_Looked]], looked: _Looked, at: str, without: frozenset[str]) -> Iterator[tuple[Rule[Any], str, str]]:
    for rule in rules:
        if rule.id not in without:
            yield from ((rule, at + concern.at, concern.detail) for concern in rule.check(looked))
