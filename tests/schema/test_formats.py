"""Formats of texts: what passes and what does not."""

from __future__ import annotations

import pytest

from crdkit.schema import formats

GOOD = {
    "bsonobjectid": ("507f1f77bcf86cd799439011",),
    "byte": ("aGVsbG8=", "aGk=", "AAAA"),
    "cidr": ("10.0.0.5/8", "::/0", "010.0.0.0/08"),
    "creditcard": ("4111 1111 1111 1111",),
    "date": ("2024-02-29", "0000-01-01", "2000-02-29"),
    "date-time": ("2024-01-01t00:00:00z", "2024-01-01T00:00:00.123456789+14:00", "2024-01-01T00:00:00x5Z", "2024-01-01T00:00:00Ztail"),
    "duration": ("1h2.5m", "-0", "22 ns", "5S and 3 hours", "2 Weeks", "P1D", "1µs"),
    "email": ("a@b.c", "Ann <ann@example.org>", '"a b" <x@y>', "x@localhost", "(c) a@b", '"q q"@b', "<a@b>"),
    "hexcolor": ("#fff", "FFFFFF"),
    "hostname": ("example.com", "localhost", "a-b.example", "éx.com"),
    "ipv4": ("1.2.3.4", "010.0.0.1", "::ffff:1.2.3.4"),
    "ipv6": ("::1", "fe80::1", "2001:DB8::1", "::ffff:1.2.3.4", "1:2:3:4:5:6:7::", "::"),
    "isbn": ("0321751043", "978-0321751041", "080442957X"),
    "k8s-short-name": ("web-1", "a"),
    "k8s-long-name": ("web-1.example", "a" * 64 + ".b"),
    "mac": ("01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "01:23:45:67:89:ab:cd:ef"),
    "password": ("", "anything"),
    "rgbcolor": ("rgb( 1 , 2 , 255 )",),
    "ssn": ("078-05-1120", "078 05 1120"),
    "uri": ("https://example.org/a?b#c", "/path", "mailto:a@b.c", "http://[::1]:80/", "http://u:p@h", "*"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"),
    "uuid3": ("123e4567-e89b-32d3-0456-426614174000",),
    "uuid4": ("123e4567-e89b-42d3-a456-426614174000",),
    "uuid5": ("123e4567-e89b-52d3-a456-426614174000",),
}
BAD = {
    "bsonobjectid": ("507f1f77bcf86cd79943901", "z" * 24),
    "byte": ("", "aGVsbG8", "a-_=", "AAAA\n"),
    "cidr": ("10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/", "1.2.3/8"),
    "creditcard": ("4111111111111112", "411111111111"),
    "date": ("", "2023-02-29", "2024-2-1", "1900-02-29", "10000-01-01", "2024-13-01"),
    "date-time": ("", "2024-02-30T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00"),
    "duration": ("", "soon", "5", "5 parsecs"),
    "email": ("", "ann", "a@", "@b", "a b@c.d", "a@b, c@d", "Ann a@b", '""@b'),
    "hexcolor": ("", "#ffff", "ggg"),
    "hostname": ("", "a_b", "exa mple.com", "example.com.", "a" * 64 + ".com"),
    "ipv4": ("", "256.1.1.1", "1.2.3", "::1", "1.2.3.4/24"),
    "ipv6": ("", "1.2.3.4", "fe80::1%eth0", "12345::", "[::1]", "1:2:3:4:5:6:7:8::", ":::", "1::2::3", "::ffff:01.2.3.4"),
    "isbn": ("0306406153", "978-0-306-40615-8", "12"),
    "k8s-short-name": ("", "Web", "a.b", "-a", "a" * 64, "a\n"),
    "k8s-long-name": ("", "a..b", "a" * 254),
    "mac": ("", "01:23:45:67:89", "01:23:45:67:89:xy", "01:23-45:67:89:ab"),
    "rgbcolor": ("rgb(256,0,0)", "rgb(0,0)", "rgb(10%,2%,3%)"),
    "ssn": ("078051120", "0780-51120"),
    "uri": ("", "example.org", "a b", "#frag", "http://a b/", "http://h:x/", "/%zz", ":a"),
    "uuid": ("123e4567", "123e4567-e89b-12d3-a456-42661417400g"),
    "uuid3": ("123e4567-e89b-42d3-a456-426614174000",),
    "uuid4": ("123e4567-e89b-42d3-c456-426614174000",),
    "uuid5": ("123e4567-e89b-42d3-a456-426614174000",),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_passes(name: str) -> None:
    check = formats.check(name)
    assert [text for text in GOOD[name] if not check(text)] == []


@pytest.mark.parametrize("name", BAD)
def test_what_does_not(name: str) -> None:
    check = formats.check(name)
    assert [text for text in BAD[name] if check(text)] == []


def test_dashes_do_not_matter() -> None:
    assert formats.check("i-p-v-4") is formats.check("ipv4")
