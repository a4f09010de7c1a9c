"""The slow and complete validation of a value: every fault with its place. Only what is in doubt comes here."""

from __future__ import annotations

from crdkit.meta.types import Json
from crdkit.schema.structural import Structural
from crdkit.schema.validation.containers import Descend, check_list, check_object
from crdkit.schema.validation.enums import check_enum
from crdkit.schema.validation.faults import Report
from crdkit.schema.validation.junctors import check_junctors
from crdkit.schema.validation.kinds import check_type, is_typed
from crdkit.schema.validation.numbers import check_number
from crdkit.schema.validation.reading import Reading
from crdkit.schema.validation.texts import check_format, check_text


def examine(schema: Structural, value: Json, name: str, reading: Reading, descend: Descend | None = None) -> Report:
    """Validate a value that goes by ``name`` in messages. ``descend`` validates fields and items, if not this function is to.

    The counts of passed checks are those of a real server's validators, which choose the branch of anyOf and oneOf that is told.
    """

    def plain(_: str | int, child: Structural, item: Json, child_name: str) -> Report:
        return examine(child, item, child_name, reading)

    report = Report()
    if is_typed(schema, reading):
        faults = list(check_type(schema, value, name, reading))
        report.add(faults)
        report.passed += 1 if faults else 2
    if value is None:
        report.passed = 0 if report.faults else 1
        if schema.enum:
            report.add(check_enum(schema.enum, value, name))
        return report
    report.merge(check_junctors(schema, name, lambda branch: examine(branch, value, name, reading)))
    report.passed += 1
    _examine_text_or_number(report, schema, value, name, reading)
    kind = type(value)
    if kind is list or kind is dict:
        check = check_list if kind is list else check_object
        report.merge(check(schema, value, name, reading, descend or plain))
        report.passed += 1
    if schema.enum:
        report.add(check_enum(schema.enum, value, name))
    report.passed += 2
    return report


def _examine_text_or_number(report: Report, schema: Structural, value: Json, name: str, reading: Reading) -> None:
    kind = type(value)
    if kind is str:
        report.add(check_text(schema, value, name, reading))
        report.passed += 1
        declared = reading.format(schema)
        if declared and reading.is_text_format(declared):
            report.add(check_format(declared, value, name))
            report.passed += 1
    elif kind is int or kind is float:
        report.add(check_number(schema, value, name, reading))
        report.passed += 2
