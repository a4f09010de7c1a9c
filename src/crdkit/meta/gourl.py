"""URLs as Go's net/url parses and writes them, with its errors."""

from __future__ import annotations

import re
from typing import Final

from crdkit.meta import golang, gonetip
from crdkit.meta.records import record

_MOST_PARAMETERS: Final = 10_000
"""Of a query with more, Go reads nothing."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~"
_IN_HOST: Final = frozenset((_LETTERS + "!$&'()*+,;=:[]<>\"").encode())
_IN_PATH: Final = frozenset((_LETTERS + "$&+,/:;=@").encode())
_IN_FRAGMENT: Final = frozenset((_LETTERS + "$&+,/:;=?@!()*").encode())
_IN_USER: Final = frozenset((_LETTERS + "$&+,;=").encode())
_MAY_STAND: Final = frozenset(b"!$&'()*+,;=:@[]%")
"""What an escaped path or fragment may hold besides what never needs escaping."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT: Final = re.compile(r"(?::[0-9]*)?\Z", re.ASCII)
_USER: Final = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*\Z", re.ASCII)
_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_BAD_IN_HOST: Final = re.compile(r"(%(?:(?![0-9A-Fa-f]{2})|(?=[0-7][0-9A-Fa-f])(?!25)))|[\x00-\x20#/?@\\^`{|}\x7f]")
_BAD_IN_ZONE: Final = re.compile(
    r"(%(?:(?![0-9A-Fa-f]{2})|(?:0.|1.|2[3fF]|3[fF]|40|5[cCeE]|60|7[bBcCdDfF]|[89a-fA-F].)))|[\x00-\x20#/?@\\^`{|}\x7f]"
)
_LONE_BYTES: Final = re.compile("[\udc80-\udcff]")


class UrlError(ValueError):
    """The text is no URL; ``str()`` is Go's text: ``parse "://x": missing protocol scheme``."""


@record
class Url:
    """The parts as written, but for the scheme, which is in lower case, and the host, which is unescaped.

    ``user`` is None unless an ``@`` sets it off; ``opaque`` is what follows a scheme without a slash; ``query`` is None without
    a question mark; ``hostless`` marks a path right behind the scheme: ``file:/etc``.
    """

    scheme: str = ""
    opaque: str = ""
    user: str | None = None
    host: str = ""
    path: str = ""
    query: str | None = None
    fragment: str = ""
    hostless: bool = False

    @property
    def hostname(self) -> str:
        """The host without its port and brackets."""
        return self._host_and_port()[0]

    @property
    def port(self) -> str:
        """The port's digits, which may be none."""
        return self._host_and_port()[1]

    def _host_and_port(self) -> tuple[str, str]:
        name, colon, port = self.host.rpartition(":")
        if not colon or not _PORT.match(colon + port):
            name, port = self.host, ""
        bracketed = name.startswith("[") and name.endswith("]")
        return (name[1:-1] if bracketed else name), port

    @property
    def escaped_path(self) -> str:
        """The path as written if it is escaped as it must be, else escaped anew."""
        return "*" if self.path == "*" else _escaped(self.path, _IN_PATH)

    def query_values(self) -> dict[str, list[str]]:
        """The values of each parameter; what is badly escaped or has a semicolon is left out."""
        values: dict[str, list[str]] = {}
        parts = (self.query or "").split("&")
        if len(parts) > _MOST_PARAMETERS:
            return values
        for part in parts:
            if part and ";" not in part and not _BAD_ESCAPE.search(part):
                key, _, value = part.replace("+", " ").partition("=")
                values.setdefault(_text(_unescaped(key)), []).append(_text(_unescaped(value)))
        return values

    def __str__(self) -> str:
        before = f"{self.scheme}:" if self.scheme else ""
        after = "" if self.query is None else f"?{self.query}"
        if self.fragment:
            after += f"#{_escaped(self.fragment, _IN_FRAGMENT)}"
        return before + (self.opaque or self._authority_and_path(bare=not before)) + after

    def _authority_and_path(self, *, bare: bool) -> str:
        path = self.escaped_path
        if self.host or self.user is not None or (self.scheme and path and not self.hostless):
            user = "" if self.user is None else f"{_written_user(self.user)}@"
            slash = "/" if self.host and path and path[0] != "/" else ""
            return f"//{user}{_escape(self.host.encode('utf-8', 'surrogateescape'), _IN_HOST)}{slash}{path}"
        return f"./{path}" if bare and ":" in path.partition("/")[0] else path


