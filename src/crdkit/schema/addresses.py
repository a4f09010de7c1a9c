"""Addresses in texts, as Go's net and net/url packages read them: IP, CIDR, MAC, URI."""

from __future__ import annotations

import re
from typing import Final

_GROUPS: Final = 8
_HEX_GROUP: Final = re.compile(r"[0-9a-fA-F]+").fullmatch
_OCTET: Final = re.compile(r"[0-9]+").fullmatch
_MAX_GROUP: Final = 0xFFFF
_MAX_OCTET: Final = 0xFF
_GROUP_DIGITS: Final = 4
_OCTETS: Final = 4


def is_ipv4(text: str) -> bool:
    """Four numbers, with zeros in front or not; an IPv6 address that ends in such four counts too."""
    return "." in text and _is_ip(text, sloppy=True)


def is_ipv6(text: str) -> bool:
    return ":" in text and _is_ip(text, sloppy=False)


def _is_ip(text: str, *, sloppy: bool) -> bool:
    first = next((char for char in text if char in ".:"), "")
    return _is_four(text, sloppy=sloppy) if first == "." else _is_six(text, sloppy=sloppy)


def _is_four(text: str, *, sloppy: bool) -> bool:
    octets = text.split(".")
    return len(octets) == _OCTETS and all(
        _OCTET(octet) and int(octet) <= _MAX_OCTET and (sloppy or octet == "0" or octet[0] != "0") for octet in octets
    )


def _is_six(text: str, *, sloppy: bool) -> bool:
    """Eight groups of hexadecimal digits, the last two perhaps as four numbers; one ``::`` stands for one or more groups of zero."""
    head, ellipsis, tail = text.partition("::")
    groups = head.split(":") if head else []
    groups += tail.split(":") if tail else []
    size = len(groups)
    if groups and "." in groups[-1]:
        if (ellipsis and not tail) or not _is_four(groups.pop(), sloppy=sloppy):
            return False
        size += 1
    right_size = size < _GROUPS if ellipsis else size == _GROUPS
    return right_size and all(_is_group(group, sloppy=sloppy) for group in groups)


def _is_group(group: str, *, sloppy: bool) -> bool:
    return bool(_HEX_GROUP(group)) and int(group, 16) <= _MAX_GROUP and (sloppy or len(group) <= _GROUP_DIGITS)


_BITS: Final = {False: 32, True: 128}


def is_cidr(text: str) -> bool:
    """An address, host bits or not, and the length of its prefix."""
    address, slash, length = text.partition("/")
    six = not _is_four(address, sloppy=True)
    if not slash or (six and not _is_six(address, sloppy=True)):
        return False
    return _OCTET(length) is not None and int(length) <= _BITS[six]


_HEX_PAIR: Final = "[0-9a-fA-F]{2}"
_is_mac: Final = re.compile(
    "|".join(
        [rf"{_HEX_PAIR}(?:{mark}{_HEX_PAIR}){{{size - 1}}}" for size in (6, 8, 20) for mark in ":-"]
        + [rf"[0-9a-fA-F]{{4}}(?:\.[0-9a-fA-F]{{4}}){{{size // 2 - 1}}}" for size in (6, 8, 20)]
    )
).fullmatch


def is_mac(text: str) -> bool:
    """A hardware address of 6, 8 or 20 bytes: pairs with colons or dashes, or fours with dots."""
    return _is_mac(text) is not None


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]").search
_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:").match
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9a-fA-F]{2})").search
_USER: Final = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*").fullmatch
_HOST: Final = re.compile(r"(?:[A-Za-z0-9!$&'()*+,;=:\[\]<>\"_.~-]|[^\x00-\x7f]|%[89a-fA-F][0-9a-fA-F])*").fullmatch
_PORT: Final = re.compile(r"(?::[0-9]*)?").fullmatch


def is_request_uri(text: str) -> bool:
    """What net/url's ParseRequestURI reads: a scheme and whatever follows, or a path from the root."""
    if not text or _CONTROL(text) or text.startswith(":"):
        return False
    if text == "*":
        return True
    scheme = _SCHEME(text)
    rest = text[scheme.end() :] if scheme else text
    rest = rest.partition("?")[0]
    if not rest.startswith("/"):
        return scheme is not None
    if scheme and rest.startswith("//"):
        authority, _, path = rest[2:].partition("/")
        return _is_authority(authority) and not _BAD_ESCAPE(path)
    return not _BAD_ESCAPE(rest)


def _is_authority(text: str) -> bool:
    user, _, host = text.rpartition("@")
    if not _USER(user) or _BAD_ESCAPE(user):
        return False
    if host.startswith("["):
        address, bracket, port = host[1:].rpartition("]")
        return bool(bracket) and bool(_PORT(port)) and _is_six(address.partition("%25")[0], sloppy=False)
    name, colon, port = host.rpartition(":")
    return bool(_HOST(name if colon else host)) and bool(_PORT(colon + port if colon else ""))
