"""For a change of an object that kept all rules the same is told whether all of them are run, or those alone that look at what differs."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.cel.errors import CelError
from crdkit.meta import json
from crdkit.meta.changes import WRITTEN, changes_of
from crdkit.meta.paths import ROOT
from crdkit.meta.version import SUPPORTED, KubeVersion
from crdkit.schema.compiled import CompiledSchema
from crdkit.schema.rules import changing, looking, ruleset
from crdkit.schema.rules.plans import Rule
from crdkit.schema.rules.running import Lineage, Run, Subject
from tests.schema.rules.drawn import FIELDS, OBJECTS, SPECS, schemas
from tests.schema.rules.ruled import rooted, ruled, rules_of
from tests.schema.rules.test_telling import told, warm

Json = Any
RULES = "x-kubernetes-validations"
TEXT = {"type": "string"}


class Noting(Run):
    """Notes the rules that do not hold."""

    def __init__(self, kube: KubeVersion) -> None:
        super().__init__(kube, ruleset.BUDGET)
        self.noted: list[Json] = []

    def tell_violation(self, rule: Rule, subject: Subject) -> None:
        self.noted.append(rule.text)

    def _tell_failure(self, error: CelError, rule: Rule, subject: Subject) -> None:
        self.noted.append(rule.text)


def lenient(node: Json, broken: list[Json]) -> Json:
    """A schema without some of its rules."""
    kept = {RULES: [rule for rule in node[RULES] if not any(rule is each for each in broken)]} if RULES in node else {}
    below = {name: lenient(node[name], broken) for name in ("items", "additionalProperties") if name in node}
    if "properties" in node:
        below["properties"] = {name: lenient(child, broken) for name, child in node["properties"].items()}
    return {**node, **below, **kept}


@st.composite
def edited(draw: st.DrawFn, obj: Json) -> Json:
    """An object that differs in a few fields."""
    new = copy.deepcopy(obj)
    for part in draw(st.lists(st.sampled_from(("spec", "spec", "status", "o")), max_size=2, unique=True)):
        parent = new.get("spec", {}) if part == "o" else new
        if draw(st.integers(0, 9)) == 0 and part in parent:
            del parent[part]
            continue
        fields = parent.setdefault(part, {})
        for name in draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=2, unique=True)):
            if draw(st.booleans()) and name in fields:
                del fields[name]
            else:
                fields[name] = draw(FIELDS[name])
    return new


@st.composite
def changes(draw: st.DrawFn) -> tuple[Json, Json, Json, Json, KubeVersion]:
    """A schema, an object as it is created, which keeps all rules, the same as it is stored, and another that is made of that."""
    schema, created, kube = draw(schemas()), draw(OBJECTS), draw(st.sampled_from(SUPPORTED))
    if draw(st.integers(0, 3)):
        created["spec"] = draw(SPECS)
    if (rules := CompiledSchema(schema, kube=kube).rules) is not None:
        run = Noting(kube)
        run.visit(rules._plan, created, ROOT, Lineage())
        schema = lenient(schema, run.noted)
    stored = json.decode(json.encode(created, sort=True))
    return schema, created, stored, draw(edited(stored)), kube


@settings(max_examples=30, deadline=None)
@given(changes())
def test_the_same_is_told(change: tuple[Json, Json, Json, Json, KubeVersion]) -> None:
    schema, created, old, new, kube = change
    rules = CompiledSchema(schema, kube=kube).rules
    if rules is None:
        return
    slow = rules.check(new, old)
    hot = warm(rules)
    assert told(hot.check(created), kube) == ([], [])
    for _ in range(2):
        assert told(hot.check(new, old, changes=changes_of(new, old)), kube) == told(slow, kube)


FEW = {"type": "array", "items": {"type": "integer"}}
ITEM = {"type": "object", "properties": {"k": TEXT, "n": {"type": "integer"}}}
PLACES: Json = {
    "a": TEXT,
    "n": {"type": "integer"},
    "i": FEW,
    "j": FEW,
    "s": {"type": "array", "items": TEXT},
    "l": {"type": "array", "items": ITEM},
    "m": {"type": "object", "additionalProperties": TEXT},
    "o": ITEM,
    "p": {"x-kubernetes-int-or-string": True},
    "x-y": TEXT,
}


@pytest.mark.parametrize(
    ("rule", "seen"),
    [
        ("true", ""),
        ("self.a == 'x'", "a"),
        ("has(self.n) ? self.a == 'x' : self.x__dash__y == 'y'", "n a x-y"),
        ("self.o.n > 1 && has(self.o.k)", "o"),
        ("self.l.all(e, e.n > self.n || e.k in self.s)", "l n s"),
        ("self.n in [1, 2] && self.a in self.s && self.i[0] > 1 && size(self.j) < 3", "n a s i j"),
        ("'x' in self.m && self.m['x'] == 'y'", "m"),
        ("self.p == 80 || self.p == 'http'", "p"),
        ("self.a == oldSelf.a", None),
        ("self.i == self.j", None),
        ("self.i.sum() == 3", None),
        ("self.m.all(k, k != 'x')", None),
        ("self.n > 1 ? self.a == 'x' : true", None),
        ("[self].all(each, each.a == 'x')", None),
        ("{'a': self.a}.size() == 1", None),
        ("dyn(self) == dyn(1)", None),
    ],
)
def test_what_a_rule_looks_at(rule: str, seen: str | None) -> None:
    rules = rules_of(ruled({"type": "object", "properties": PLACES}, rule))
    compiled = rules._plan.rules[0].compiled
    assert compiled.expression is not None, compiled.error
    assert looking.fields_seen(compiled.expression) == (None if seen is None else frozenset(seen.split()))


def test_the_type_and_the_metadata_of_an_object_count_as_changed() -> None:
    rules = rules_of(ruled({"type": "object", "properties": PLACES}, "self.metadata.name != 'x'", "self.kind == 'X'"))
    assert [looking.fields_seen(rule.compiled.expression) for rule in rules._plan.rules if rule.compiled.expression] == [None, None]


SCHEMA = rooted(
    v=ruled(TEXT, "self == 'y'"), w=ruled(TEXT, "self != oldSelf || self != 'z'"), x=TEXT, m=ruled(PLACES["m"], "self.size() < 2")
)


def passes(old: Json, new: Json, changes: Json) -> bool:
    rules = warm(rules_of(SCHEMA))
    list(rules.make_ready())
    return not rules.check({"spec": new}, {"spec": old}, changes=changes).errors


def test_only_what_differs_is_looked_at() -> None:
    """Here what differs is told wrongly."""
    broken = {"v": "x", "m": {"a": "b", "c": "d"}}
    assert passes({"v": "x"}, {**broken, "x": "b"}, {"spec": {"x": WRITTEN}})
    assert not passes({"v": "x"}, broken, {"spec": {"v": WRITTEN}})
    assert not passes({"v": "x"}, broken, {"spec": {"m": {"c": WRITTEN}}})
    assert not passes({"v": "x"}, broken, {"spec": WRITTEN})


def test_rules_that_look_back_are_run_though_nothing_differs() -> None:
    rules, old, new = warm(rules_of(SCHEMA)), {"spec": {"w": "z"}}, {"spec": {"w": "z", "x": "a"}}
    assert rules.check(new, old, changes={"spec": {"x": WRITTEN}}).errors != []
    assert rules.check(old, old, changes={}).errors != []


@pytest.mark.parametrize(
    ("rule", "created"),
    [("self.i != self.j", {"i": [1], "j": [1.0]}), ("self.m.map(k, self.m[k])[0] == 'x'", {"m": {"b": "x", "a": "y"}})],
    ids=["numbers", "order"],
)
def test_rules_to_which_it_matters_that_an_object_was_stored_are_run(rule: str, created: Json) -> None:
    rules = warm(rules_of(ruled({"type": "object", "properties": PLACES}, rule)))
    assert rules.check(created).errors == []
    old = json.decode(json.encode(created, sort=True))
    assert rules.check({**old, "a": "x"}, old, changes={"a": WRITTEN}).errors != []


def test_what_was_kept_back_once_is_told_again() -> None:
    rules = warm(rules_of(SCHEMA))
    for step in range(3):
        old, new = {"spec": {"v": "x", "x": str(step)}}, {"spec": {"v": "x", "x": str(step + 1)}}
        found = rules.check(new, old, changes=changes_of(new, old) if step else None)
        assert [error.path for error in found.warnings] == ["spec.v"]


def test_dear_objects_have_all_rules_run() -> None:
    pairs = "self.all(a, self.all(b, a + b >= 0))"
    rules = warm(rules_of(rooted(l=ruled(FEW, pairs), v=ruled(TEXT, "self == 'y'"))))
    list(rules.make_ready())
    broken: Json = {"spec": {"v": "x", "l": []}}
    assert rules.check(broken, broken, changes={}).warnings == []
    assert rules.check({"spec": {"l": [1] * 100}}).errors == []
    assert rules.check(broken, broken, changes={}).warnings != []


def test_so_many_rules_that_all_together_might_be_too_dear_are_all_run(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = rules_of(SCHEMA)._plan
    assert changing.parts(plan) == 3
    monkeypatch.setattr(ruleset, "LIMIT", ruleset.BUDGET // 4)
    assert rules_of(SCHEMA)._changing is not None
    monkeypatch.setattr(ruleset, "LIMIT", ruleset.BUDGET // 4 + 1)
    assert rules_of(SCHEMA)._changing is None


@pytest.mark.parametrize(
    ("rule", "sees"),
    [
        ("self.spec == oldSelf.spec", False),
        ("has(self.status) && self.metadata.name.startsWith('a')", False),
        ("self.metadata.generateName == 'a' || selfish.a", False),
        ("self == oldSelf", True),
        ("self.metadata == oldSelf.metadata", True),
        ("[self].all(each, has(each.metadata))", True),
        ("oldSelf.orValue(self).spec == self.spec", True),
        ("dyn( self ).metadata.name == 'a'", True),
        ("self.?metadata.hasValue()", True),
        ("self . metadata . name == 'a'", True),
    ],
)
def test_which_rules_may_look_at_all_metadata(rule: str, sees: bool) -> None:
    assert looking.sees_metadata([rule]) is sees
