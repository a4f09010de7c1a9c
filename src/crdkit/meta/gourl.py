"""URLs as Go's net/url parses them, with its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from crdkit.meta import golang


class UrlError(ValueError):
    """The text is no URL; ``str()`` is Go's text: ``parse "://x": missing protocol scheme``."""


@dataclass(frozen=True, slots=True)
class Url:
    """The parts that checks ask for, as written; ``user`` is None unless an ``@`` sets it off."""

    scheme: str
    user: str | None
    host: str
    path: str
    query: str
    fragment: str


_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT: Final = re.compile(r"(?::[0-9]*)?\Z", re.ASCII)
_USER: Final = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*\Z", re.ASCII)
_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_HOST_ESCAPE: Final = re.compile(r"%(?:(?![0-9A-Fa-f]{2})|(?=[0-7][0-9A-Fa-f])(?!25))")
_NOT_IN_HOST: Final = re.compile(r"[\x00-\x20#/?@\\^`{|}\x7f]")


def parse(text: str) -> Url:
    """url.Parse. Raises `UrlError`."""
    before, _, fragment = text.partition("#")
    url = _parse(before, request=False)
    if broken := _bad_escape(_ESCAPE, fragment):
        raise _error(text, broken)
    return Url(url.scheme, url.user, url.host, url.path, url.query, fragment)


def parse_request_uri(text: str) -> Url:
    """url.ParseRequestURI: an absolute URL or an absolute path; a ``#`` is nothing special. Raises `UrlError`."""
    return _parse(text, request=True)


def _error(text: str, why: str) -> UrlError:
    return UrlError(f"parse {golang.quote(text)}: {why}")


def _bad_escape(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return f"invalid URL escape {golang.quote(text[match.start() : match.start() + 3])}" if match else ""


def _parse(text: str, *, request: bool) -> Url:
    if _has_control(text):
        raise _error(text, "net/url: invalid control character in URL")
    if not text and request:
        raise _error(text, "empty url")
    if text == "*":
        return Url("", None, "", "*", "", "")
    if text.startswith(":"):
        raise _error(text, "missing protocol scheme")
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest, _, query = (text[match.end() :] if match else text).partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, None, "", "", query, "")
        if request:
            raise _error(text, "invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise _error(text, "first path segment in URL cannot contain colon")
    user, host = None, ""
    if rest.startswith("//") and (scheme or (not request and not rest.startswith("///"))):
        authority, slash, path = rest[2:].partition("/")
        user, host = _authority(text, authority)
        rest = slash + path
    if broken := _bad_escape(_ESCAPE, rest):
        raise _error(text, broken)
    return Url(scheme, user, host, rest, query, "")


def _has_control(text: str) -> bool:
    return any(char < " " or char == "\x7f" for char in text)


def _authority(text: str, authority: str) -> tuple[str | None, str]:
    user, at, host = authority.rpartition("@")
    if host.startswith("["):
        address, bracket, port = host.rpartition("]")
        if not bracket:
            raise _error(text, "missing ']' in host")
        name = address
    else:
        name, colon, digits = host.rpartition(":")
        name, port = (name, colon + digits) if colon else (host, "")
    if not _PORT.match(port):
        raise _error(text, f"invalid port {golang.quote(port)} after host")
    if broken := _bad_escape(_HOST_ESCAPE, name):
        raise _error(text, broken)
    if match := _NOT_IN_HOST.search(name):
        raise _error(text, f"invalid character {golang.quote(match.group())} in host name")
    if not at:
        return None, host
    if not _USER.match(user):
        raise _error(text, "net/url: invalid userinfo")
    if broken := _bad_escape(_ESCAPE, user):
        raise _error(text, broken)
    return user, host
