from __future__ import annotations

import pytest

from crdkit.meta import gourl


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("https://user:pw@example.com:80/a%2Fb?x=1#f", "https://user:pw@example.com:80/a%2Fb?x=1#f"),
        ("HTTP://Example.COM/Path", "http://Example.COM/Path"),
        ("http://h/a b", "http://h/a%20b"),
        ("http://é.com/é", "http://%C3%A9.com/%C3%A9"),
        ("http://h?", "http://h?"),
        ("http://", "http:"),
        ("file:/etc", "file:/etc"),
        ("file:///etc", "file:///etc"),
        ("mailto:a@b.c?subject=x", "mailto:a@b.c?subject=x"),
        ("./a:b", "./a:b"),
        ("*", "*"),
        ("//h/p", "//h/p"),
        ("http://a%40b:c%3Ad@h/", "http://a%40b:c%3Ad@h/"),
        ("http://[fe80::1%25en0]:80/", "http://[fe80::1%25en0]:80/"),
        ("http://h/p#a b", "http://h/p#a%20b"),
    ],
)
def test_how_it_is_written(text: str, written: str) -> None:
    assert str(gourl.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty url"),
        ("relative", "invalid URI for request"),
        ("://x", "missing protocol scheme"),
        ("http://a\x01", "net/url: invalid control character in URL"),
        ("http://h/%zz", 'invalid URL escape "%zz"'),
        ("http://h%41/", 'invalid URL escape "%41"'),
        ("http://a b/", 'invalid character " " in host name'),
        ("http://h:80:90/", 'invalid port ":80:90" after host'),
        ("http://h:x/", 'invalid port ":x" after host'),
        ("http://[::1/", "missing ']' in host"),
        ("http://[::1]x/", 'invalid port "x" after host'),
        ("http://[1.2.3.4]/", "invalid IP-literal"),
        ("http://[x]/", 'invalid host: ParseAddr("x"): unable to parse IP'),
        ("http://a[b@h/", "net/url: invalid userinfo"),
    ],
)
def test_what_is_no_absolute_url(text: str, why: str) -> None:
    with pytest.raises(gourl.UrlError) as refused:
        gourl.parse_request_uri(text)
    quoted = text.replace("\x01", "\\x01")
    assert str(refused.value) == f'parse "{quoted}": {why}'


def test_a_fragment_is_only_part_of_what_is_no_request() -> None:
    assert gourl.parse("http://h/a#b").fragment == "b"
    assert gourl.parse_request_uri("http://h/a#b").path == "/a#b"


def test_a_host_had_colons_before_go_1_26() -> None:
    url = gourl.parse("http://h:80:90/", strict_port=False)
    assert (url.hostname, url.port) == ("h:80", "90")
    assert gourl.parse("postgres://h:80,i:90/").port == "90"


def test_the_parts_of_a_host() -> None:
    url = gourl.parse("http://[::1]:8080/")
    assert (url.host, url.hostname, url.port) == ("[::1]:8080", "::1", "8080")


def test_the_values_of_a_query() -> None:
    url = gourl.parse("/?a=1&b=x+y%21&a=2&c&;d=1&%zz=1&&e=%ff")
    assert url.query_values() == {"a": ["1", "2"], "b": ["x y!"], "c": [""], "e": ["\ufffd"]}


def test_a_query_of_too_many_parameters_has_none() -> None:
    assert gourl.parse("/?" + "a&" * 10_000).query_values() == {}
