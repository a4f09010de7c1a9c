"""Objects about which nothing can be decided before a definition changes: the kind of an owner, or their own, is not served."""

from __future__ import annotations

from collections.abc import Iterable


class Awaiting:
    """Keys, by the API group whose definitions they wait for."""

    def __init__(self) -> None:
        self._keys: dict[str, dict[str, None]] = {}
        self._groups: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._groups)

    def add(self, group: str, key: str) -> None:
        self._keys.setdefault(group, {})[key] = None
        self._groups.setdefault(key, set()).add(group)

    def take(self, group: str) -> Iterable[str]:
        """The keys that wait for a group; they do so no longer."""
        keys = self._keys.pop(group, {})
        for key in keys:
            self._forget(group, key)
        return keys

    def remove(self, key: str) -> None:
        for group in self._groups.pop(key, ()):
            keys = self._keys[group]
            del keys[key]
            if not keys:
                del self._keys[group]

    def _forget(self, group: str, key: str) -> None:
        groups = self._groups[key]
        groups.discard(group)
        if not groups:
            del self._groups[key]
