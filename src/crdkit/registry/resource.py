"""A served resource: its names, as routing and discovery need them."""

from __future__ import annotations

from dataclasses import dataclass

ALL_VERBS = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One resource in one of its versions."""

    group: str
    version: str
    plural: str
    kind: str
    list_kind: str
    namespaced: bool
    singular: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ALL_VERBS
    has_status: bool = False
    has_scale: bool = False
