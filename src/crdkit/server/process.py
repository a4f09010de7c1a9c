"""A server that has a process to itself: its event loop, its signals, its memory."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable
from typing import Final

from crdkit.server.allocation import tune_allocation
from crdkit.server.run import Address, Server, Settings

STOP: Final = (signal.SIGINT, signal.SIGTERM)
COLLECT_AFTER: Final = (10_000, 5, 200)
"""Nothing else runs during a collection: frequent ones of what is young are short, and of what is old there are few."""


def new_event_loop() -> asyncio.AbstractEventLoop:
    """The fastest loop that the platform has."""
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    import uvloop  # noqa: PLC0415 (there is none on Windows)

    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


def run(settings: Settings, ready: Callable[[Address], object]) -> None:
    """Serve until SIGTERM or SIGINT; ``ready`` is called once clients can come. Raises `OSError` where it cannot be served."""
    tune_allocation()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_serve(settings, ready))


async def _serve(settings: Settings, ready: Callable[[Address], object]) -> None:
    server = Server(settings)
    stop = asyncio.Event()
    _on_signals(stop)
    ready(await server.start())
    _collect_seldom()
    settling = asyncio.create_task(_settle(server), name="settling")
    await stop.wait()
    settling.cancel()
    await server.stop()


def _on_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in STOP:
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))


def _collect_seldom() -> None:
    """Look for garbage not as for short scripts, and not among what stands now."""
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()


async def _settle(server: Server) -> None:
    """Once nobody waits for the start any more, look after memory: take away once what it has left; what stands then stays."""
    await server.warm()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
