"""Roles and bindings as they stand in the store, and the rules they give to a user."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Final, NamedTuple

from crdkit.access.actions import Action
from crdkit.access.rules import Rule, allows
from crdkit.access.user import User
from crdkit.builtin.kinds import CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING, BuiltinKind
from crdkit.meta import json
from crdkit.meta.golang import quote
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.storage.cache import Cache
from crdkit.storage.types import Entry, Event

MOST_USERS: Final = 4096
"""For so many pairs of a user and a namespace their rules are remembered."""
_KINDS: Final = (CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING)
_SERVICE_ACCOUNT: Final = "system:serviceaccount"


class RoleMissing(Exception):
    """A binding names a role that is not there; ``str()`` tells which."""

    def __init__(self, kind: BuiltinKind, name: str) -> None:
        super().__init__(f"{kind.singular}.{kind.group} {quote(name)} not found")
        self.name = name


class Grant(NamedTuple):
    """A rule that somebody has, and what gives it to him: ``RoleBinding "b/ns" of Role "r" to User "alice"``."""

    rule: Rule
    source: str


MOST_ANSWERS: Final = 1024
"""So many answers are remembered of what one user may do in one namespace."""


@record
class Grants:
    """All that a user is given in a namespace (or, where that is empty, everywhere), and what went wrong while it was gathered."""

    rules: tuple[Grant, ...]
    problems: tuple[str, ...]
    named: bool
    """Whether some rule is about certain names only."""
    _found: dict[tuple[str, ...], Grant | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def allowing(self, action: Action) -> Grant | None:
        """The first rule that allows an action. The answer is the same for all names unless a rule is about some."""
        key: tuple[str, ...]
        if action.is_resource:
            name = action.name if self.named else ""
            key = (action.verb, action.group, action.resource, action.subresource, name)
        else:
            key = (action.verb, action.path)
        try:
            return self._found[key]
        except KeyError:
            pass
        if len(self._found) >= MOST_ANSWERS:
            self._found.clear()
        found = self._found[key] = next((grant for grant in self.rules if allows(grant.rule, action)), None)
        return found

    @property
    def problem(self) -> str:
        """The problems as one text; empty if there are none."""
        told = list(dict.fromkeys(self.problems))
        return told[0] if len(told) == 1 else "[" + ", ".join(told) + "]" if told else ""


class _Binding(NamedTuple):
    name: str
    namespace: str
    role_kind: str
    role_name: str
    subjects: tuple[JsonObject, ...]


class Roles:
    """Reads roles and bindings from the cache; what was found out is remembered until one of them changes."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._rules: dict[str, tuple[Rule, ...]] = {}
        self._bindings: dict[str, list[_Binding]] = {}
        self._grants: dict[tuple[str, tuple[str, ...], str], Grants] = {}
        self._unsubscribe: list[Callable[[], None]] = [cache.subscribe(kind.prefix, self._changed) for kind in _KINDS]

    def close(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()

    def _changed(self, event: Event) -> None:
        self._rules.pop(event.key, None)
        self._bindings.clear()
        self._grants.clear()

    def grants(self, user: User, namespace: str) -> Grants:
        """What a user is given: by cluster role bindings, and by the role bindings of the namespace, if there is one."""
        key = (user.name, user.groups, namespace)
        found = self._grants.get(key)
        if found is None:
            if len(self._grants) >= MOST_USERS:
                self._grants.clear()
            found = self._grants[key] = self._gather(user, namespace)
        return found

    def _gather(self, user: User, namespace: str) -> Grants:
        grants: list[Grant] = []
        problems: list[str] = []
        for binding in self._bindings_of(namespace):
            subject = next((subject for subject in binding.subjects if _is(subject, user, binding.namespace)), None)
            if subject is None:
                continue
            try:
                rules = self.rules_of(binding.role_kind, binding.role_name, binding.namespace)
            except RoleMissing as error:
                problems.append(str(error))
                continue
            source = _source(binding, subject)
            grants += [Grant(rule, source) for rule in rules]
        return Grants(tuple(grants), tuple(problems), named=any(grant.rule.names for grant in grants))

    def _bindings_of(self, namespace: str) -> Iterator[_Binding]:
        yield from self._read_bindings(CLUSTER_ROLE_BINDING.prefix)
        if namespace:
            yield from self._read_bindings(f"{ROLE_BINDING.prefix}{namespace}/")

    def _read_bindings(self, prefix: str) -> list[_Binding]:
        found = self._bindings.get(prefix)
        if found is None:
            found = self._bindings[prefix] = [_binding(entry) for entry in self._cache.list(prefix).entries]
        return found

    def rules_of(self, kind: str, name: str, namespace: str) -> tuple[Rule, ...]:
        """The rules of a role. Raises `RoleMissing`."""
        role = CLUSTER_ROLE if kind == CLUSTER_ROLE.kind else ROLE
        key = role.prefix + name if role is CLUSTER_ROLE else f"{role.prefix}{namespace}/{name}"
        rules = self._rules.get(key)
        if rules is None:
            entry = self._cache.get(key)
            if entry is None:
                raise RoleMissing(role, name)
            rules = self._rules[key] = tuple(Rule.of(rule) for rule in json.decode(entry.value).get("rules") or ())
        return rules


def _binding(entry: Entry) -> _Binding:
    obj: JsonObject = json.decode(entry.value)
    meta, role = obj["metadata"], obj["roleRef"]
    return _Binding(meta["name"], meta.get("namespace", ""), role["kind"], role["name"], tuple(obj.get("subjects") or ()))


def _is(subject: JsonObject, user: User, namespace: str) -> bool:
    """Whether a subject of a binding (in that namespace) is this user."""
    kind: str = subject["kind"]
    name: str = subject["name"]
    if kind == "User":
        return user.name == name
    if kind == "Group":
        return name in user.groups
    own = subject.get("namespace") or namespace
    return bool(own) and user.name == f"{_SERVICE_ACCOUNT}:{own}:{name}"


def _source(binding: _Binding, subject: JsonObject) -> str:
    kind, name = subject["kind"], subject["name"]
    if kind == "ServiceAccount":
        name = f"{name}/{subject.get('namespace') or binding.namespace}"
    place = (
        f"RoleBinding {quote(f'{binding.name}/{binding.namespace}')}" if binding.namespace else f"ClusterRoleBinding {quote(binding.name)}"
    )
    return f"{place} of {binding.role_kind} {quote(binding.role_name)} to {kind} {quote(name)}"
