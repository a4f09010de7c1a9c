"""The bound on how many updaters an object remembers: the oldest are joined into one."""

from __future__ import annotations

from typing import Final

from crdkit.ownership import fieldsets
from crdkit.ownership.entries import UPDATE, Identity, Managers, Owned, identity

MOST_UPDATERS: Final = 10
ANCIENT: Final = "ancient-changes"


def cap(managers: Managers) -> None:
    """Join, in place, the oldest updaters of each version into its ``ancient-changes``, until no more than ten are left."""
    if len(managers) <= MOST_UPDATERS:
        return
    updaters = [key for key in managers if key.operation == UPDATE]
    if len(updaters) <= MOST_UPDATERS:
        return
    updaters.sort(key=lambda key: (managers[key].time, key.text))
    left = len(updaters)
    firsts: dict[str, Identity] = {}
    for key in updaters:
        if left <= MOST_UPDATERS:
            return
        owned = managers[key]
        first = firsts.setdefault(owned.api_version, key)
        if first is key:
            continue
        bucket = identity(ANCIENT, UPDATE, owned.api_version, "")
        if bucket not in managers:
            managers[bucket] = managers.pop(first)
        joined = fieldsets.ordered(fieldsets.union(owned.fields, managers[bucket].fields))
        managers[bucket] = Owned(joined, owned.api_version, owned.time)
        del managers[key]  # also where that is the bucket itself, as in a real server
        left -= 1