def parse(text: str, *, strict_port: bool = True) -> Url:
    """url.Parse. Raises `UrlError`. Without ``strict_port`` all but the last colon belongs to the host's name, as it did before Go 1.26."""
    before, _, fragment = text.partition("#")
    url = _parse(before, request=False, strict_port=strict_port)
    _check_escapes(text, fragment)
    return Url(url.scheme, url.opaque, url.user, url.host, url.path, url.query, fragment, url.hostless)


def parse_request_uri(text: str, *, strict_port: bool = True) -> Url:
    """url.ParseRequestURI: an absolute URL or an absolute path; a ``#`` is nothing special. Raises `UrlError`."""
    return _parse(text, request=True, strict_port=strict_port)


def _error(text: str, why: str) -> UrlError:
    return UrlError(f"parse {golang.quote(text)}: {why}")


def _parse(text: str, *, request: bool, strict_port: bool) -> Url:
    if any(char < " " or char == "\x7f" for char in text):
        raise _error(text, "net/url: invalid control character in URL")
    if not text and request:
        raise _error(text, "empty url")
    if text == "*":
        return Url(path="*")
    if text.startswith(":"):
        raise _error(text, "missing protocol scheme")
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest, mark, query = (text[match.end() :] if match else text).partition("?")
    asked = query if mark else None
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, opaque=rest, query=asked)
        if request:
            raise _error(text, "invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise _error(text, "first path segment in URL cannot contain colon")
    user, host, has_authority = None, "", rest.startswith("//") and bool(scheme or (not request and not rest.startswith("///")))
    if has_authority:
        authority, slash, path = rest[2:].partition("/")
        user, at, host = authority.rpartition("@")
        host = _host(text, host, lenient=not strict_port or scheme in ("postgres", "postgresql"))
        user = _checked_user(text, user) if at else None
        rest = slash + path
    _check_escapes(text, rest)
    return Url(scheme, "", user, host, rest, asked, hostless=bool(scheme) and not has_authority)


def _check_escapes(text: str, part: str) -> None:
    if match := _BAD_ESCAPE.search(part):
        raise _error(text, f"invalid URL escape {golang.quote(part[match.start() : match.start() + 3])}")


def _checked_user(text: str, user: str) -> str:
    if not _USER.match(user):
        raise _error(text, "net/url: invalid userinfo")
    _check_escapes(text, user)
    return user


def _host(text: str, host: str, *, lenient: bool) -> str:
    """The host, unescaped, with its port."""
    if "[" in host:
        return _literal(text, host)
    colon = host.rfind(":") if lenient else host.find(":")
    if colon >= 0:
        _check_port(text, host[colon:])
    return _unescaped_host(text, host, _BAD_IN_HOST)


def _literal(text: str, host: str) -> str:
    """An IPv6 address in brackets."""
    inside, bracket, port = host.rpartition("]")
    if not bracket:
        raise _error(text, "missing ']' in host")
    _check_port(text, port)
    before, _, address = inside.rpartition("[")
    address, percent, zone = address.partition("%25")
    name = _unescaped_host(text, address, _BAD_IN_HOST) + _unescaped_host(text, percent + zone, _BAD_IN_ZONE)
    try:
        parsed = gonetip.parse_address(name)
    except gonetip.AddressError as error:
        raise _error(text, f"invalid host: {error}") from error
    if before or parsed.bits == 32:
        raise _error(text, "invalid IP-literal")
    return f"[{name}]{port}"


def _check_port(text: str, port: str) -> None:
    if not _PORT.match(port):
        raise _error(text, f"invalid port {golang.quote(port)} after host")


def _unescaped_host(text: str, part: str, bad: re.Pattern[str]) -> str:
    if match := bad.search(part):
        if match[1]:
            raise _error(text, f"invalid URL escape {golang.quote(part[match.start() : match.start() + 3])}")
        raise _error(text, f"invalid character {golang.quote(match.group())} in host name")
    return _unescaped(part).decode("utf-8", "surrogateescape")


def _unescaped(part: str) -> bytes:
    encoded = part.encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), encoded)


def _text(encoded: bytes) -> str:
    """As a text, with a replacement character for each byte that is not UTF-8."""
    return _LONE_BYTES.sub("\ufffd", encoded.decode("utf-8", "surrogateescape"))


def _escape(encoded: bytes, plain: frozenset[int]) -> str:
    return "".join(chr(byte) if byte in plain else f"%{byte:02X}" for byte in encoded)


def _escaped(part: str, plain: frozenset[int]) -> str:
    encoded = part.encode("utf-8", "surrogatepass")
    if all(byte in plain or byte in _MAY_STAND for byte in encoded):
        return part
    return _escape(_unescaped(part), plain)


def _written_user(user: str) -> str:
    name, colon, password = user.partition(":")
    return _escape(_unescaped(name), _IN_USER) + colon + _escape(_unescaped(password), _IN_USER)
