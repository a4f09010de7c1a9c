"""Writing a definition's objects anew on a server that runs, so that they stand in the storage version alone.

Any Kubernetes server will do: it stores what is written in the storage version of that moment, even if nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple

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


class Found(NamedTuple):
    """An object as it was when it was looked at."""

    namespace: str
    name: str
    revision: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


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


def scan(client: Client, definition: JsonObject, advance: Callable[[], None] = lambda: None) -> list[Found]:
    """All objects of a definition. Raises `Refused` where they can be listed in no version.

    An object that its webhook cannot convert fails every list in another version than its own. So they are listed in the versions
    first in which those to be migrated stand.
    """
    base, served = f"/apis/{definition['spec']['group']}", _served(definition)
    stored, wanted = (definition.get("status") or {}).get("storedVersions") or [], storage_version(definition)
    refusal: Refused | None = None
    for version in sorted(served, key=lambda version: (version == wanted, version not in stored)):
        found = []
        try:
            for page in client.pages(f"{base}/{version}/{_plural(definition)}"):
                for obj in page:
                    meta = obj["metadata"]
                    found.append(Found(meta.get("namespace", ""), meta["name"], meta["resourceVersion"]))
                    advance()
        except Refused as error:
            refusal = refusal or error
            continue
        return found
    if refusal is not None:
        raise refusal
    return []


def migrate(client: Client, definition: JsonObject, objects: Sequence[Found], advance: Callable[[], None] = lambda: None) -> Outcome:
    """Write these objects of a definition anew, then leave the storage version alone in its ``storedVersions``.

    They stay as they are where an object could not be written, or the definition has changed meanwhile.
    """
    outcome = Outcome()
    served, wanted = _served(definition), storage_version(definition)
    if not served:
        outcome.failures = ("no version is served",)
        return outcome
    version = wanted if wanted in served else served[0]  # what another version does not know would be lost by a write in it
    write = partial(_write_anew, client, f"/apis/{definition['spec']['group']}/{version}", _plural(definition))
    with ThreadPoolExecutor(THREADS) as threads:
        for told in threads.map(write, objects):
            outcome.note(told)
            advance()
    if not outcome.failures:
        _finish(client, definition, outcome)
    return outcome


def _served(definition: JsonObject) -> list[str]:
    return versions.ranked([version["name"] for version in definition["spec"]["versions"] if version["served"]])


def _plural(definition: JsonObject) -> str:
    plural: str = definition["status"]["acceptedNames"]["plural"]
    return plural


def _write_anew(client: Client, base: str, plural: str, found: Found) -> str | None:
    """Write an object as it is. A text tells why it could not be, an empty one that there was no need any more."""
    within = f"/namespaces/{found.namespace}" if found.namespace else ""
    patch = {"metadata": {"resourceVersion": found.revision}}
    try:
        client.call("PATCH", f"{base}{within}/{plural}/{found.name}", patch, content_type=MERGE_PATCH)
    except Refused as refused:
        return "" if refused.code in _MEANWHILE else f"{found}: {refused}"
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
