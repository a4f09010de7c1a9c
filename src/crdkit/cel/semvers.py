"""Semantic versions as github.com/blang/semver reads, orders and writes them."""

from __future__ import annotations

import re
from typing import ClassVar, Final, TypeAlias

from crdkit.cel.errors import no_such_overload
from crdkit.cel.types import Type, object_type
from crdkit.cel.values import Opaque, Value
from crdkit.meta.golang import quote

SEMVER: Final = object_type("kubernetes.Semver")

Identifier: TypeAlias = tuple[bool, int, str]
"""A part of a pre-release as it is ordered: whether it is a word, its number, its word."""

_MAX_UINT: Final = 2**64 - 1
_UINT_DIGITS: Final = 20
_is_number: Final = re.compile("[0-9]*").fullmatch
_is_identifier: Final = re.compile("[0-9A-Za-z-]*").fullmatch


class SemverError(ValueError):
    """A text is no version; ``str`` is the real server's text."""


class Semver(Opaque):
    """``major.minor.patch-pre.release+build``; the build is kept but of no account."""

    __slots__ = ("build", "numbers", "pre")
    cel_type: ClassVar[Type] = SEMVER

    def __init__(self, numbers: tuple[int, int, int], pre: tuple[Identifier, ...], build: str) -> None:
        self.numbers = numbers
        self.pre = pre
        self.build = build

    def equals(self, other: Value) -> bool:
        """Whether neither comes before the other."""
        if not isinstance(other, Semver):
            raise no_such_overload()
        return self.compare(other) == 0

    def compare(self, other: Semver) -> int:
        """-1, 0 or 1; a pre-release comes before its release."""
        one, two = (self.numbers, not self.pre, self.pre), (other.numbers, not other.pre, other.pre)
        return (one > two) - (one < two)

    def __str__(self) -> str:
        text = ".".join(map(str, self.numbers))
        if self.pre:
            text += "-" + ".".join(word if is_word else str(number) for is_word, number, word in self.pre)
        return f"{text}+{self.build}" if self.build else text


def parse(text: str) -> Semver:
    """Read a version. Raises `SemverError`."""
    if not text:
        msg = "Version string empty"
        raise SemverError(msg)
    parts = text.split(".", 2)
    if len(parts) != 3:
        msg = "No Major.Minor.Patch elements found"
        raise SemverError(msg)
    major, minor = _number("Major", parts[0]), _number("Minor", parts[1])
    rest, plus, build = parts[2].partition("+")
    patch, dash, pre = rest.partition("-")
    numbers = major, minor, _number("Patch", patch)
    identifiers = tuple(map(_identifier, pre.split("."))) if dash else ()
    if plus:
        _check_build(build)
    return Semver(numbers, identifiers, build)


def _number(name: str, digits: str) -> int:
    if not _is_number(digits):
        msg = f"Invalid character(s) found in {name.lower()} number {quote(digits)}"
        raise SemverError(msg)
    if len(digits) > 1 and digits[0] == "0":
        msg = f"{name} number must not contain leading zeroes {quote(digits)}"
        raise SemverError(msg)
    return _unsigned(digits)


def _unsigned(digits: str) -> int:
    """strconv.ParseUint of digits."""
    if not digits:
        msg = 'strconv.ParseUint: parsing "": invalid syntax'
        raise SemverError(msg)
    if len(digits) > _UINT_DIGITS or int(digits) > _MAX_UINT:
        msg = f"strconv.ParseUint: parsing {quote(digits)}: value out of range"
        raise SemverError(msg)
    return int(digits)


def _identifier(text: str) -> Identifier:
    if not text:
        msg = "Prerelease is empty"
        raise SemverError(msg)
    if _is_number(text):
        if len(text) > 1 and text[0] == "0":
            msg = f"Numeric PreRelease version must not contain leading zeroes {quote(text)}"
            raise SemverError(msg)
        return False, _unsigned(text), ""
    if not _is_identifier(text):
        msg = f"Invalid character(s) found in prerelease {quote(text)}"
        raise SemverError(msg)
    return True, 0, text


def _check_build(build: str) -> None:
    for part in build.split("."):
        if not part:
            msg = "Build meta data is empty"
            raise SemverError(msg)
        if not _is_identifier(part):
            msg = f"Invalid character(s) found in build meta data {quote(part)}"
            raise SemverError(msg)


def parse_normalized(text: str) -> Semver:
    """Read a version that may have a ``v`` in front, too few numbers, or zeros in front of them. Raises `SemverError`."""
    parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            msg = "short version cannot contain PreRelease/Build meta data"
            raise SemverError(msg)
        parts += ["0"] * (3 - len(parts))
    return parse(".".join(parts))


def _without_zeros(part: str) -> str:
    if len(part.encode(errors="replace")) <= 1:
        return part
    stripped = part.lstrip("0")
    return stripped if stripped and stripped[0] in "0123456789" else "0" + stripped
