"""What is told of calls that came to nothing, as Go's network packages tell it."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from pathlib import Path
from typing import Final

from crdkit.meta import golang
from crdkit.meta.offload import offload
from crdkit.webhooks.caller import CallFailed

TIMED_OUT: Final = "context deadline exceeded"

_ERRNO: Final = {
    errno.ECONNREFUSED: "connection refused",
    errno.ENETUNREACH: "network is unreachable",
    errno.EHOSTUNREACH: "no route to host",
    errno.EADDRNOTAVAIL: "cannot assign requested address",
    errno.ETIMEDOUT: "connection timed out",
}
_RESOLVER: Final = Path("/etc/resolv.conf")
_SERVER: Final = re.compile(r"^nameserver\s+(\S+)", re.MULTILINE)
_NUMBER: Final = re.compile(r"Errno (\d+)")
_TLS: Final = (
    ("WRONG_VERSION_NUMBER", "http: server gave HTTP response to HTTPS client"),
    ("HTTP_REQUEST", "http: server gave HTTP response to HTTPS client"),
    ("RECORD_LAYER_FAILURE", "http: server gave HTTP response to HTTPS client"),
    ("UNSUPPORTED_PROTOCOL", "tls: server selected unsupported protocol version"),
    ("ALERT_HANDSHAKE_FAILURE", "remote error: tls: handshake failure"),
    ("ALERT_PROTOCOL_VERSION", "remote error: tls: protocol version not supported"),
    ("ALERT_INTERNAL_ERROR", "remote error: tls: internal error"),
    ("ALERT_BAD_CERTIFICATE", "remote error: tls: bad certificate"),
    ("CERTIFICATE_REQUIRED", "remote error: tls: certificate required"),
    ("UNRECOGNIZED_NAME", "remote error: tls: unrecognized name"),
    ("UNEXPECTED_EOF", "EOF"),
)


def post_failed(url: str, why: str) -> CallFailed:
    return CallFailed(f"Post {golang.quote(url)}: {why}")


async def words_of(error: OSError, host: str, port: int, name: str, bundle: bytes) -> str:
    """Why no connection was made. ``name`` is the name verified there, ``bundle`` the authorities trusted."""
    if isinstance(error, ssl.SSLCertVerificationError):
        from crdkit.webhooks.certificates import explain  # noqa: PLC0415 (certificates take long to load)

        return f"tls: failed to verify certificate: {await explain(host, port, name, bundle)}"
    if isinstance(error, ssl.SSLError):
        reason = error.reason or ""
        return next((words for part, words in _TLS if part in reason), f"tls: {reason.lower().replace('_', ' ')}")
    if isinstance(error, socket.gaierror):
        return f"dial tcp: lookup {host} on {await offload(_name_server)}: no such host"
    if "handshake is taking longer" in str(error):
        return "net/http: TLS handshake timeout"
    if error.errno == errno.ECONNRESET or isinstance(error, ConnectionAbortedError):
        return "EOF"
    return _dial_words(error, host, port)


def _name_server() -> str:
    """Whom Go asks for names, as it tells: the first server that the system is configured with."""
    try:
        found = _SERVER.search(_RESOLVER.read_text())
    except (OSError, UnicodeError):
        found = None
    server = found[1] if found else "127.0.0.1"
    return f"[{server}]:53" if ":" in server else f"{server}:53"


def _dial_words(error: OSError, host: str, port: int) -> str:
    """Go names the address that it dialled. A host of several addresses may have several errors, told in one text."""
    code = error.errno or next((int(digits) for digits in _NUMBER.findall(str(error))), 0)
    address = "127.0.0.1" if host == "localhost" else f"[{host}]" if ":" in host else host
    return f"dial tcp {address}:{port}: connect: {_ERRNO.get(code) or str(error).lower()}"
