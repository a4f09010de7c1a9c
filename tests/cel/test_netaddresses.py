from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.cel.netaddresses import Address, parse_address, parse_network
from crdkit.meta.gonetip import AddressError


@given(st.ip_addresses(v=4))
def test_an_address_of_four_bytes_prints_as_others_print_it(address: ipaddress.IPv4Address) -> None:
    assert str(parse_address(str(address))) == str(address)


@given(st.integers(0, 2**128 - 1).map(lambda number: number & ~(number >> 7)))
def test_one_of_sixteen_does_too(number: int) -> None:
    if number >> 32 != 0xFFFF:
        assert str(Address(number, 128)) == str(ipaddress.IPv6Address(number))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("0.0.0.0", "unspecified"),
        ("255.255.255.255", ""),
        ("127.1.2.3", "loopback"),
        ("224.0.0.1", "multicast link_local_multicast"),
        ("224.0.1.1", "multicast"),
        ("169.254.1.1", "link_local_unicast"),
        ("10.0.0.1", "global_unicast"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("ff12::1", "multicast link_local_multicast"),
        ("febf::1", "link_local_unicast"),
        ("fec0::1", "global_unicast"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    address = parse_address(text)
    names = ("unspecified", "loopback", "multicast", "link_local_multicast", "link_local_unicast", "global_unicast")
    assert [name for name in names if getattr(address, f"is_{name}")()] == kinds.split()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fe80::1%eth0", 'IP address "fe80::1%eth0" with zone value is not allowed'),
        ("::ffff:1.2.3.4", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'),
        ("x", 'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP'),
    ],
)
def test_what_kubernetes_takes_for_no_address(text: str, why: str) -> None:
    with pytest.raises(AddressError) as refused:
        parse_address(text)
    assert str(refused.value) == why


def test_networks() -> None:
    network = parse_network("10.1.2.3/9")
    assert (str(network), str(network.masked()), network.size()) == ("10.1.2.3/9", "10.0.0.0/9", 2)
    assert network.contains(parse_address("10.127.0.1"))
    assert not network.contains(parse_address("10.128.0.1"))
    assert not network.contains(parse_address("::1"))
    assert network.contains_network(parse_network("10.64.0.0/10"))
    assert not network.contains_network(parse_network("10.0.0.0/8"))
