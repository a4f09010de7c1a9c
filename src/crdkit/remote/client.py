"""Asking a server that runs: one request after the other, from as many threads as there are."""

from __future__ import annotations

import http.client
import ssl
import threading
import urllib.parse
from collections.abc import Iterator
from typing import Final

from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.remote.kubeconfig import Access

MERGE_PATCH: Final = "application/merge-patch+json"
_SECONDS: Final = 60.0
_PAGE: Final = 500
_EXPIRED: Final = 410


class Refused(Exception):
    """The server refused a request; ``str()`` is its message."""

    def __init__(self, code: int, message: str, status: JsonObject) -> None:
        super().__init__(message)
        self.code, self.status = code, status


class Unreachable(Exception):
    """The server cannot be asked at all; ``str()`` names it and tells why."""


class Client:
    """Asks one server. Each thread has a connection of its own, which is kept until the client is closed."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._base = urllib.parse.urlsplit(access.url)
        self._local = threading.local()
        self._connections: list[http.client.HTTPConnection] = []

    def close(self) -> None:
        for connection in self._connections:
            connection.close()

    def call(self, method: str, path: str, body: JsonObject | None = None, *, content_type: str = "application/json") -> JsonObject:
        """The object that a request is answered with. Raises `Refused` and `Unreachable`."""
        headers = {**self._access.headers, "Accept": "application/json", "User-Agent": "crdkit"}
        if body is not None:
            headers["Content-Type"] = content_type
        code, text = self._exchange(method, self._base.path + path, None if body is None else json.encode(body), headers)
        try:
            answer = json.decode(text)
        except json.JsonError:
            answer = None
        if code >= 400 or not isinstance(answer, dict):
            status: JsonObject = answer if isinstance(answer, dict) else {}
            raise Refused(code, status.get("message") or f"{method} {path} is answered with {code}", status)
        return answer

    def pages(self, path: str) -> Iterator[list[JsonObject]]:
        """The objects of a list, page by page. Raises `Refused` and `Unreachable`."""
        token = ""
        while True:
            query = urllib.parse.urlencode({"limit": _PAGE, "continue": token} if token else {"limit": _PAGE})
            try:
                page = self.call("GET", f"{path}?{query}")
            except Refused as refused:
                token = (refused.status.get("metadata") or {}).get("continue", "")
                if refused.code != _EXPIRED or not token:
                    raise
                continue
            yield page.get("items") or []
            token = page["metadata"].get("continue", "")
            if not token:
                return

    def _exchange(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        """One exchange; a kept connection that was closed meanwhile is replaced once."""
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            try:
                return self._over(kept, method, path, body, headers)
            except (http.client.HTTPException, OSError):
                kept.close()
        connection = self._local.connection = self._connect()
        self._connections.append(connection)
        try:
            return self._over(connection, method, path, body, headers)
        except (http.client.HTTPException, OSError) as error:
            connection.close()
            raise Unreachable(f"the server {self._access.url} cannot be reached: {_reason(error)}") from error

    @staticmethod
    def _over(
        connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._base.hostname or "", self._base.port
        if self._access.context is None:
            return http.client.HTTPConnection(host, port, timeout=_SECONDS)
        return http.client.HTTPSConnection(host, port, timeout=_SECONDS, context=self._access.context)


def _reason(error: Exception) -> str:
    """Why there was no answer, in words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"it does not speak TLS as is expected here: {error.reason.replace('_', ' ').lower()}"
    told = error.strerror if isinstance(error, OSError) else None
    return (told or str(error) or type(error).__name__).lower()
