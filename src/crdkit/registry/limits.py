"""How large a stored object may be: as large as etcd takes it."""

from __future__ import annotations

from typing import Final

from crdkit.meta.status import unknown

STORED_LIMIT: Final = 3 * 512 * 1024
"""Bytes of a request to etcd (its --max-request-bytes)."""


def is_too_large(size: int) -> bool:
    return size > STORED_LIMIT


def check_size(value: bytes) -> None:
    """Raises a `Refusal` in etcd's words."""
    if len(value) > STORED_LIMIT:
        raise unknown("etcdserver: request is too large")
