"""Documents whose makers are loaded when somebody first asks for one."""

from __future__ import annotations

from collections.abc import Callable

from crdkit.server.message import Answer, Documents, Incoming


class LaterDocuments:
    """Stands for what serves the paths below ``root`` until the first of them is wanted."""

    def __init__(self, root: str, make: Callable[[], Documents]) -> None:
        self._root = root
        self._make = make
        self._documents: Documents | None = None

    async def answer(self, incoming: Incoming) -> Answer | None:
        if not incoming.path.startswith(self._root):
            return None
        if self._documents is None:
            self._documents = self._make()
        return await self._documents.answer(incoming)
