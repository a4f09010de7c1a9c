"""The formats of texts that OpenAPI schemas may declare, as kube-openapi's strfmt checks them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from crdkit.meta.textformats import is_base64, is_date, is_date_time, is_uuid
from crdkit.schema import addresses, mail
from crdkit.schema.patterns import search

Check: TypeAlias = Callable[[str], bool]


def normalize(name: str) -> str:
    """Dashes do not matter: ``date-time`` and ``datetime`` are one format."""
    return name.replace("-", "")


def check(name: str) -> Check:
    """The function that tells whether a text has the format. Raises `KeyError` for an unknown one."""
    return _CHECKS[normalize(name)]


_GO_DURATION: Final = re.compile(r"[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)", re.ASCII).fullmatch
_GO_PARTS: Final = re.compile(r"(\d*\.?\d*)(ns|us|µs|μs|ms|s|m|h)", re.ASCII).findall
_NANOSECONDS: Final = {
    "ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9,
}  # fmt: skip
_MAX_NANOSECONDS: Final = 2**63
_LOOSE_PARTS: Final = re.compile(r"(\d+)[\t\n\f\r ]*([A-Za-zµ]+)", re.ASCII).findall
_UNIT_NAMES: Final = frozenset(
    ("ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk")
)  # fmt: skip
_UNIT_PREFIXES: Final = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")
_MAX_FACTOR: Final = 2**63 - 1


def is_duration(text: str) -> bool:
    """What Go's time.ParseDuration reads, or any text with an amount of a unit in it: ``2 weeks``, ``about 3days``."""
    if _GO_DURATION(text) and _fits_duration(text):
        return True
    known = False
    for factor, unit in _LOOSE_PARTS(text):
        if int(factor) > _MAX_FACTOR:
            return False
        known = known or unit.lower() in _UNIT_NAMES or unit.lower().startswith(_UNIT_PREFIXES)
    return known


def _fits_duration(text: str) -> bool:
    total = sum(float(amount) * _NANOSECONDS[unit] for amount, unit in _GO_PARTS(text))
    return total < _MAX_NANOSECONDS or (total == _MAX_NANOSECONDS and text.startswith("-"))


_UUID: Final = r"[0-9a-f]{{8}}-?[0-9a-f]{{4}}-?{0}[0-9a-f]{{3}}-?{1}[0-9a-f]{{3}}-?[0-9a-f]{{12}}"
_HEX: Final = "[0-9a-f]"
_VARIANT: Final = "[89ab]"


def _uuid(version: str, variant: str) -> Check:
    fullmatch = re.compile(_UUID.format(version, variant), re.IGNORECASE | re.ASCII).fullmatch
    return lambda text: fullmatch(text) is not None


_HOST: Final = (
    r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)"
    r"|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$"
)
_HOST_LIMIT: Final = 255
_HOST_LABEL_LIMIT: Final = 63


def is_hostname(text: str) -> bool:
    """One label, or labels and a top-level domain of letters; letters and symbols of any script."""
    if not search(_HOST)(text):  # compiled when it is first needed: that takes longer than all else at start
        return False
    encoded = text.encode()
    return len(encoded) <= _HOST_LIMIT and all(len(label) <= _HOST_LABEL_LIMIT for label in encoded.split(b"."))


_CREDIT_CARD: Final = re.compile(
    r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}"
    r"|(?:2131|1800|35[0-9]{3})[0-9]{11}"
).fullmatch
_NOT_DIGITS: Final = re.compile("[^0-9]+")


def is_credit_card(text: str) -> bool:
    """A number of a known issuer whose Luhn sum is right, whatever stands between the digits."""
    digits = _NOT_DIGITS.sub("", text)
    if _CREDIT_CARD(digits) is None:
        return False
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(int(digit) for digit in digits[-1::-2])) % 10 == 0


_ISBN_BLANKS: Final = re.compile(r"[\t\n\f\r -]+")
_ISBN10: Final = re.compile(r"[0-9]{9}[0-9X]").fullmatch
_ISBN13: Final = re.compile(r"[0-9]{13}").fullmatch


def is_isbn10(text: str) -> bool:
    digits = _ISBN_BLANKS.sub("", text)
    if _ISBN10(digits) is None:
        return False
    return sum(weight * (10 if digit == "X" else int(digit)) for weight, digit in enumerate(digits, 1)) % 11 == 0


def is_isbn13(text: str) -> bool:
    digits = _ISBN_BLANKS.sub("", text)
    if _ISBN13(digits) is None:
        return False
    return sum(int(digit) * (3 if position % 2 else 1) for position, digit in enumerate(digits)) % 10 == 0


_COLOUR: Final = r"[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*"
_SSN_LENGTH: Final = 11


def _by(pattern: str) -> Check:
    fullmatch = re.compile(pattern, re.ASCII).fullmatch
    return lambda text: fullmatch(text) is not None


_is_ssn_like: Final = _by(r"\d{3}[- ]?\d{2}[- ]?\d{4}")


def is_ssn(text: str) -> bool:
    return len(text.encode()) == _SSN_LENGTH and _is_ssn_like(text)


_SHORT_NAME: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_is_short_name: Final = _by(_SHORT_NAME)
_is_long_name: Final = _by(rf"{_SHORT_NAME}(\.{_SHORT_NAME})*")

_CHECKS: Final[dict[str, Check]] = {
    "bsonobjectid": _by("[0-9a-fA-F]{24}"),
    "byte": is_base64,
    "cidr": addresses.is_cidr,
    "creditcard": is_credit_card,
    "date": is_date,
    "datetime": is_date_time,
    "duration": is_duration,
    "email": mail.is_address,
    "hexcolor": _by("#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "hostname": is_hostname,
    "ipv4": addresses.is_ipv4,
    "ipv6": addresses.is_ipv6,
    "isbn": lambda text: is_isbn10(text) or is_isbn13(text),
    "isbn10": is_isbn10,
    "isbn13": is_isbn13,
    "k8slongname": lambda text: len(text) <= 253 and _is_long_name(text),
    "k8sshortname": lambda text: len(text) <= 63 and _is_short_name(text),
    "mac": addresses.is_mac,
    "password": lambda _: True,
    "rgbcolor": _by(rf"rgb\({_COLOUR},{_COLOUR},{_COLOUR}\)"),
    "ssn": is_ssn,
    "uri": addresses.is_request_uri,
    "uuid": is_uuid,
    "uuid3": _uuid("3", _HEX),
    "uuid4": _uuid("4", _VARIANT),
    "uuid5": _uuid("5", _VARIANT),
}
