"""Who looks on: each is told of every request once it is answered (a stream: once it begins)."""

from __future__ import annotations

from typing import Protocol

from crdkit.server.exchange import Exchange
from crdkit.server.requestinfo import RequestInfo


class Observer(Protocol):
    """Takes note of a request. It is called on the event loop: it neither waits nor raises."""

    def note(self, exchange: Exchange, code: int, seconds: float) -> None: ...


def group_resource(info: RequestInfo) -> str:
    """What a request is about, in one word: ``kites.example.com/status``."""
    resource = f"{info.resource}.{info.group}" if info.group else info.resource
    return f"{resource}/{info.subresource}" if info.subresource else resource
