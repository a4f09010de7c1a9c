"""Watches on their way out: streams that end cleanly, by themselves, after their time, or with the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from crdkit.registry.request import WatchReply


class WatchStream:
    """The events of one watch. `end` lets whoever sends them finish: what waits for the next event gets none."""

    def __init__(self, reply: WatchReply, streams: set[WatchStream]) -> None:
        self._events = reply.events
        self._streams = streams
        self._waiting: asyncio.Task[object] | None = None
        self._ended = False
        self._timer = asyncio.get_running_loop().call_later(reply.timeout, self.end)
        streams.add(self)

    def end(self) -> None:
        if not self._ended:
            self._ended = True
            if self._waiting is not None:
                self._waiting.cancel()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        if self._ended:
            raise StopAsyncIteration
        self._waiting = task = asyncio.current_task()
        try:
            return await anext(self._events)
        except asyncio.CancelledError:
            if not self._ended or task is None:
                raise
            task.uncancel()
            raise StopAsyncIteration from None
        finally:
            self._waiting = None
            del task  # which would hold its own failure, and so this frame

    async def aclose(self) -> None:
        """Let go of the subscription. Whoever sends the stream calls this, however it ends."""
        self._ended = True
        self._timer.cancel()
        self._streams.discard(self)
        close = getattr(self._events, "aclose", None)
        if close is not None:
            await close()
