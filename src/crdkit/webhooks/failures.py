"""What is told of calls that came to nothing, as Go's network packages tell it."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import Final

from crdkit.meta import golang
from crdkit.webhooks.caller import CallFailed

TIMED_OUT: Final = "context deadline exceeded"

_ERRNO: Final = {
    errno.ECONNREFUSED: "connection refused",
    errno.ENETUNREACH: "network is unreachable",
    errno.EHOSTUNREACH: "no route to host",
    errno.EADDRNOTAVAIL: "cannot assign requested address",
    errno.ETIMEDOUT: "connection timed out",
    errno.ECONNRESET: "connection reset by peer",
}
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


async def words_of(error: BaseException, netloc: str, name: str, bundle: bytes) -> str:
    """Why a call came to nothing. ``name`` is the name verified, if it is not that of ``netloc``; ``bundle`` the authorities trusted."""
    host, port = _host_and_port(netloc)
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            from crdkit.webhooks.certificates import explain  # noqa: PLC0415 (certificates take long to load)

            return f"tls: failed to verify certificate: {await explain(host, port, name or host, bundle)}"
        if isinstance(cause, ssl.SSLError):
            return _tls_words(cause)
        if isinstance(cause, socket.gaierror):
            return f"dial tcp: lookup {host}: no such host"
        if isinstance(cause, OSError) and cause.errno in _ERRNO:
            return _system_words(cause, error, host, port)
    return _protocol_words(error)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The causes of an error, the innermost first."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _causes(inner)
    elif (below := error.__cause__ or error.__context__) is not None:
        yield from _causes(below)
    yield error


def _tls_words(error: ssl.SSLError) -> str:
    reason = error.reason or ""
    return next((words for part, words in _TLS if part in reason), f"tls: {reason.lower().replace('_', ' ')}")


def _system_words(cause: OSError, error: BaseException, host: str, port: int) -> str:
    words = _ERRNO[cause.errno or 0]
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if "Connect" in type(error).__name__ and cause.errno != errno.ECONNRESET:
        return f"dial tcp {_numeric(host, shown)}: connect: {words}"
    return f"read tcp {shown}: read: {words}"


def _numeric(host: str, shown: str) -> str:
    """Where was dialled: Go names the address, and ``localhost`` is the only name that needs no look-up."""
    return shown.replace(host, "127.0.0.1") if host == "localhost" else shown


def _protocol_words(error: BaseException) -> str:
    text = str(error)
    if not text or "disconnected without" in text or "closed connection" in text:
        return "EOF"
    return f"net/http: HTTP/1.x transport connection broken: {text}"


def _host_and_port(netloc: str) -> tuple[str, int]:
    host, colon, port = netloc.rpartition(":")
    if not colon or not port.isdecimal():
        return netloc.strip("[]"), 443
    return host.strip("[]"), int(port)
