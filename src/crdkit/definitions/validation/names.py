"""Rules of a definition's names: its own, its group, and those of its resource and kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, names
from crdkit.meta.errors import FieldError
from crdkit.meta.objectmeta import NameCheck
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject

_SCOPES: Final = ("Cluster", "Namespaced")
_REQUIRED: Final = ("plural", "singular", "kind", "listKind")


def definition_name(spec: JsonObject) -> NameCheck:
    """The check of a definition's own name, which is made of its plural and its group."""
    wanted = f"{spec['names']['plural']}.{spec['group']}"

    def check(name: str) -> list[str]:
        found = names.dns1123_subdomain(name)
        return found if name == wanted else [*found, 'must be spec.names.plural+"."+spec.group']

    return check


def check_group(group: str, at: FieldPath) -> Iterator[FieldError]:
    if not group:
        yield errors.required(at)
    elif found := names.dns1123_subdomain(group):
        yield errors.invalid(at, group, ",".join(found))
    elif "." not in group:
        yield errors.invalid(at, group, "should be a domain with at least one dot")


def check_scope(scope: str, at: FieldPath) -> Iterator[FieldError]:
    if not scope:
        yield errors.required(at)
    elif scope not in _SCOPES:
        yield errors.not_supported(at, scope, _SCOPES)


def check_required(wanted: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """Names that a spec must have, where a status may lack them."""
    yield from (errors.required(at / field) for field in _REQUIRED if not wanted.get(field))


def check_names(given: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """The form of names, of those that are given; kinds may have capital letters."""
    for field in ("plural", "singular"):
        if name := given.get(field):
            yield from _check_label(name, at / field)
    for field in ("kind", "listKind"):
        name = given.get(field)
        if name and (found := names.dns1035_label(name.lower())):
            yield errors.invalid(at / field, name, "may have mixed case, but should otherwise match: " + ",".join(found))
    for position, name in enumerate(given.get("shortNames") or ()):
        yield from _check_label(name, (at / "shortNames").index(position))
    if given.get("kind") and given["kind"] == given.get("listKind"):
        yield errors.invalid(at / "listKind", given["listKind"], "kind and listKind may not be the same")
    for position, name in enumerate(given.get("categories") or ()):
        yield from _check_label(name, (at / "categories").index(position))


def _check_label(name: str, at: FieldPath) -> Iterator[FieldError]:
    if found := names.dns1035_label(name):
        yield errors.invalid(at, name, ",".join(found))
