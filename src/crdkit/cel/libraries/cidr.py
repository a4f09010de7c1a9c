"""Networks: ``cidr('10.0.0.0/8').containsIP('10.1.2.3')``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crdkit.cel.costs import Cost, Interval, Site, fixed, tenths, traversal
from crdkit.cel.declarations import Library
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.netaddresses import CIDR, IP, Address, Network, parse_address, parse_network
from crdkit.cel.types import BOOL, INT, STRING
from crdkit.cel.values import Value, size_of
from crdkit.meta.gonetip import AddressError

LIBRARY: Final = Library("kubernetes.net.cidr")
LIBRARY.types += (CIDR, IP)
LIBRARY.equality(CIDR, fixed(1))

_BYTES: Final = Interval(4, 16)
"""An address is estimated to have so many bytes; the actual cost goes by those that the network's prefix reaches into."""


def _comparison(size: int) -> int:
    return tenths(2 * size)


def _masked_comparison(size: int) -> int:
    return _comparison(size) + tenths(size) + 1


def _comparing(rule: object, *, parsed: bool) -> Cost:
    """Comparing the network's bytes, after parsing the other argument if it is a text."""
    compared = _masked_comparison if rule is _masked_comparison else _comparison
    bytes_cost = Interval(compared(_BYTES.low), compared(_BYTES.high))

    def estimate(site: Site) -> Interval:
        return bytes_cost.plus(site[1].size.scaled(0.1)) if parsed else bytes_cost

    def actual(arguments: Sequence[Value], _result: Value) -> int:
        return compared(size_of(arguments[0])) + (tenths(size_of(arguments[1])) if parsed else 0)

    return Cost(estimate, actual)


@LIBRARY.function("cidr", (STRING,), CIDR, id="string_to_cidr", cost=traversal(0))
def cidr(text: str) -> Network:
    """Read an address and the length of its prefix; host bits are kept."""
    try:
        return parse_network(text)
    except AddressError as error:
        msg = f"network address parse error during conversion from string: {error}"
        raise EvaluationError(msg) from error


@LIBRARY.function("isCIDR", (STRING,), BOOL, id="is_cidr", cost=traversal(0))
def is_cidr(text: str) -> bool:
    """Whether `cidr` reads it."""
    try:
        parse_network(text)
    except AddressError:
        return False
    return True


@LIBRARY.function("string", (CIDR,), STRING, id="cidr_to_string")
def to_string(network: Network) -> str:
    """The canonical text."""
    return str(network)


@LIBRARY.member("containsIP", (CIDR, STRING), BOOL, id="cidr_contains_ip_string", cost=_comparing(_comparison, parsed=True))
def contains_text(network: Network, text: str) -> bool:
    """Whether an address is in the network. (For what is none, the real server says no more than that.)"""
    try:
        return network.contains(parse_address(text))
    except AddressError as error:
        raise no_such_overload() from error


LIBRARY.member("containsIP", (CIDR, IP), BOOL, id="cidr_contains_ip_ip", cost=_comparing(_comparison, parsed=False))(Network.contains)


@LIBRARY.member("containsCIDR", (CIDR, STRING), BOOL, id="cidr_contains_cidr_string", cost=_comparing(_masked_comparison, parsed=True))
def contains_network_text(network: Network, text: str) -> bool:
    """Whether all of another network is in it."""
    return network.contains_network(cidr(text))


LIBRARY.member("containsCIDR", (CIDR, CIDR), BOOL, id="cidr_contains_cidr", cost=_comparing(_masked_comparison, parsed=False))(
    Network.contains_network
)


@LIBRARY.member("ip", (CIDR,), IP, id="cidr_ip")
def address_of(network: Network) -> Address:
    """The address, host bits and all."""
    return network.address


@LIBRARY.member("prefixLength", (CIDR,), INT, id="cidr_prefix_length")
def prefix_length(network: Network) -> int:
    """``cidr('10.0.0.0/8').prefixLength() == 8``."""
    return network.length


LIBRARY.member("masked", (CIDR,), CIDR, id="cidr_masked")(Network.masked)
