"""The resourceVersion of a read: which state is to be shown, and the words where it cannot be."""

from __future__ import annotations

import asyncio
from typing import Final

from crdkit.meta import errors
from crdkit.meta.begun import within_task
from crdkit.meta.status import Refusal, failure
from crdkit.meta.version import KubeVersion
from crdkit.registry.metadata import parse_revision
from crdkit.storage.cache import Cache
from crdkit.storage.types import Revision

FUTURE_WAIT: Final = 3.0
"""Seconds that a read waits for a state yet to come."""


class BadVersion(ValueError):
    """The text is no resourceVersion; ``str()`` is the real server's text."""


def parse(text: str, kube: KubeVersion) -> Revision:
    """A resourceVersion that is not empty as a revision. Raises `BadVersion`."""
    try:
        return Revision(parse_revision(text))
    except ValueError as error:
        raise BadVersion(errors.invalid("resourceVersion", text, str(error)).text(kube)) from error


async def reach(cache: Cache, revision: Revision) -> None:
    """Wait until the cache shows a state at least as new. Raises a `Refusal` (504) where that does not happen soon."""
    if cache.revision >= revision:
        return
    await within_task()
    try:
        await asyncio.wait_for(cache.reached(revision), FUTURE_WAIT)
    except TimeoutError as error:
        raise too_large(revision, cache.revision) from error


def too_large(revision: int, current: int) -> Refusal:
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    message = f"Timeout: Too large resource version: {revision}, current: {current}"
    return Refusal(failure(504, "Timeout", message, {"causes": [cause], "retryAfterSeconds": 1}))


def expired(message: str) -> Refusal:
    return Refusal(failure(410, "Expired", message))
