"""Cluster roles that gather the rules of others, by labels (kube-controller-manager's clusterrole-aggregation-controller)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from typing import Final

from crdkit.builtin import label_selectors
from crdkit.builtin.kinds import CLUSTER_ROLE
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.registry.registry import Registry
from crdkit.storage.errors import StorageError
from crdkit.storage.types import Conflict, Entry, Event

logger = logging.getLogger(__name__)

PREFIX: Final = CLUSTER_ROLE.prefix
_OWNER: Final = "clusterrole-aggregation-controller"
_RETRY: Final = 1.0
"""Seconds before a gathering that failed is tried again."""


def gathered(role: JsonObject, others: Iterable[JsonObject]) -> list[JsonObject]:
    """The rules that a gathering role is to have: those of the chosen roles, selector by selector, in the order of names, each once."""
    name, found = role["metadata"]["name"], []
    for selector in role["aggregationRule"].get("clusterRoleSelectors") or ():
        for other in others:
            meta = other["metadata"]
            if meta["name"] != name and label_selectors.chooses(selector, meta.get("labels") or {}):
                found += [rule for rule in other.get("rules") or () if rule not in found]
    return found


class RoleAggregation:
    """Follows the cluster roles, and gathers anew whenever one has changed."""

    def __init__(self, registry: Registry) -> None:
        self._cache = registry.cache
        resource = registry.find(CLUSTER_ROLE.group, CLUSTER_ROLE.version, CLUSTER_ROLE.plural)
        assert resource is not None
        self._resource = resource
        self._changed = asyncio.Event()
        self._unsubscribe: Callable[[], None]
        self._task: asyncio.Task[None]

    async def start(self) -> None:
        self._unsubscribe = self._cache.subscribe(PREFIX, self._note)
        self._changed.set()
        self._task = asyncio.create_task(self._follow(), name="aggregation of cluster roles")

    async def stop(self) -> None:
        self._unsubscribe()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def _note(self, event: Event) -> None:
        del event
        self._changed.set()

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._gather()
            except StorageError as error:
                logger.warning("cluster roles cannot be gathered; it is tried again: %s", error)
                await asyncio.sleep(_RETRY)
                self._changed.set()

    async def _gather(self) -> None:
        entries = self._cache.list(PREFIX).entries
        roles: list[JsonObject] = [json.decode(entry.value) for entry in entries]
        for entry, role in zip(entries, roles, strict=True):
            if role.get("aggregationRule") and role["metadata"].get("deletionTimestamp") is None:
                rules = gathered(role, roles) or None
                if rules != role.get("rules"):
                    await self._apply(entry, role, rules)

    async def _apply(self, entry: Entry, role: JsonObject, rules: list[JsonObject] | None) -> None:
        """Apply rules to a role and store it; one that somebody else has changed meanwhile comes round again."""
        endpoint = self._resource.main
        config: JsonObject = {"apiVersion": endpoint.api_version, "kind": endpoint.kind, "metadata": {"name": role["metadata"]["name"]}}
        if rules:
            config["rules"] = rules
        role = (await endpoint.owners.apply(role, config, _OWNER, force=True)).new
        role["rules"] = rules
        ordered: JsonObject = {
            field: role[field] for field in ("kind", "apiVersion", "metadata", "rules", "aggregationRule") if field in role
        }
        value = self._resource.stored_head + (await self._resource.dump(ordered)).text()
        with contextlib.suppress(Conflict):
            await self._cache.put(entry.key, value, expected=entry.revision)
