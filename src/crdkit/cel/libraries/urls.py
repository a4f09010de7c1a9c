"""URLs: ``url('https://example.com/a?b=c').getHost() == 'example.com'``."""

from __future__ import annotations

from typing import ClassVar, Final

from crdkit.cel.costs import Cost, Interval, Site, fixed, same_size, tenths, traversal
from crdkit.cel.declarations import Library
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.types import BOOL, STRING, Type, list_of, map_of, object_type
from crdkit.cel.values import Opaque, Value
from crdkit.meta import gourl

LIBRARY: Final = Library("kubernetes.urls")
BEFORE_1_36: Final = Library("kubernetes.urls, where servers before 1.36 differ")
"""To be laid over `LIBRARY`."""

URL: Final = object_type("kubernetes.URL")


class UrlValue(Opaque):
    """A URL as a value."""

    __slots__ = ("url",)
    cel_type: ClassVar[Type] = URL

    def __init__(self, url: gourl.Url) -> None:
        self.url = url

    def equals(self, other: Value) -> bool:
        """Whether both are written alike."""
        if not isinstance(other, UrlValue):
            raise no_such_overload()
        return str(self.url) == str(other.url)

    def __str__(self) -> str:
        return str(self.url)


def _equality(site: Site) -> Interval:
    """Of both sides, the real server looks at the right one's size twice."""
    high = site[1].computed.high if site[1].computed is not None else 1
    return Interval(1, tenths(high))


LIBRARY.equality(URL, Cost(_equality, fixed(1).actual))


def _parse(text: str, *, strict_port: bool) -> UrlValue:
    try:
        gourl.parse_request_uri(text, strict_port=strict_port)
        return UrlValue(gourl.parse(text, strict_port=strict_port))
    except gourl.UrlError as error:
        msg = f"URL parse error during conversion from string: {error}"
        raise EvaluationError(msg) from error


def _is_url(text: str, *, strict_port: bool) -> bool:
    try:
        gourl.parse_request_uri(text, strict_port=strict_port)
    except gourl.UrlError:
        return False
    return True


def _declare_parsing(library: Library, *, strict_port: bool) -> None:
    """``url`` and ``isURL`` take an absolute URL or an absolute path. Servers before 1.36 let colons into the host's name."""

    @library.function("url", (STRING,), URL, id="string_to_url", cost=traversal(0), size=same_size(0))
    def url(text: str) -> UrlValue:
        return _parse(text, strict_port=strict_port)

    @library.function("isURL", (STRING,), BOOL, id="is_url_string")
    def is_url(text: str) -> bool:
        return _is_url(text, strict_port=strict_port)


_declare_parsing(LIBRARY, strict_port=True)
_declare_parsing(BEFORE_1_36, strict_port=False)


@LIBRARY.member("getScheme", (URL,), STRING, id="url_get_scheme")
def scheme(value: UrlValue) -> str:
    """In lower case; nothing for a path."""
    return value.url.scheme


@LIBRARY.member("getHost", (URL,), STRING, id="url_get_host")
def host(value: UrlValue) -> str:
    """With its port and brackets: ``[::1]:80``."""
    return value.url.host


@LIBRARY.member("getHostname", (URL,), STRING, id="url_get_hostname")
def hostname(value: UrlValue) -> str:
    """Without them: ``::1``."""
    return value.url.hostname


@LIBRARY.member("getPort", (URL,), STRING, id="url_get_port")
def port(value: UrlValue) -> str:
    """As written; nothing if there is none."""
    return value.url.port


@LIBRARY.member("getEscapedPath", (URL,), STRING, id="url_get_escaped_path")
def escaped_path(value: UrlValue) -> str:
    """``url('https://a/b c').getEscapedPath() == '/b%20c'``."""
    return value.url.escaped_path


@LIBRARY.member("getQuery", (URL,), map_of(STRING, list_of(STRING)), id="url_get_query")
def query(value: UrlValue) -> dict[str, list[str]]:
    """The values of each parameter: ``url('/a?b=c&b=d').getQuery() == {'b': ['c', 'd']}``."""
    return value.url.query_values()
