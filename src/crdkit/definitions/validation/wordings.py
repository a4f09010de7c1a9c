"""The texts that differ between Kubernetes versions."""

from __future__ import annotations

from typing import Final, NamedTuple

from crdkit.meta.version import KubeVersion


class Wordings(NamedTuple):
    """The texts of one version and its followers."""

    schema_missing: str
    selectable_without_own_schema: str
    selectable_without_schema: str


_TABLE: Final = (
    (
        KubeVersion(1, 34),
        Wordings(
            schema_missing="",
            selectable_without_own_schema="may only be set when `version.schema.openAPIV3Schema` is not included",
            selectable_without_schema="may only be set when validations.schema is included",
        ),
    ),
    (
        KubeVersion(1, 0),
        Wordings(
            schema_missing="schemas are required",
            selectable_without_own_schema="selectableFields may only be set when version.schema.openAPIV3Schema is not included",
            selectable_without_schema="selectableFields may only be set when validations.schema is included",
        ),
    ),
)


def wordings(kube: KubeVersion) -> Wordings:
    return next(texts for first, texts in _TABLE if kube >= first)
