"""Owners of a count of replicas, as the scale subresource of a custom object sees them and leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crdkit.definitions.definition import DefinitionVersion
from crdkit.meta.changes import Changed
from crdkit.meta.status import unknown
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.ownership import entries, fieldsets
from crdkit.ownership.comparison import same
from crdkit.ownership.entries import Managers, Owned
from crdkit.ownership.fieldsets import Path
from crdkit.ownership.kinds import INVALID_VERSION, scale_versions
from crdkit.ownership.manager import FieldManager, without_managers

_API_VERSION: Final = "autoscaling/v1"
_KIND: Final = "Scale"
_REPLICAS: Final[Path] = ("f:spec", "f:replicas")
_REPLICAS_ONLY: Final = fieldsets.of(_REPLICAS)
_UNCONVERTED: Final = INVALID_VERSION.format(_API_VERSION)


class ScaleFieldManager(FieldManager):
    """Follows changes of a Scale. Applies succeed only where they change nothing: a real server fails to convert what they make."""

    def __init__(self, kube: KubeVersion) -> None:
        super().__init__(api_version=_API_VERSION, kind=_KIND, versions=scale_versions(kube), kube=kube, subresource="scale")

    async def update(self, live: JsonObject, new: JsonObject, manager: str, now: str, *, sound: bool = False) -> None:
        """A Scale that does not tell its version has no owners any more: a real server does not find out what to compare it as."""
        if new.get("apiVersion"):
            await super().update(live, new, manager, now, sound=sound)
        else:
            new["metadata"].pop("managedFields", None)

    async def _before_first_apply(self, live: JsonObject, now: str) -> Managers:
        told = f"failed to convert live object (/; {_API_VERSION}, Kind={_KIND}) to proper version: {_UNCONVERTED}"
        msg = f"failed to create manager for existing fields: {told}"
        raise unknown(msg)

    async def apply(
        self, live: JsonObject | None, config: JsonObject, manager: str, *, force: bool, now: str, sound: bool = False
    ) -> Changed:
        applied = await super().apply(live, config, manager, force=force, now=now, sound=sound)
        if live is not None and not same(without_managers(applied.new), without_managers(live)):
            msg = f"failed to convert new object ({self.shown(config)}) to proper version: {_UNCONVERTED}"
            raise unknown(msg)
        return Changed(applied.new)


class ScaleOwners:
    """Carries owners over between an object of a definition and its Scale, which is told of those of the replicas only."""

    def __init__(self, version: DefinitionVersion) -> None:
        self._api_version = version.api_version
        self._paths: Mapping[str, Path | None] = {
            other.api_version: _path(other.scale.spec_path) if other.scale is not None else None for other in version.definition.versions
        }

    def of_scale(self, parent: list[JsonObject]) -> list[JsonObject]:
        """The owners that the Scale of an object with these has."""
        found: Managers = {}
        for key, owned in entries.read(parent).items():
            path = self._paths.get(owned.api_version)
            if path and fieldsets.has(owned.fields, path):
                found[key] = Owned(_REPLICAS_ONLY, _API_VERSION, owned.time)
        return entries.encode(found)

    def of_parent(self, parent: list[JsonObject], scale: list[JsonObject]) -> list[JsonObject]:
        """The owners of an object after a change of its Scale, which has left these."""
        left = entries.read(scale)
        before = entries.read(parent)
        found: Managers = {}
        for key, owned in before.items():
            if owned.api_version not in self._paths:
                continue
            path = self._paths[owned.api_version]
            if not path or not fieldsets.has(owned.fields, path) or left.pop(key, None) is not None:
                found[key] = owned
            elif fields := fieldsets.difference(owned.fields, fieldsets.of(path)):
                found[key] = owned._replace(fields=fields)
        own = self._paths[self._api_version]
        assert own
        for key, owned in left.items():
            if fieldsets.has(owned.fields, _REPLICAS):
                time = before[key].time if key in before else ""
                found[key] = Owned(fieldsets.of(own), self._api_version, time)
        return entries.encode(found)


def _path(text: str) -> Path:
    return tuple(f"f:{name}" for name in text.removeprefix(".").split("."))
