"""IP addresses and networks as Go's net/netip reads them, with its errors."""

from __future__ import annotations

from typing import Final, NamedTuple

from crdkit.meta.golang import quote

_V4_BITS: Final = 32
_V6_BITS: Final = 128
_GROUPS: Final = 8
_DIGITS: Final = frozenset("0123456789")
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")


class AddressError(ValueError):
    """A text is no address or network; ``str`` is Go's text."""


class Parsed(NamedTuple):
    """An address: so many bits (32 or 128), and the zone it is in, if any."""

    number: int
    bits: int
    zone: str


def parse_prefix(text: str) -> tuple[Parsed, int]:
    """netip.ParsePrefix: an address, host bits and all, and the length of its prefix. Raises `AddressError`."""
    try:
        return _parse_prefix(text)
    except AddressError as error:
        msg = f"netip.ParsePrefix({quote(text)}): {error}"
        raise AddressError(msg) from error


def _parse_prefix(text: str) -> tuple[Parsed, int]:
    head, slash, length = text.rpartition("/")
    if not slash:
        msg = "no '/'"
        raise AddressError(msg)
    address = parse_address(head)
    if address.zone:
        msg = "IPv6 zones cannot be present in a prefix"
        raise AddressError(msg)
    if not length or not _DIGITS.issuperset(length) or (len(length) > 1 and length[0] == "0") or len(length) > 18:
        msg = f"bad bits after slash: {quote(length)}"
        raise AddressError(msg)
    if int(length) > address.bits:
        msg = "prefix length out of range"
        raise AddressError(msg)
    return address, int(length)


def _error(text: str, why: str, at: str = "") -> AddressError:
    place = f" (at {quote(at)})" if at else ""
    return AddressError(f"ParseAddr({quote(text)}): {why}{place}")


def parse_address(text: str) -> Parsed:
    """netip.ParseAddr. Raises `AddressError`."""
    first = next((char for char in text if char in ".:%"), "")
    if first == ".":
        return Parsed(_four(text, text), _V4_BITS, "")
    if first == ":":
        address, percent, zone = text.partition("%")
        if percent and not zone:
            raise _error(text, "zone must be a non-empty string")
        return Parsed(_six(text, address), _V6_BITS, zone)
    raise _error(text, "missing IPv6 address" if first else "unable to parse IP")


def _four(text: str, part: str) -> int:
    """``part`` as four numbers with dots between; ``text`` is what errors tell."""
    number = value = digits = dots = 0
    for index, char in enumerate(part):
        if char in _DIGITS:
            if digits == 1 and not value:
                raise _error(text, "IPv4 field has octet with leading zero")
            value = value * 10 + int(char)
            digits += 1
            if value > 255:
                raise _error(text, "IPv4 field has value >255")
        elif char == ".":
            if not digits or index == len(part) - 1:
                raise _error(text, "IPv4 field must have at least one digit", part[index:])
            if dots == 3:
                raise _error(text, "IPv4 address too long")
            number, value, digits, dots = number << 8 | value, 0, 0, dots + 1
        else:
            raise _error(text, "unexpected character", part[index:])
    if dots < 3:
        raise _error(text, "IPv4 address too short")
    return number << 8 | value


def _six(text: str, rest: str) -> int:
    """Eight groups of hexadecimal digits with colons between, of which ``::`` stands for one or more zeros."""
    groups: list[int] = []
    ellipsis = -1
    if rest.startswith("::"):
        ellipsis, rest = 0, rest[2:]
    while rest and len(groups) < _GROUPS:
        size = _group_size(text, rest)
        if rest[size : size + 1] == ".":
            groups += _embedded(text, rest, len(groups), ellipsis)
            rest = ""
            break
        groups.append(int(rest[:size], 16))
        rest = rest[size:]
        if not rest:
            break
        if rest[0] != ":":
            raise _error(text, "unexpected character, want colon", rest)
        if len(rest) == 1:
            raise _error(text, "colon must be followed by more characters", rest)
        rest = rest[1:]
        if rest[0] == ":":
            if ellipsis >= 0:
                raise _error(text, "multiple :: in address", rest)
            ellipsis, rest = len(groups), rest[1:]
    if rest:
        raise _error(text, "trailing garbage after address", rest)
    return _joined(text, groups, ellipsis)


def _group_size(text: str, rest: str) -> int:
    size = 0
    while rest[size : size + 1] in _HEX_DIGITS:
        size += 1
        if size > 4:
            raise _error(text, "each group must have 4 or less digits", rest)
    if not size:
        raise _error(text, "each colon-separated field must have at least one digit", rest)
    return size


def _embedded(text: str, rest: str, place: int, ellipsis: int) -> list[int]:
    """The last two groups, written as an IPv4 address."""
    if ellipsis < 0 and place != _GROUPS - 2:
        raise _error(text, "embedded IPv4 address must replace the final 2 fields of the address", rest)
    if place > _GROUPS - 2:
        raise _error(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest)
    return list(divmod(_four(text, rest), 0x10000))


def _joined(text: str, groups: list[int], ellipsis: int) -> int:
    missing = _GROUPS - len(groups)
    if missing and ellipsis < 0:
        raise _error(text, "address string too short")
    if not missing and ellipsis >= 0:
        raise _error(text, "the :: must expand to at least one field of zeros")
    groups[max(ellipsis, 0) : max(ellipsis, 0)] = [0] * missing
    number = 0
    for group in groups:
        number = number << 16 | group
    return number
