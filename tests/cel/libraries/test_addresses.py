from __future__ import annotations

import pytest

from tests.cel.language import compiled, cost, evaluated, failure


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ip('::1').family() + ip('1.2.3.4').family()", 10),
        ("ip('127.0.0.1').isLoopback() && ip('10.0.0.1').isGlobalUnicast() && ip('::').isUnspecified()", True),
        ("ip('224.0.0.1').isLinkLocalMulticast() && ip('fe80::1').isLinkLocalUnicast()", True),
        ("isIP('1.2.3.4') && !isIP('01.2.3.4')", True),
        ("ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1')", True),
        ("string(ip('2001:DB8:0::1'))", "2001:db8::1"),
        ("ip('::1') == ip('0::1')", True),
        ("cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))", True),
        ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", True),
        ("string(cidr('10.1.2.3/8').masked())", "10.0.0.0/8"),
        ("string(cidr('10.1.2.3/8').ip())", "10.1.2.3"),
        ("cidr('10.1.2.3/8').prefixLength()", 8),
        ("isCIDR('::/0') && !isCIDR('::')", True),
        ("type(ip('::1')) == net.IP && type(cidr('::/0')) == net.CIDR", True),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluated(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ip('x')", 'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP'),
        ("ip.isCanonical('::ffff:1.2.3.4')", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'),
        (
            "cidr('x')",
            (
                "network address parse error during conversion from string: network address parse error during conversion from string: "
                "netip.ParsePrefix(\"x\"): no '/'"
            ),
        ),
        ("cidr('10.0.0.0/8').containsIP('x')", "no such overload"),
        ("dyn(ip('::1')) == dyn('::1')", "no such overload"),
    ],
)
def test_errors(text: str, why: str) -> None:
    assert failure(text)[0] == why


def test_costs_go_by_the_bytes_of_the_prefix() -> None:
    assert cost("cidr('10.0.0.0/8').containsIP(ip('10.0.0.1'))") == 3
    assert cost("cidr('10.0.0.0/8').containsIP('10.0.0.1')") == 3
    assert cost("cidr('::/128').containsCIDR(cidr('::/128'))") == 9


def test_estimates_do_not() -> None:
    assert compiled("cidr('10.0.0.0/8').containsIP(ip('10.0.0.1'))").estimate() == (3, 6)
    assert compiled("cidr('10.0.0.0/8').containsCIDR(cidr('10.0.0.0/8'))").estimate() == (5, 9)
    assert compiled("ip('::1') == ip('::1')").estimate() == (3, 3)
