"""The audit log: an ``audit.k8s.io/v1`` Event per request, at level Metadata, a line of JSON each.

A request is told of once: when it is answered (``ResponseComplete``), or when a watch begins (``ResponseStarted``).
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from crdkit.access.user import User
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.server.exchange import Exchange
from crdkit.server.linewriter import LineWriter, TurningFile
from crdkit.server.requestinfo import RequestInfo

COMPLETE: Final = "ResponseComplete"
STARTED: Final = "ResponseStarted"
HEAD: Final = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "Metadata"}
_SAFE: Final = "/:@!$&'()*+,;=~"


class AuditLog:
    """Writes the log to a file. Raises `OSError` where that cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._writer: LineWriter[JsonObject] = LineWriter(TurningFile(path).write, lambda event: json.encode(event) + b"\n")

    @property
    def dropped(self) -> int:
        return self._writer.dropped

    def note(self, exchange: Exchange, code: int, seconds: float) -> None:
        self._writer.put(_event(exchange, code, seconds))

    def close(self) -> None:
        self._writer.close()


def _event(exchange: Exchange, code: int, seconds: float) -> JsonObject:
    incoming, info, now = exchange.incoming, exchange.info, time.time()
    event: JsonObject = {
        **HEAD,
        "auditID": exchange.audit_id,
        "stage": STARTED if info and info.verb == "watch" and code == 200 else COMPLETE,
        "requestURI": _uri(exchange),
        "verb": info.verb if info else incoming.method.lower(),
        "user": _user(exchange.user) if exchange.user else {},
    }
    if exchange.acts_as is not None:
        event["impersonatedUser"] = _user(exchange.acts_as)
    if incoming.address:
        event["sourceIPs"] = [incoming.address]
    if exchange.user_agent:
        event["userAgent"] = exchange.user_agent
    if info is not None and info.is_resource:
        event["objectRef"] = _reference(info)
    event["responseStatus"] = _status(exchange, code)
    if exchange.annotations:
        event["annotations"] = exchange.annotations
    event["requestReceivedTimestamp"], event["stageTimestamp"] = _moment(now - seconds), _moment(now)
    return event


def _uri(exchange: Exchange) -> str:
    query = exchange.incoming.query
    path = quote(exchange.incoming.path, safe=_SAFE, errors="replace")
    return f"{path}?{urlencode([(name, value) for name in query for value in query.all(name)], errors='replace')}" if query else path


def _user(user: User) -> JsonObject:
    told: JsonObject = {"username": user.name}
    if user.uid:
        told["uid"] = user.uid
    if user.groups:
        told["groups"] = list(user.groups)
    if user.extra:
        told["extra"] = {name: list(values) for name, values in user.extra.items()}
    return told


def _reference(info: RequestInfo) -> JsonObject:
    parts = {
        "resource": info.resource,
        "namespace": info.namespace,
        "name": info.name,
        "apiGroup": info.group,
        "apiVersion": info.version,
        "subresource": info.subresource,
    }
    return {name: value for name, value in parts.items() if value}


def _status(exchange: Exchange, code: int) -> JsonObject:
    refusal = exchange.refusal or {}
    told = {name: refusal[name] for name in ("status", "message", "reason") if refusal.get(name)}
    return {"metadata": {}, **told, "code": code}


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
