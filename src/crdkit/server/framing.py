"""A watch in protobuf: each event in a frame that tells its length."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final, cast

from crdkit.builtin.protobuf import envelope
from crdkit.meta import json
from crdkit.server.message import PROTOBUF

CONTENT_TYPE: Final = f"{PROTOBUF};stream=watch"


async def framed(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The events whose lines of JSON these are. Whoever stops early closes both."""
    async with aclosing(cast("AsyncGenerator[bytes]", events)) as closed_at_the_end:
        async for lines in closed_at_the_end:
            yield b"".join([envelope.frame(json.decode(line)) for line in lines.splitlines()])
