"""Where a webhook sends a call on to, as Go's net/http follows it."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from crdkit.meta import golang, gourl
from crdkit.meta.gourl import UrlError
from crdkit.webhooks.failures import post_failed

MOST_REQUESTS: Final = 10
"""So many are sent in one call; what would need more is given up."""
_ASKED_FOR: Final = frozenset({301, 302, 303})
_POSTED_AGAIN: Final = frozenset({307, 308})
REDIRECTS: Final = _ASKED_FOR | _POSTED_AGAIN


class Stop(NamedTuple):
    """One request of a call. ``came_from`` is the URL of the one before."""

    method: str
    url: str
    came_from: str = ""

    @property
    def scheme(self) -> str:
        return urlsplit(self.url).scheme

    @property
    def host(self) -> str:
        """With its port, if it has one."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    def request(self, body: bytes) -> bytes:
        parts = urlsplit(self.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        head = f"{self.method} {target} HTTP/1.1\r\nHost: {self.host}\r\nUser-Agent: crdkit\r\nAccept: application/json, */*\r\n"
        if self.came_from:
            head += f"Referer: {self.came_from}\r\n"
        if self.method == "GET":
            return f"{head}\r\n".encode()
        return f"{head}Content-Length: {len(body)}\r\nContent-Type: application/json\r\n\r\n".encode() + body


def following(stop: Stop, status: int, location: str) -> Stop | None:
    """The request that an answer asks for; None where it is none of those that send on. Raises `CallFailed`."""
    if status not in REDIRECTS or not location:
        return None
    try:
        gourl.parse(location)
    except UrlError as error:
        raise post_failed(stop.url, f"failed to parse Location header {golang.quote(location)}: {error}") from error
    method = "GET" if status in _ASKED_FOR else stop.method
    return Stop(method, urldefrag(urljoin(stop.url, location)).url, stop.url)
