from __future__ import annotations

from types import CodeType

import pytest

from crdkit.cel.errors import CelError, CostLimitExceeded
from crdkit.cel.generating import source
from crdkit.cel.generating.generator import Layout, generate
from crdkit.cel.generating.source import Leave
from crdkit.cel.program import DEFAULT_LIMIT, Program
from tests.cel.language import Rule

SCHEMA = {
    "type": "object",
    "properties": {
        "a-b": {"type": "integer"},
        "s": {"type": "string"},
        "b": {"type": "boolean"},
        "n": {"type": "number"},
        "i": {"type": "integer"},
        "o": {"type": "object", "properties": {"x": {"type": "integer"}}},
        "l": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
        "names": {"type": "array", "items": {"type": "string"}},
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
FULL = {
    "a-b": 3, "s": "hello", "b": True, "n": 1.5, "i": 7, "o": {"x": 1}, "m": {"k": "v", "kk": "w"},
    "l": [{"name": "a"}, {"name": "bb"}], "names": ["x", "y"],
}  # fmt: skip
GENERATED = [
    "self.i > 3 && self.s == 'hello'",
    "self.i < 3 || self.b",
    "self.a__dash__b + self.i * 2 - 1 == 16",
    "has(self.o) && has(self.o.x) && self.o.x >= 1",
    "!has(self.o) || self.o.x == 2",
    "self.l.all(e, e.name.startsWith('a') || size(e.name) == 2)",
    "self.l.exists(e, e.name == 'bb')",
    "self.l.exists(e, e.name == 'zz')",
    "self.l.all(e, e.name == 'a')",
    "self.names.all(x, self.names.exists(y, x == y))",
    "self.m.all(k, k.matches('^k+$'))",
    "self.s in ['hello', 'bye']",
    "self.b ? self.s == 'hello' : self.i == 0",
    "(self.b ? self.i : 0) == 7",
    "size(self.l) == 2 && self.m.size() == 2 && self.s.size() == 5",
    "self.s.contains('ell') && self.s.endsWith('lo') && self.s + 'x' == 'hellox'",
    "self.n == 1.5",
    "timestamp('2024-01-01T00:00:00Z') < timestamp('2025-01-01T00:00:00Z') && self.b",
    "quantity('1k').isGreaterThan(quantity('5')) && self.b",
    "self.s.matches('^h') && !self.s.matches('^x')",
    "'x' == self.s || self.s <= 'zzz'",
    "self.l.map(e, e.name).size() == 2 && self.l.filter(e, e.name == 'a').size() == 1",
    "self.l.exists_one(e, e.name == 'a') && !self.names.exists_one(x, x == 'q')",
    "self.l.filter(e, e.name == 'a').all(e, e.name.size() == 1)",
    "self.names.map(x, x != 'x', x + 'z') == ['yz']",
    "[has(self.o), has(self.l)].filter(x, x == true).size() == 2",
    "self.l[0].name == 'a' && self.names[1] == 'y' && self.m['k'] == 'v' && self.m.k == 'v'",
    "'x' in self.names && !('z' in self.names) && 'k' in self.m",
    "(self.b ? self.o : self.o).x == 1",
    "dyn(self.b) && true && self.names.join(',') == 'x,y'",
    "self.m.all(k, self.m[k] == 'v' || self.m[k] == 'w')",
]


def fast(rule: Rule) -> object:
    assert isinstance(rule.declarations, Layout)
    return generate(rule.expression.checked, rule.expression.functions, rule.declarations)


@pytest.mark.parametrize("text", GENERATED)
def test_generated_code_agrees_with_the_closures(text: str) -> None:
    rule = Rule(SCHEMA, text)
    evaluate = fast(rule)
    assert callable(evaluate)
    assert evaluate({"self": rule.read(FULL)}, DEFAULT_LIMIT) == rule.evaluate(FULL)


@pytest.mark.parametrize("text", GENERATED)
@pytest.mark.parametrize("raw", [{}, {**FULL, "s": 1, "o": [], "l": {}, "m": []}, {**FULL, "l": [None, {"name": 2}], "names": [1]}])
def test_it_gives_up_or_agrees_where_data_is_missing_or_wrong(text: str, raw: object) -> None:
    rule = Rule(SCHEMA, text)
    evaluate = fast(rule)
    assert callable(evaluate)
    try:
        found = evaluate({"self": rule.read(raw)}, DEFAULT_LIMIT)
    except (Leave, CelError):
        return
    assert found == rule.evaluate(raw)


@pytest.mark.parametrize("text", ["dyn(self) == self", "self.o == self.o", "self.l", "self.l.transformList(i, e, e.name)"])
def test_what_it_has_no_way_for_is_left_to_the_closures(text: str) -> None:
    assert fast(Rule(SCHEMA, text)) is None


def test_users_text_is_never_part_of_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    sources: list[str] = []

    def recording(text: str, *rest: str) -> CodeType:
        sources.append(text)
        return compile(text, *rest)

    monkeypatch.setattr(source, "compile", recording, raising=False)
    hostile = "'); import os #"
    schema = {"type": "object", "properties": {"s": {"type": "string"}}, "additionalProperties": False}
    assert callable(fast(Rule(schema, f'self.s == "{hostile}" || self.s in ["{hostile}"] || self.s.matches("{hostile[2:]}")')))
    assert len(sources) == 1
    assert "import os" not in sources[0]


def test_a_program_that_runs_often_is_hastened_once() -> None:
    rule = Rule(SCHEMA, "self.i > 3")
    made: list[int] = []
    plan = rule.expression.program()._plan

    def hasten() -> None:
        made.append(1)

    program = Program(plan, hasten)
    for _ in range(60):
        assert program.evaluate({"self": rule.read(FULL)}) == (True, 3)
    assert made == [1]


def test_many_evaluations_give_the_same_as_one() -> None:
    rule = Rule(SCHEMA, "self.l.all(e, e.name != 'zz') && self.i > 3")
    program = rule.expression.program()
    results = {program.evaluate({"self": rule.read(FULL)}) for _ in range(60)}
    assert results == {rule.evaluate(FULL)}
    with pytest.raises(CelError):
        program.evaluate({"self": rule.read({})})


def test_loops_in_loops_stop_at_the_limit() -> None:
    rule = Rule(SCHEMA, "self.names.all(x, self.names.all(y, x != y || x == y))")
    evaluate = fast(rule)
    assert callable(evaluate)
    with pytest.raises(Leave):
        evaluate({"self": rule.read({"names": [str(number) for number in range(3000)]})}, DEFAULT_LIMIT)


def test_a_smaller_limit_is_kept_to_by_generated_code_too() -> None:
    rule = Rule(SCHEMA, "self.names.all(x, x != '')")
    program = rule.expression.program()
    values = {"self": rule.read({"names": ["a"] * 100})}
    for _ in range(60):
        assert program.evaluate(values, 1000)[0] is True
        with pytest.raises(CostLimitExceeded):
            program.evaluate(values, 50)
