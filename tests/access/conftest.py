"""Roles and bindings in a store in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from crdkit.access.roles import Roles
from crdkit.meta import json
from crdkit.storage.cache import Cache
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.types import ABSENT

RULE = {"verbs": ["get", "list"], "apiGroups": ["g"], "resources": ["kites"]}


class Rights:
    """Writes roles and bindings as they are stored."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.roles = Roles(cache)

    async def role(self, name: str, *rules: dict[str, Any], namespace: str = "") -> None:
        await self._put("role", name, namespace, {"rules": list(rules)})

    async def bind(self, name: str, role: str, *subjects: dict[str, str], namespace: str = "", kind: str = "") -> None:
        role_kind = kind or ("Role" if namespace else "ClusterRole")
        await self._put("rolebinding", name, namespace, {"subjects": list(subjects), "roleRef": {"kind": role_kind, "name": role}})

    async def _put(self, kind: str, name: str, namespace: str, content: dict[str, Any]) -> None:
        key = f"/registry/{kind}s/{namespace}/{name}" if namespace else f"/registry/cluster{kind}s/{name}"
        meta = {"name": name, "namespace": namespace} if namespace else {"name": name}
        found = self.cache.get(key)
        expected = ABSENT if found is None else found.revision
        await self.cache.put(key, json.encode({"metadata": meta, **content}), expected=expected)

    async def drop(self, key: str) -> None:
        found = self.cache.get(key)
        assert found is not None
        await self.cache.delete(key, expected=found.revision)


@pytest.fixture
async def rights() -> AsyncIterator[Rights]:
    cache = Cache(MemoryDriver())
    await cache.start()
    yield Rights(cache)
    await cache.close()
