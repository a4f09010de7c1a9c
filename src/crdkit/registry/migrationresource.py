"""StorageVersionMigrations as a resource: their status is written by whoever migrates."""

from __future__ import annotations

from crdkit.builtin import migrations
from crdkit.builtin.kinds import MIGRATION as KIND
from crdkit.meta.errors import FieldError
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import metadata
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.plainresource import PlainEndpoint, PlainResource


class MigrationResource(PlainResource):
    """StorageVersionMigrations."""

    has_status = True

    def __init__(self, kube: KubeVersion) -> None:
        super().__init__(KIND, migrations.MIGRATION, kube)
        self._status = MigrationStatusEndpoint(self)

    def endpoint(self, subresource: str) -> Endpoint | None:
        return {"": self.main, "status": self._status}.get(subresource)


class MigrationStatusEndpoint(PlainEndpoint):
    """Their status; metadata and spec stay as they are."""

    subresource = "status"

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        new["spec"] = old["spec"]
        metadata.keep_but_owners(new, old)

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        found = self.resource.check_metadata_update(new, old)
        return [*found, *migrations.check_status(new, old, self.resource.kube)]
