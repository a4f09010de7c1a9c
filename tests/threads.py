"""Where work is done."""

from __future__ import annotations

import threading
from types import ModuleType
from typing import Any

import pytest


def threads_of(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[bool]:
    """For each call of a module's function from now on, whether it is made in the thread that asks here."""
    function, here = getattr(module, name), threading.current_thread()
    calls: list[bool] = []

    def noting(*args: Any, **kwargs: Any) -> Any:
        calls.append(threading.current_thread() is here)
        return function(*args, **kwargs)

    monkeypatch.setattr(module, name, noting)
    return calls
