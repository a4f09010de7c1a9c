"""``/healthz``, ``/livez``, ``/readyz`` and the single checks below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crdkit.registry.request import Query
from crdkit.server.message import TEXT, Answer

CHECKS: Final = (
    "ping",
    "log",
    "etcd",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/bootstrap-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
)
PATHS: Final = ("/healthz", "/livez", "/readyz")
NOSNIFF: Final = (("X-Content-Type-Options", "nosniff"),)


class Health:
    """Says whether the server is alive and ready. It is not ready while it stops, so that balancers look elsewhere."""

    def __init__(self, stopping: Callable[[], bool]) -> None:
        self._stopping = stopping

    def answer(self, path: str, query: Query) -> Answer | None:
        """Any method is answered alike; None for a check that is not known."""
        root, slash, name = path[1:].partition("/")
        if f"/{root}" not in PATHS or (slash and name not in CHECKS):
            return None
        if root == "readyz" and self._stopping():
            return _text("[-]shutdown failed: reason withheld\nreadyz check failed", 500)
        if name or "verbose" not in query:
            return _text("ok")
        excluded = set(query.all("exclude"))
        lines = [f"[+]{check} {'excluded: ' if check in excluded else ''}ok\n" for check in CHECKS]
        return _text("".join((*lines, f"{root} check passed\n")))


def _text(text: str, code: int = 200) -> Answer:
    return Answer(text.encode(), code, content_type=TEXT, headers=NOSNIFF)
