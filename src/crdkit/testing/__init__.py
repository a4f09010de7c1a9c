"""A server within the tests: `Server`, what it does not take (`Refused`), and the fixtures of `crdkit.testing.plugin`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crdkit.testing.server import Refused, Server

__all__ = ["Refused", "Server"]


def __getattr__(name: str) -> Any:
    """Load the server when it is used: pytest loads this package wherever crdkit is installed."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(importlib.import_module("crdkit.testing.server"), name)
