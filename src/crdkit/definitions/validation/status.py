"""Rules of a definition's status."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.definitions.validation.names import check_names
from crdkit.meta import errors, golang
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject


def check_status(status: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """Only the accepted names are looked at."""
    yield from check_names(status["acceptedNames"], at / "acceptedNames")


def check_stored_versions(stored: list[str] | None, versions: list[JsonObject] | None, at: FieldPath) -> Iterator[FieldError]:
    """What was ever stored must still be among the versions. Of two versions with one name the second counts as not stored."""
    if not stored:
        yield errors.invalid(at, golang.strings(stored), "must have at least one stored version")
        return
    position_of = {name: position for position, name in enumerate(stored)}
    for version in versions or ():
        if version["name"] in position_of:
            del position_of[version["name"]]
        elif version["storage"]:
            yield errors.invalid(at, golang.strings(stored), f"must have the storage version {version['name']}")
    for name, position in position_of.items():
        detail = (
            f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until a storage"
            f" migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
        )
        yield errors.invalid(at.index(position), name, detail)
