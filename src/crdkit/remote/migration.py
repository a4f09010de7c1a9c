"""Writing a definition's objects anew on a server that runs, so that they stand in the storage version alone.

Any Kubernetes server will do: it stores what is written in the storage version of that moment, even if nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from crdkit.definitions import versions
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.remote.client import MERGE_PATCH, Client, Refused

DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
THREADS: Final = 8
_MEANWHILE: Final = (404, 409)
"""What was deleted or changed meanwhile is in order by itself."""


@record(frozen=False)
class Outcome:
    """What became of a migration."""

    written: int = 0
    changed_meanwhile: int = 0
    failures: tuple[str, ...] = ()
    stored: str = ""
    """The only version that is stored now; empty where that cannot be said."""

    def note(self, told: str | None) -> None:
        """Count what became of one object."""
        if told is None:
            self.written += 1
        elif not told:
            self.changed_meanwhile += 1
        else:
            self.failures += (told,)


def storage_version(definition: JsonObject) -> str:
    name: str = next(version["name"] for version in definition["spec"]["versions"] if version["storage"])
    return name


def needs_migration(definition: JsonObject) -> bool:
    """Whether objects may stand in another version than the storage version."""
    stored: list[str] = (definition.get("status") or {}).get("storedVersions") or []
    return stored != [storage_version(definition)]


def definitions(client: Client, names: tuple[str, ...]) -> list[JsonObject]:
    """The definitions of these names; without names, all that need a migration. Raises `Refused`."""
    if names:
        return [client.call("GET", f"{DEFINITIONS}/{name}") for name in names]
    return [definition for page in client.pages(DEFINITIONS) for definition in page if needs_migration(definition)]


def migrate(client: Client, definition: JsonObject, advance: Callable[[], None] = lambda: None) -> Outcome:
    """Write all objects of a definition anew, then leave the storage version alone in its ``storedVersions``.

    They stay as they are where an object could not be written, or the definition has changed meanwhile. Raises `Refused` where the
    objects cannot be listed.
    """
    spec, name = definition["spec"], definition["metadata"]["name"]
    served = versions.ranked([version["name"] for version in spec["versions"] if version["served"]])
    outcome = Outcome()
    if not served:
        outcome.failures = (f"{name} serves no version",)
        return outcome
    base, plural = f"/apis/{spec['group']}/{served[0]}", definition["status"]["acceptedNames"]["plural"]
    with ThreadPoolExecutor(THREADS) as threads:
        for page in client.pages(f"{base}/{plural}"):
            for told in threads.map(partial(_write_anew, client, base, plural), page):
                outcome.note(told)
                advance()
    if not outcome.failures:
        _finish(client, definition, outcome)
    return outcome


def _write_anew(client: Client, base: str, plural: str, obj: JsonObject) -> str | None:
    """Write an object as it is. A text tells why it could not be, an empty one that there was no need any more."""
    meta = obj["metadata"]
    within = f"/namespaces/{meta['namespace']}" if meta.get("namespace") else ""
    patch = {"metadata": {"resourceVersion": meta["resourceVersion"]}}
    try:
        client.call("PATCH", f"{base}{within}/{plural}/{meta['name']}", patch, content_type=MERGE_PATCH)
    except Refused as refused:
        return "" if refused.code in _MEANWHILE else f"{within.removeprefix('/namespaces/')}/{meta['name']}: {refused}".lstrip("/")
    return None


def _finish(client: Client, definition: JsonObject, outcome: Outcome) -> None:
    path = f"{DEFINITIONS}/{definition['metadata']['name']}"
    now = client.call("GET", path)
    if now["metadata"].get("generation") != definition["metadata"].get("generation"):
        outcome.failures = ("the definition has changed meanwhile; its storedVersions stay as they are",)
        return
    stored = storage_version(now)
    patch = {"metadata": {"resourceVersion": now["metadata"]["resourceVersion"]}, "status": {"storedVersions": [stored]}}
    try:
        client.call("PATCH", f"{path}/status", patch, content_type=MERGE_PATCH)
    except Refused as refused:
        outcome.failures = (str(refused),)
        return
    outcome.stored = stored
