"""Addresses and networks as Go's net/netip tells and compares them."""

from __future__ import annotations

from typing import ClassVar, Final

from crdkit.cel.errors import no_such_overload
from crdkit.cel.types import Type, opaque
from crdkit.cel.values import Opaque, Value
from crdkit.meta import gonetip
from crdkit.meta.golang import quote
from crdkit.meta.gonetip import AddressError

IP: Final = opaque("net.IP")
CIDR: Final = opaque("net.CIDR")

_V4_BITS: Final = 32


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
        number, bits, zone = gonetip.parse_address(text)
    except AddressError as error:
        msg = f"IP Address {quote(text)} parse error during conversion from string: {error}"
        raise AddressError(msg) from error
    if zone:
        msg = f"IP address {quote(text)} with zone value is not allowed"
        raise AddressError(msg)
    return _unmapped(Address(number, bits), text)


def parse_network(text: str) -> Network:
    """Read ``address/length``. Raises `AddressError`."""
    try:
        (number, bits, _), length = gonetip.parse_prefix(text)
    except AddressError as error:
        msg = f"network address parse error during conversion from string: {error}"
        raise AddressError(msg) from error
    return Network(_unmapped(Address(number, bits), text), length)


def _unmapped(address: Address, text: str) -> Address:
    if address.is_mapped():
        msg = f"IPv4-mapped IPv6 address {quote(text)} is not allowed"
        raise AddressError(msg)
    return address
