"""Addresses and networks as Go's net/netip reads, tells and compares them."""

from __future__ import annotations

from typing import ClassVar, Final

from crdkit.cel.errors import no_such_overload
from crdkit.cel.types import Type, opaque
from crdkit.cel.values import Opaque, Value
from crdkit.meta.golang import quote

IP: Final = opaque("net.IP")
CIDR: Final = opaque("net.CIDR")

_V4_BITS: Final = 32
_V6_BITS: Final = 128
_GROUPS: Final = 8
_DIGITS: Final = frozenset("0123456789")
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")


class AddressError(ValueError):
    """A text is no address or network; ``str`` is Go's text."""


class Address(Opaque):
    """An IP address: ``bits`` (32 or 128) of them."""

    __slots__ = ("bits", "number")
    cel_type: ClassVar[Type] = IP

    def __init__(self, number: int, bits: int) -> None:
        self.number = number
        self.bits = bits

    def equals(self, other: Value) -> bool:
        """Whether both are the same address of the same family."""
        if not isinstance(other, Address):
            raise no_such_overload()
        return self.number == other.number and self.bits == other.bits

    def size(self) -> int:
        """The number of bytes."""
        return self.bits // 8

    @property
    def family(self) -> int:
        """4 or 6."""
        return 4 if self.bits == _V4_BITS else 6

    def is_unspecified(self) -> bool:
        """``0.0.0.0`` or ``::``."""
        return not self.number

    def is_loopback(self) -> bool:
        """``127.0.0.0/8`` or ``::1``."""
        return self._starts(0x7F, 8) if self.family == 4 else self.number == 1

    def is_multicast(self) -> bool:
        """``224.0.0.0/4`` or ``ff00::/8``."""
        return self._starts(0xE, 4) if self.family == 4 else self._starts(0xFF, 8)

    def is_link_local_multicast(self) -> bool:
        """``224.0.0.0/24`` or ``ff02::/16`` whatever the flags between."""
        return self._starts(0xE00000, 24) if self.family == 4 else self.number >> 112 & 0xFF0F == 0xFF02

    def is_link_local_unicast(self) -> bool:
        """``169.254.0.0/16`` or ``fe80::/10``."""
        return self._starts(0xA9FE, 16) if self.family == 4 else self._starts(0xFE80 >> 6, 10)

    def is_global_unicast(self) -> bool:
        """None of the other kinds, nor the broadcast address; private addresses count."""
        broadcast = self.family == 4 and self.number == 0xFFFFFFFF
        return not (self.is_unspecified() or broadcast or self.is_loopback() or self.is_multicast() or self.is_link_local_unicast())

    def is_mapped(self) -> bool:
        """Whether it is an IPv4 address written as IPv6: ``::ffff:1.2.3.4``."""
        return self.family == 6 and self.number >> 32 == 0xFFFF

    def _starts(self, prefix: int, length: int) -> bool:
        return self.number >> (self.bits - length) == prefix

    def __str__(self) -> str:
        if self.family == 4:
            return ".".join(str(self.number >> shift & 0xFF) for shift in (24, 16, 8, 0))
        groups = [self.number >> shift & 0xFFFF for shift in range(112, -1, -16)]
        start, length = _longest_zeros(groups)
        if length < 2:
            return ":".join(f"{group:x}" for group in groups)
        head = ":".join(f"{group:x}" for group in groups[:start])
        return f"{head}::" + ":".join(f"{group:x}" for group in groups[start + length :])


class Network(Opaque):
    """An address, host bits and all, with the length of its prefix."""

    __slots__ = ("address", "length")
    cel_type: ClassVar[Type] = CIDR

    def __init__(self, address: Address, length: int) -> None:
        self.address = address
        self.length = length

    def equals(self, other: Value) -> bool:
        """Whether both have the same address (host bits too) and length."""
        if not isinstance(other, Network):
            raise no_such_overload()
        return self.length == other.length and self.address.equals(other.address)

    def size(self) -> int:
        """The number of bytes that the prefix reaches into."""
        return -(-self.length // 8)

    def contains(self, address: Address) -> bool:
        """Whether an address of the same family begins with the prefix."""
        shift = self.address.bits - self.length
        return self.address.bits == address.bits and self.address.number >> shift == address.number >> shift

    def contains_network(self, other: Network) -> bool:
        """Whether all of another network is in this one."""
        return self.length <= other.length and self.contains(other.address)

    def masked(self) -> Network:
        """The network with its host bits cleared."""
        shift = self.address.bits - self.length
        return Network(Address(self.address.number >> shift << shift, self.address.bits), self.length)

    def __str__(self) -> str:
        return f"{self.address}/{self.length}"


def _longest_zeros(groups: list[int]) -> tuple[int, int]:
    """Where the first of the longest runs of zeros begins, and its length."""
    best = (0, 0)
    start = 0
    for index, group in enumerate(groups):
        if group:
            start = index + 1
        elif index + 1 - start > best[1]:
            best = (start, index + 1 - start)
    return best


def parse_address(text: str) -> Address:
    """Read an address without a zone that is not IPv4 written as IPv6. Raises `AddressError`."""
    try:
        address, zone = _parse(text)
    except AddressError as error:
        msg = f"IP Address {quote(text)} parse error during conversion from string: {error}"
        raise AddressError(msg) from error
    if zone:
        msg = f"IP address {quote(text)} with zone value is not allowed"
        raise AddressError(msg)
    _refuse_mapped(address, text)
    return address


def parse_network(text: str) -> Network:
    """Read ``address/length``. Raises `AddressError`."""
    try:
        network = _parse_network(text)
    except AddressError as error:
        msg = f"network address parse error during conversion from string: netip.ParsePrefix({quote(text)}): {error}"
        raise AddressError(msg) from error
    _refuse_mapped(network.address, text)
    return network


def _refuse_mapped(address: Address, text: str) -> None:
    if address.is_mapped():
        msg = f"IPv4-mapped IPv6 address {quote(text)} is not allowed"
        raise AddressError(msg)


def _parse_network(text: str) -> Network:
    head, slash, length = text.rpartition("/")
    if not slash:
        msg = "no '/'"
        raise AddressError(msg)
    address, zone = _parse(head)
    if zone:
        msg = "IPv6 zones cannot be present in a prefix"
        raise AddressError(msg)
    if not length or not _DIGITS.issuperset(length) or (len(length) > 1 and length[0] == "0") or len(length) > 18:
        msg = f"bad bits after slash: {quote(length)}"
        raise AddressError(msg)
    if int(length) > address.bits:
        msg = f"prefix length out of range: {quote(length)}"
        raise AddressError(msg)
    return Network(address, int(length))


def _error(text: str, why: str, at: str = "") -> AddressError:
    place = f" (at {quote(at)})" if at else ""
    return AddressError(f"ParseAddr({quote(text)}): {why}{place}")


def _parse(text: str) -> tuple[Address, str]:
    """The address and its zone."""
    first = next((char for char in text if char in ".:%"), "")
    if first == ".":
        return Address(_four(text, text), _V4_BITS), ""
    if first == ":":
        address, percent, zone = text.partition("%")
        if percent and not zone:
            raise _error(text, "zone must be a non-empty string")
        return Address(_six(text, address), _V6_BITS), zone
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
