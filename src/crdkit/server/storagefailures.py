"""What is answered where the store cannot do what it is asked, and which requests need it to be asked."""

from __future__ import annotations

from typing import Final

from crdkit.meta.status import Refusal, failure, internal_error
from crdkit.registry.request import Query
from crdkit.server.requestinfo import RequestInfo
from crdkit.storage.errors import StorageClosed, StorageError, Unavailable

_READS: Final = frozenset(("get", "list", "watch"))


def refusal(error: StorageError) -> Refusal:
    """Say what is wrong. None of it invites a client to try again by itself: a write may have been made."""
    if isinstance(error, Unavailable):
        return Refusal(failure(504, "Timeout", str(error), {}))
    if isinstance(error, StorageClosed):
        return Refusal(failure(503, "ServiceUnavailable", "the server is stopping", {}))
    return internal_error(str(error))


def needs_newest(info: RequestInfo, query: Query) -> bool:
    """Whether a request is promised the state as it is now: every one but reads that name the version they want at least."""
    if not info.is_resource:
        return False
    if info.verb not in _READS or not query.first("resourceVersion"):
        return True
    return query.first("resourceVersionMatch") == "Exact"
