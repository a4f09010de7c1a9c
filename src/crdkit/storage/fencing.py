"""Fences: guards that every write of a task carries, and of what it begins, so that it writes only while it may."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import Final

from crdkit.storage.errors import StorageError
from crdkit.storage.types import Conflict, Event, Guard

_fence: Final[ContextVar[Guard | None]] = ContextVar("fence", default=None)


class FenceLost(StorageError):
    """The write was refused since whoever makes it may not write any more."""

    def __init__(self) -> None:
        super().__init__("another server has taken this work over")


@contextmanager
def fence(guard: Guard) -> Iterator[None]:
    """Have what is begun within write only while the guard holds; the writes raise `FenceLost` when it does not."""
    token = _fence.set(guard)
    try:
        yield
    finally:
        _fence.reset(token)


def fenced(guards: Sequence[Guard]) -> Sequence[Guard]:
    """The guards of a write, the fence among them."""
    guard = _fence.get()
    return guards if guard is None else (*guards, guard)


def check(conflict: Conflict) -> None:
    """Whether it was the fence that refused a write. Raises `FenceLost`."""
    guard = _fence.get()
    if guard is not None and conflict.key == guard.key:
        raise FenceLost from conflict


def carried(callback: Callable[[Event], object]) -> Callable[[Event], object]:
    """A callback that is called within the fence that stands now."""
    if _fence.get() is None:
        return callback
    context = copy_context()
    return lambda event: context.run(callback, event)
