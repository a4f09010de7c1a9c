"""A server within the tests: `Server`, and the fixtures of `crdkit.testing.plugin`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crdkit.testing.server import Server

__all__ = ["Server"]


def __getattr__(name: str) -> Any:
    """Load the server when it is used: pytest loads this package wherever crdkit is installed."""
    if name != "Server":
        raise AttributeError(name)
    from crdkit.testing.server import Server  # noqa: PLC0415

    return Server
