from __future__ import annotations

import pytest

from crdkit.meta.gonetip import AddressError, Parsed, parse_address, parse_prefix


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("1.2.3.4", Parsed(0x01020304, 32, "")),
        ("::", Parsed(0, 128, "")),
        ("1::", Parsed(1 << 112, 128, "")),
        ("::1:2", Parsed(0x10002, 128, "")),
        ("fe80::1%eth0", Parsed((0xFE80 << 112) + 1, 128, "eth0")),
        ("::ffff:1.2.3.4", Parsed(0xFFFF01020304, 128, "")),
        ("1:2:3:4:5:6:7:8", Parsed(0x00010002000300040005000600070008, 128, "")),
    ],
)
def test_addresses(text: str, address: Parsed) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bad", "unable to parse IP"),
        ("%eth0", "missing IPv6 address"),
        ("1.2.3", "IPv4 address too short"),
        ("1.2.3.4.5", "IPv4 address too long"),
        ("1.2.3.256", "IPv4 field has value >255"),
        ("1.2.3.04", "IPv4 field has octet with leading zero"),
        ("1..2.3", 'IPv4 field must have at least one digit (at ".2.3")'),
        ("1.2.3.4 ", 'unexpected character (at " ")'),
        ("1:2", "address string too short"),
        ("1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'),
        ("1::2::3", 'multiple :: in address (at ":3")'),
        ("1:2:3:4:5:6:7::8", "the :: must expand to at least one field of zeros"),
        ("12345::", 'each group must have 4 or less digits (at "12345::")'),
        ("1:x", 'each colon-separated field must have at least one digit (at "x")'),
        ("1:2g", 'unexpected character, want colon (at "g")'),
        ("1:", 'colon must be followed by more characters (at ":")'),
        ("::%", "zone must be a non-empty string"),
        ("1:2.3.4.5", 'embedded IPv4 address must replace the final 2 fields of the address (at "2.3.4.5")'),
        ("::1:2:3:4:5:6:7:8.8.8.8", 'too many hex fields to fit an embedded IPv4 at the end of the address (at "8.8.8.8")'),
    ],
)
def test_what_is_no_address(text: str, why: str) -> None:
    with pytest.raises(AddressError) as refused:
        parse_address(text)
    assert str(refused.value) == f'ParseAddr("{text}"): {why}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1.2.3.4", "no '/'"),
        ("x/8", 'ParseAddr("x"): unable to parse IP'),
        ("fe80::%eth0/64", "IPv6 zones cannot be present in a prefix"),
        ("1.2.3.4/", 'bad bits after slash: ""'),
        ("1.2.3.4/08", 'bad bits after slash: "08"'),
        ("1.2.3.4/+8", 'bad bits after slash: "+8"'),
        ("1.2.3.4/33", "prefix length out of range"),
    ],
)
def test_what_is_no_network(text: str, why: str) -> None:
    with pytest.raises(AddressError) as refused:
        parse_prefix(text)
    assert str(refused.value) == f'netip.ParsePrefix("{text}"): {why}'
