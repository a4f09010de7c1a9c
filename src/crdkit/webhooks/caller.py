"""The one thing that is asked of whoever calls webhooks."""

from __future__ import annotations

from typing import Final, Protocol

from crdkit.meta.records import record
from crdkit.webhooks.address import Address

JSON: Final = "application/json"


class CallFailed(Exception):
    """A webhook gave no usable answer; ``str()`` is the real server's text."""


@record
class Answer:
    """What a webhook answered, whatever it is."""

    body: bytes
    status: int = 200
    content_type: str = JSON
    """Empty where the webhook did not tell."""


class Caller(Protocol):
    """Posts to webhooks."""

    async def post(self, address: Address, body: bytes, *, seconds: float) -> Answer:
        """Post a JSON body and wait for the answer so long at most. Raises `CallFailed` where none comes."""
        ...
