"""Semantic versions: ``semver('1.2.3').isLessThan(semver('1.10.0'))``."""

from __future__ import annotations

from typing import Final

from crdkit.cel.costs import fixed, traversal
from crdkit.cel.declarations import Library
from crdkit.cel.errors import EvaluationError
from crdkit.cel.semvers import SEMVER, Semver, SemverError, parse, parse_normalized
from crdkit.cel.types import BOOL, INT, STRING

LIBRARY: Final = Library("kubernetes.Semver")
LIBRARY.equality(SEMVER, fixed(1))


@LIBRARY.function("semver", (STRING,), SEMVER, id="string_to_semver", cost=traversal(0))
def semver(text: str) -> Semver:
    """Read a version."""
    return semver_normalized(text, normalize=False)


@LIBRARY.function("semver", (STRING, BOOL), SEMVER, id="string_bool_to_semver", cost=traversal(0))
def semver_normalized(text: str, normalize: bool) -> Semver:
    """Read a version, or what can be made one: ``semver('v1.02', true) == semver('1.2.0')``."""
    try:
        return parse_normalized(text) if normalize else parse(text)
    except SemverError as error:
        raise EvaluationError(str(error)) from error


@LIBRARY.function("isSemver", (STRING,), BOOL, id="is_semver_string", cost=traversal(0))
def is_semver(text: str) -> bool:
    """Whether `semver` reads it."""
    return is_semver_normalized(text, normalize=False)


@LIBRARY.function("isSemver", (STRING, BOOL), BOOL, id="is_semver_string_bool", cost=traversal(0))
def is_semver_normalized(text: str, normalize: bool) -> bool:
    """Whether `semver_normalized` reads it."""
    try:
        semver_normalized(text, normalize)
    except EvaluationError:
        return False
    return True


def _signed(number: int) -> int:
    """The real server keeps 64 bits without a sign, and shows them with one."""
    return number - 2**64 if number >= 2**63 else number


@LIBRARY.member("major", (SEMVER,), INT, id="semver_major")
def major(version: Semver) -> int:
    """The first number."""
    return _signed(version.numbers[0])


@LIBRARY.member("minor", (SEMVER,), INT, id="semver_minor")
def minor(version: Semver) -> int:
    """The second."""
    return _signed(version.numbers[1])


@LIBRARY.member("patch", (SEMVER,), INT, id="semver_patch")
def patch(version: Semver) -> int:
    """The third."""
    return _signed(version.numbers[2])


LIBRARY.member("compareTo", (SEMVER, SEMVER), INT, id="semver_compare_to")(Semver.compare)


@LIBRARY.member("isGreaterThan", (SEMVER, SEMVER), BOOL, id="semver_is_greater_than")
def is_greater(one: Semver, other: Semver) -> bool:
    """``semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1'))``."""
    return one.compare(other) > 0


@LIBRARY.member("isLessThan", (SEMVER, SEMVER), BOOL, id="semver_is_less_than")
def is_less(one: Semver, other: Semver) -> bool:
    """``semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))``."""
    return one.compare(other) < 0
