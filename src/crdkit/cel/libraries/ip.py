"""IP addresses: ``ip('127.0.0.1').isLoopback()``."""

from __future__ import annotations

from typing import Final

from crdkit.cel.costs import fixed, traversal
from crdkit.cel.declarations import Library
from crdkit.cel.errors import EvaluationError
from crdkit.cel.netaddresses import IP, Address, parse_address
from crdkit.cel.types import BOOL, INT, STRING
from crdkit.meta.gonetip import AddressError

LIBRARY: Final = Library("kubernetes.net.ip")
LIBRARY.types.append(IP)
LIBRARY.equality(IP, fixed(1))


@LIBRARY.function("ip", (STRING,), IP, id="string_to_ip", cost=traversal(0))
def ip(text: str) -> Address:
    """Read an address without zone; IPv4 is not to be written as IPv6."""
    try:
        return parse_address(text)
    except AddressError as error:
        raise EvaluationError(str(error)) from error


@LIBRARY.function("isIP", (STRING,), BOOL, id="is_ip", cost=traversal(0))
def is_ip(text: str) -> bool:
    """Whether `ip` reads it."""
    try:
        parse_address(text)
    except AddressError:
        return False
    return True


@LIBRARY.function("ip.isCanonical", (STRING,), BOOL, id="ip_is_canonical", cost=traversal(0, 0.2))
def is_canonical(text: str) -> bool:
    """Whether an address is written as it prints: ``!ip.isCanonical('2001:DB8::1')``."""
    return str(ip(text)) == text


@LIBRARY.function("string", (IP,), STRING, id="ip_to_string")
def to_string(address: Address) -> str:
    """The canonical text."""
    return str(address)


@LIBRARY.member("family", (IP,), INT, id="ip_family")
def family(address: Address) -> int:
    """4 or 6."""
    return address.family


LIBRARY.member("isUnspecified", (IP,), BOOL, id="ip_is_unspecified")(Address.is_unspecified)
LIBRARY.member("isLoopback", (IP,), BOOL, id="ip_is_loopback")(Address.is_loopback)
LIBRARY.member("isLinkLocalMulticast", (IP,), BOOL, id="ip_is_link_local_multicast")(Address.is_link_local_multicast)
LIBRARY.member("isLinkLocalUnicast", (IP,), BOOL, id="ip_is_link_local_unicast")(Address.is_link_local_unicast)
LIBRARY.member("isGlobalUnicast", (IP,), BOOL, id="ip_is_global_unicast")(Address.is_global_unicast)
