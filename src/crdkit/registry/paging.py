"""Continue tokens: where the next page of a list begins, and at which revision (as the real server writes them)."""

from __future__ import annotations

import base64
import binascii
import posixpath
from typing import Final, NamedTuple

from crdkit.meta import json
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.json import JsonError
from crdkit.meta.status import Refusal, bad_request
from crdkit.meta.version import DEFAULT

_VERSION: Final = "meta.k8s.io/v1"
_INVALID: Final = "invalid continue token: continue key is not valid"
_TOKEN: Final = StructTable(package="storage", structs={"continueToken": {"v": "string", "rv": "int64", "start": "string"}})
CURRENT: Final = -1
"""The revision of a token that goes on with what is there now, given out when its snapshot is gone."""


class Position(NamedTuple):
    """A place in a list: the last key of the page before, and the revision its pages show."""

    after: str
    revision: int


def encode(last_key: str, prefix: str, revision: int) -> str:
    """The token that goes on after ``last_key``, which lies under ``prefix``."""
    start = last_key.removeprefix(prefix) + "\0"
    text = json.encode({"v": _VERSION, "rv": revision, "start": start})
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def decode(token: str, prefix: str) -> Position:
    """Read a token. It may come from anybody, so it cannot lead out of ``prefix``. Raises a `Refusal` (400)."""
    raw = _decode_base64(token)
    if raw and raw[0] >= 0x80:
        raise bad_request(f"{_INVALID}: invalid character '\\x{raw[0]:02x}' looking for beginning of value")
    try:
        fields = json.decode(raw)
    except JsonError as error:
        raise bad_request(f"{_INVALID}: {error}") from error
    try:
        read = _TOKEN.decode("continueToken", fields, kube=DEFAULT).value
    except DecodeError as error:
        raise bad_request(f"{_INVALID}: {error}") from error
    version, revision, start = read["v"], read["rv"], read["start"]
    if version != _VERSION:
        raise bad_request(f"{_INVALID}: server does not recognize this encoded version {version}")
    if not revision:
        raise bad_request(f"{_INVALID}: incorrect encoded start resourceVersion (version {_VERSION})")
    if not start:
        raise bad_request(f"{_INVALID}: encoded start key empty (version {_VERSION})")
    absolute = start if start.startswith("/") else "/" + start
    if posixpath.normpath(absolute) != absolute:
        raise bad_request(f"{_INVALID}: {start}")
    # A start ending in a zero byte is the first key after the one before it; any other start is itself included.
    key = prefix + absolute[1:]
    return Position(key[:-1] if key.endswith("\0") else _just_before(key), revision)


def _just_before(key: str) -> str:
    """A key that sorts before ``key`` and after all that are less; no key ends in the greatest character."""
    return key[:-1] + chr(max(ord(key[-1]) - 1, 0)) + "\U0010ffff"


def _decode_base64(token: str) -> bytes:
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    data = token.encode()
    position = next((index for index, byte in enumerate(data) if byte not in alphabet), None)
    if position is None and len(data) % 4 == 1:
        position = len(data) - 1
    if position is not None:
        raise _bad_base64(position)
    try:
        return base64.urlsafe_b64decode(data + b"=" * (-len(data) % 4))
    except binascii.Error as error:
        raise _bad_base64(len(data)) from error


def _bad_base64(position: int) -> Refusal:
    return bad_request(f"{_INVALID}: illegal base64 data at input byte {position}")
