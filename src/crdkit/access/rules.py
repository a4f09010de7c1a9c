"""Policy rules: which actions one allows, what of other rules it covers, and how a rule is told (component-helpers' auth/rbac)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from crdkit.access.actions import Action
from crdkit.meta.golang import quote
from crdkit.meta.types import JsonObject

ALL: Final = "*"


class Rule(NamedTuple):
    """Verbs on resources (of groups, perhaps of certain names only) or on paths that are no resources."""

    verbs: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()

    @classmethod
    def of(cls, rule: JsonObject) -> Rule:
        """A rule as it stands in a role."""
        fields = ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")
        return cls(*(tuple(rule.get(field) or ()) for field in fields))


EVERYTHING: Final = (Rule(verbs=(ALL,), groups=(ALL,), resources=(ALL,)), Rule(verbs=(ALL,), urls=(ALL,)))
"""What no right goes beyond."""


def allows(rule: Rule, action: Action) -> bool:
    """Whether a rule allows an action."""
    if action.verb not in rule.verbs and ALL not in rule.verbs:
        return False
    if not action.is_resource:
        return any(_url_covers(url, action.path) for url in rule.urls)
    if action.group not in rule.groups and ALL not in rule.groups:
        return False
    if rule.names and action.name not in rule.names:
        return False
    if ALL in rule.resources:
        return True
    if not action.subresource:
        return action.resource in rule.resources
    return f"{action.resource}/{action.subresource}" in rule.resources or f"*/{action.subresource}" in rule.resources


def missing(held: Sequence[Rule], wanted: Iterable[Rule]) -> list[Rule]:
    """What of the wanted rules the held ones do not cover, in rules of one verb on one thing each."""
    return [part for rule in wanted for part in _parts(rule) if not any(_covers(own, part) for own in held)]


def _parts(rule: Rule) -> Iterator[Rule]:
    for group in rule.groups:
        for resource in rule.resources:
            for verb in rule.verbs:
                plain = Rule(verbs=(verb,), groups=(group,), resources=(resource,))
                if rule.names:
                    yield from (plain._replace(names=(name,)) for name in rule.names)
                else:
                    yield plain
    for url in rule.urls:
        yield from (Rule(verbs=(verb,), urls=(url,)) for verb in rule.verbs)


def _covers(rule: Rule, part: Rule) -> bool:
    """Whether a rule holds all that a part (of one verb on one thing) does. Its own names narrow it down."""
    if not _has(rule.verbs, part.verbs) or not _has(rule.groups, part.groups):
        return False
    if rule.names and not (part.names and set(part.names) <= set(rule.names)):
        return False
    return all(_resource_covers(rule.resources, resource) for resource in part.resources) and all(
        any(_url_covers(own, url) for own in rule.urls) for url in part.urls
    )


def _has(own: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return ALL in own or set(wanted) <= set(own)


def _resource_covers(own: tuple[str, ...], resource: str) -> bool:
    if ALL in own or resource in own:
        return True
    _, slash, subresource = resource.partition("/")
    return bool(slash) and f"*/{subresource}" in own


def _url_covers(own: str, url: str) -> bool:
    """``*`` stands for any path, ``/a/*`` for any that begins with ``/a/``."""
    return own in (ALL, url) or (own.endswith(ALL) and url.startswith(own.rstrip(ALL)))


def compacted(rules: Iterable[Rule]) -> list[Rule]:
    """Rules on one resource without names, which differ by verb, as one."""
    kept: list[Rule] = []
    simple: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        if rule.names or rule.urls or len(rule.groups) != 1 or len(rule.resources) != 1:
            kept.append(rule)
            continue
        place = (rule.groups[0], rule.resources[0])
        known = simple.get(place)
        simple[place] = rule if known is None else known._replace(verbs=known.verbs + rule.verbs)
    return [*kept, *simple.values()]


def described(rule: Rule) -> str:
    """A rule as refusals tell it: ``{APIGroups:["g"], Resources:["kites"], Verbs:["get"]}``."""
    fields = (
        ("APIGroups", rule.groups),
        ("Resources", rule.resources),
        ("NonResourceURLs", rule.urls),
        ("ResourceNames", rule.names),
        ("Verbs", rule.verbs),
    )
    return "{" + ", ".join(f"{name}:{quoted(values)}" for name, values in fields if values) + "}"


def quoted(values: Iterable[str]) -> str:
    """Texts as Go's ``%q`` prints a slice of them."""
    return "[" + " ".join(map(quote, values)) + "]"
