"""Where Kubernetes versions differ in what happens to values: the one table that this room reads."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

from crdkit.meta.records import record
from crdkit.meta.version import KubeVersion
from crdkit.schema import numbers

_FIRST_FORMATS: Final = frozenset(
    (
        "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5",
        "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration",
        "datetime",
    )
)  # fmt: skip
_NAME_FORMATS: Final = frozenset(("k8sshortname", "k8slongname"))


@record
class Differences:
    """What one version does where others do otherwise."""

    string_formats: frozenset[str]
    """Formats enforced on texts, without their dashes."""

    typed_formats: bool
    """A format counts only on the type it belongs to; numbers have formats and must fit their type. Else any node may have a string format."""

    is_whole: Callable[[float], bool]
    """Which floats count as integers."""

    missing: str
    """The words for an embedded resource's missing apiVersion or kind."""


_TABLE: Final = (
    (
        KubeVersion(1, 34),
        Differences(string_formats=_FIRST_FORMATS | _NAME_FORMATS, typed_formats=True, is_whole=numbers.is_whole, missing=""),
    ),
    (
        KubeVersion(1, 0),
        Differences(string_formats=_FIRST_FORMATS, typed_formats=False, is_whole=numbers.is_whole_from_below, missing="must not be empty"),
    ),
)


@functools.cache
def differences(kube: KubeVersion) -> Differences:
    """The row of the table that holds for a version."""
    return next(row for first, row in _TABLE if kube >= first)
