"""The entrance to validation for a value that stands anywhere: an object, a status, a default in a schema."""

from __future__ import annotations

from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import Json
from crdkit.meta.version import KubeVersion
from crdkit.schema.structural import Structural
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.faults import Report
from crdkit.schema.validation.reading import Reading


def check_value(schema: Structural, value: Json, at: FieldPath, kube: KubeVersion) -> list[FieldError]:
    """Every fault of a value at ``at``; its fields go by their names relative to it (``load in body``)."""
    return placed(examine(schema, value, "", Reading(kube)), at)


def check_default(schema: Structural, at: FieldPath, kube: KubeVersion) -> list[FieldError]:
    """Every fault of a schema's own default, told at ``at``. Here formats count as declared, also those that no value is held to."""
    return placed(examine(schema, schema.default, "", Reading(kube, declared=True)), at)


def placed(report: Report, at: FieldPath) -> list[FieldError]:
    return [fault.at(at) for fault in report.faults.values()]
