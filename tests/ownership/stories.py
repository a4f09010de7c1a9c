"""A story: who did what to one object, one after the other. Its tests tell what became of the object and of its owners."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, NamedTuple, cast

import pytest

from crdkit.definitions.definition import Definition, DefinitionVersion
from crdkit.meta.changes import Changed, Changes
from crdkit.meta.status import Refusal
from crdkit.meta.version import DEFAULT, KubeVersion
from crdkit.ownership import entries, fieldsets, kinds
from crdkit.ownership.conformity import conforms
from crdkit.ownership.manager import FieldManager, keep_times, without_managers
from crdkit.registry.comparison import changes_between

Json = Any


class Conflict(NamedTuple):
    """An expected conflict: with whom, and where below ``.spec``."""

    owner: str
    path: str


def definition(
    schemas: dict[str, Json], kube: KubeVersion = DEFAULT, *, status: bool = False, scale: str = "", unserved: Collection[str] = ()
) -> Definition:
    """A definition of Things whose versions have these schemas of ``spec``."""
    subresources: Json = {"status": {}} if status else {}
    if scale:
        subresources["scale"] = {"specReplicasPath": scale, "statusReplicasPath": ".status.replicas"}
    names = {"kind": "Thing", "plural": "things"}
    versions = [
        {
            "name": name,
            "served": name not in unserved,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": STATUS}}},
            "subresources": subresources,
        }
        for name, spec in schemas.items()
    ]
    raw = {"metadata": {"name": "things.g"}, "spec": {"group": "g", "versions": versions}, "status": {"acceptedNames": names}}
    return Definition(raw, 1, kube)


STATUS = {"type": "object", "properties": {"phase": {"type": "string"}, "replicas": {"type": "integer"}}}


def run(work: Coroutine[Any, Any, Json]) -> Json:
    return asyncio.run(work)


class Story:
    """One object, which does not exist before somebody makes it. Each step is a second later than the one before."""

    def __init__(
        self,
        schema: Json = None,
        *,
        versions: dict[str, Json] | None = None,
        kube: KubeVersion = DEFAULT,
        status: bool = False,
        unserved: Collection[str] = (),
    ) -> None:
        self.kube = kube
        self.convert: kinds.Convert = kinds.relabel
        self.object: Json = None
        self._status = status
        self._unserved = unserved
        self._second = 0
        self.change_schema(schema, versions=versions)

    def change_schema(self, schema: Json = None, *, versions: dict[str, Json] | None = None) -> None:
        """From now on the definition has another schema, or other versions."""
        self.definition = definition(versions or {"v1": schema}, self.kube, status=self._status, unserved=self._unserved)

    def version(self, name: str) -> DefinitionVersion:
        found = self.definition.version(name)
        assert found is not None
        return found

    def manager(self, version: str, subresource: str = "") -> FieldManager:
        return kinds.custom(self.version(version), self.convert, subresource=subresource)

    @property
    def now(self) -> str:
        return f"2026-01-01T00:00:{self._second:02}Z"

    def _body(self, spec: Json, version: str, more: Json) -> Json:
        body = {"apiVersion": f"g/{version}", "kind": "Thing", "metadata": {"name": "a"}, **(more or {})}
        if spec is not None:
            body["spec"] = spec
        return body

    def apply(
        self,
        who: str,
        spec: Json = None,
        *,
        force: bool = False,
        version: str = "v1",
        subresource: str = "",
        conflicts: Sequence[Conflict] = (),
        more: Json = None,
    ) -> None:
        """Apply a configuration with this spec (and what ``more`` has beside it)."""
        self._second += 1
        live = self._seen(version)
        manager, config = self.manager(version, subresource), self._body(spec, version, more)

        def applied(*, sound: bool) -> Changed:
            return cast("Changed", run(manager.apply(live, config, who, force=force, now=self.now, sound=sound)))

        ways = (False, True) if live is not None and conforms(manager._type, without_managers(live)) else (False,)
        if conflicts:
            for sound in ways:
                with pytest.raises(Refusal) as refused:
                    applied(sound=sound)
                causes = refused.value.status["details"]["causes"]
                assert [(cause["message"], cause["field"]) for cause in causes] == [
                    (f"conflict with {conflict.owner}", f".spec{conflict.path}") for conflict in conflicts
                ]
            return
        outcomes = [applied(sound=sound) for sound in ways]
        assert all(outcome.new == outcomes[0].new for outcome in outcomes)
        assert all(outcome.changes is None or _covers(outcome.changes, changes_between(outcome.new, live)) for outcome in outcomes)
        self._store(outcomes[0].new, live)

    def update(self, who: str, spec: Json = None, *, version: str = "v1", subresource: str = "", more: Json = None) -> None:
        """Replace the object, or make it."""
        self._second += 1
        live = self._seen(version)
        body = self._body(spec, version, more)
        if live is None:
            self.manager(version, subresource).create(body, who, self.now)
        else:
            body["metadata"] = {**live["metadata"], "managedFields": None, **body["metadata"]}
            run(self.manager(version, subresource).update(live, body, who, self.now))
        self._store(body, live)

    def edit(self, managed_fields: Json, *, who: str = "editor", subresource: str = "") -> None:
        """Send the object as it is, but for its managedFields."""
        self._second += 1
        live = self._seen("v1")
        new = {**live, "metadata": {**live["metadata"], "managedFields": managed_fields}}
        run(self.manager("v1", subresource).update(live, new, who, self.now))
        self._store(new, live)

    def _seen(self, version: str) -> Json:
        return None if self.object is None else {**self.object, "apiVersion": f"g/{version}"}

    def _store(self, new: Json, live: Json) -> None:
        new["metadata"]["uid"] = "u"
        if live is not None:
            keep_times(new, live)
        self.object = new

    @property
    def spec(self) -> Json:
        return self.object.get("spec")

    @property
    def entries(self) -> list[Json]:
        found: list[Json] = self.object["metadata"].get("managedFields") or []
        return found

    @property
    def owners(self) -> dict[str, set[str]]:
        """What each owner owns in the spec, which itself is ``.``; owners of the same name count as one."""
        found: dict[str, set[str]] = {}
        for entry in self.entries:
            paths = [fieldsets.shown_path(path) for path in fieldsets.paths(entry["fieldsV1"])]
            found.setdefault(entry["manager"], set()).update(path.removeprefix(".spec") or "." for path in paths)
        return found

    @property
    def times(self) -> dict[str, str | None]:
        """When each owner last took something: the seconds."""
        return {entry["manager"]: entry["time"][17:19] if "time" in entry else None for entry in self.entries}


def refused(work: Callable[[], None]) -> tuple[int, str]:
    """The code and message that a step is refused with."""
    with pytest.raises(Refusal) as error:
        work()
    return error.value.code, str(error.value)


def managers_of(*entries_: Json) -> list[Json]:
    """Entries as they are stored."""
    return entries.encode(entries.decode(entries_))


def entry(manager: str, fields: Json, *, operation: str = "Apply", version: str = "v1", time: str = "", **more: Json) -> Json:
    """An entry as a client writes it."""
    written = {
        "manager": manager,
        "operation": operation,
        "apiVersion": f"g/{version}",
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
        **more,
    }
    return {**written, "time": time} if time else written


def obj(**properties: Json) -> Json:
    return {"type": "object", "properties": properties}


INTEGER = {"type": "integer"}
TEXT = {"type": "string"}
SIZES = obj(size=INTEGER, color=TEXT, nested=obj(a=TEXT, b=TEXT))
BAG = obj(bag={"type": "object", "additionalProperties": TEXT}, size=INTEGER)
TAGS = obj(tags={"type": "array", "x-kubernetes-list-type": "set", "items": TEXT})
PORTS = obj(
    ports={
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        "items": obj(name=TEXT, port=INTEGER, note=TEXT),
    }
)
LISTENERS = obj(
    listeners={
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port", "proto"],
        "items": obj(port=INTEGER, proto={"type": "string", "default": "TCP"}, note=TEXT),
    }
)
FREE = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def _covers(told: Changes, real: Changes) -> bool:
    """Whether all that differs is told."""
    return all(
        name in told and (not isinstance(known := told[name], dict) or (isinstance(below, dict) and _covers(known, below)))
        for name, below in real.items()
    )
