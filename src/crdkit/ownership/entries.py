"""``metadata.managedFields``: who owns which fields of an object, since when, and in words of which version."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from crdkit.meta import golang
from crdkit.meta.types import Json, JsonObject
from crdkit.ownership import fieldsets
from crdkit.ownership.fieldsets import FieldSet, InvalidFields

APPLY: Final = "Apply"
UPDATE: Final = "Update"
_FIELDS_TYPE: Final = "FieldsV1"
_IDENTITIES_KEPT: Final = 1024


class InvalidManagers(ValueError):
    """A list of managers that a client wrote and that cannot be used; the text says why."""


class Identity(NamedTuple):
    """What tells one owner from another. ``api_version`` is empty for appliers: they have one entry, whatever version they last used."""

    manager: str
    operation: str
    api_version: str = ""
    subresource: str = ""

    @property
    def text(self) -> str:
        """The JSON that a real server tells owners apart, and orders them, by."""
        parts = {
            "manager": self.manager,
            "operation": self.operation,
            "apiVersion": self.api_version,
            "subresource": self.subresource,
        }
        return "{" + ",".join(f'"{name}":{golang.json_string(text)}' for name, text in parts.items() if text) + "}"

    @property
    def shown(self) -> str:
        """The owner as it is told of a conflict."""
        text = golang.quote(self.manager)
        if self.subresource:
            text += f" with subresource {golang.quote(self.subresource)}"
        return f"{text} using {self.api_version}" if self.operation == UPDATE else text


class Owned(NamedTuple):
    """What an owner owns, in the version in which it was written; no ``time`` if that was never told."""

    fields: FieldSet
    api_version: str
    time: str = ""


Managers = dict[Identity, Owned]
"""All owners of an object's fields."""


@lru_cache(_IDENTITIES_KEPT)
def identity(manager: str, operation: str, api_version: str, subresource: str) -> Identity:
    return Identity(manager, operation, "" if operation == APPLY else api_version, subresource)


def read(entries: Iterable[JsonObject]) -> Managers:
    """The owners that a stored object has. Their sets are used as they stand: this room wrote them."""
    found: Managers = {}
    for entry in entries:
        api_version = entry["apiVersion"]
        key = identity(entry.get("manager", ""), entry["operation"], api_version, entry.get("subresource", ""))
        found[key] = Owned(entry.get("fieldsV1") or fieldsets.EMPTY, api_version, entry.get("time") or "")
    return found


def decode(entries: Iterable[JsonObject]) -> Managers:
    """The owners that a client says an object has. Raises `InvalidManagers`."""
    found: Managers = {}
    for index, entry in enumerate(entries):
        operation, api_version = entry.get("operation"), entry.get("apiVersion")
        if operation not in (APPLY, UPDATE):
            raise InvalidManagers("operation must be `Apply` or `Update`")
        if not api_version:
            raise InvalidManagers("apiVersion must not be empty")
        _check_fields_type(entry.get("fieldsType"), index)
        try:
            fields = fieldsets.decode(entry.get("fieldsV1"))
        except InvalidFields as error:
            raise InvalidManagers(f"error decoding set: {error}") from error
        key = identity(entry.get("manager", ""), operation, api_version, entry.get("subresource", ""))
        found[key] = Owned(fieldsets.ordered(fields), api_version, entry.get("time") or "")
    return found


def _check_fields_type(fields_type: Json, index: int) -> None:
    if not fields_type:
        msg = f"missing fieldsType in managed fields entry {index}"
        raise InvalidManagers(msg)
    if fields_type != _FIELDS_TYPE:
        msg = f"invalid fieldsType {golang.quote(fields_type)} in managed fields entry {index}"
        raise InvalidManagers(msg)


def is_reset(entries: Json) -> bool:
    """Whether a client asks to forget all owners: by an empty list, or by a list of one empty entry."""
    return entries in ([], [{}])


def encode(managers: Managers) -> list[JsonObject]:
    """The list as it is written: appliers first, then by time, and by what tells them apart."""
    if len(managers) > 1:
        return [_encode_entry(key, owned) for key, owned in sorted(managers.items(), key=_order)]
    return [_encode_entry(key, owned) for key, owned in managers.items()]


def _order(item: tuple[Identity, Owned]) -> tuple[str, str, str, str, str]:
    (manager, operation, _, subresource), (_, api_version, time) = item
    return operation, time, manager, api_version, subresource


def _encode_entry(key: Identity, owned: Owned) -> JsonObject:
    manager, operation, _, subresource = key
    fields, api_version, time = owned
    entry: JsonObject = {"apiVersion": api_version, "fieldsType": _FIELDS_TYPE, "fieldsV1": fields}
    if manager:
        entry["manager"] = manager
    entry["operation"] = operation
    if subresource:
        entry["subresource"] = subresource
    if time:
        entry["time"] = time
    return entry
