"""Rules and data made up at random: generated code gives up, or gives the value and the cost that the closures give."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.cel.errors import CelError
from crdkit.cel.generating.generator import generate
from crdkit.cel.generating.source import Leave
from crdkit.cel.program import DEFAULT_LIMIT
from tests.cel.language import Rule

SCHEMA = {
    "type": "object",
    "properties": {
        "s": {"type": "string"},
        "i": {"type": "integer"},
        "b": {"type": "boolean"},
        "o": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}},
        "l": {"type": "array", "items": {"type": "string"}},
        "lo": {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}}}},
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}

ints = st.recursive(
    st.sampled_from(["self.i", "self.o.i", "3", "0", "self.l.size()", "size(self.m)", "size(self.s)", "self.lo[0].i"]),
    lambda below: st.one_of(
        st.builds("({} {} {})".format, below, st.sampled_from(["+", "-", "*", "/", "%"]), below),
        st.builds("(self.b ? {} : {})".format, below, below),
        st.builds("self.lo.filter(e, e.i > {}).size()".format, below),
    ),
    max_leaves=4,
)
strings = st.recursive(
    st.sampled_from(["self.s", "self.o.s", "'a'", "''", "self.l[0]", "self.m.k", "self.m['k']", "string(self.i)"]),
    lambda below: st.one_of(
        st.builds("({} + {})".format, below, below),
        st.builds("{}.lowerAscii()".format, below),
        st.builds("(self.b ? {} : {})".format, below, below),
    ),
    max_leaves=4,
)
booleans = st.recursive(
    st.one_of(
        st.sampled_from(
            ["self.b", "true", "has(self.o)", "has(self.o.s)", "has(self.m.k)", "self.s in self.l", "'k' in self.m", "dyn(self.b)"]
        ),
        st.builds("{} {} {}".format, ints, st.sampled_from(["<", "<=", "==", "!=", ">"]), ints).map("({})".format),
        st.builds("{} {} {}".format, strings, st.sampled_from(["<", "==", "!="]), strings).map("({})".format),
        st.builds("{}.{}({})".format, strings, st.sampled_from(["startsWith", "contains", "endsWith"]), strings),
        st.builds("{}.matches('^a*$')".format, strings),
        st.builds("{} in ['a', 'ab']".format, strings).map("({})".format),
    ),
    lambda below: st.one_of(
        st.builds("({} {} {})".format, below, st.sampled_from(["&&", "||"]), below),
        st.builds("!{}".format, below),
        st.builds("({} ? {} : {})".format, below, below, below),
        st.builds("self.l.{}(x, x == {} || {})".format, st.sampled_from(["all", "exists", "exists_one"]), strings, below),
        st.builds("self.lo.{}(e, e.i > {} && {})".format, st.sampled_from(["all", "exists", "exists_one"]), ints, below),
        st.builds("self.m.all(k, self.m[k] == {} || {})".format, strings, below),
        st.builds("self.l.map(x, {}, x + 'z').exists(y, y == {})".format, below, strings),
        st.builds("(self.b ? self.o : self.lo[0]).i > 0 && {}".format, below).map("({})".format),
    ),
    max_leaves=6,
)

some_text = st.sampled_from(["", "a", "ab", "abcdefghijklm"])
some_int = st.sampled_from([0, 1, 5, 2**63 - 1, -(2**63)])
objects = st.fixed_dictionaries({}, optional={"s": some_text, "i": some_int})
wrong = st.sampled_from([None, 1.5, True, [], {}])
data = st.fixed_dictionaries(
    {},
    optional={
        "s": some_text | wrong,
        "i": some_int | wrong,
        "b": st.booleans(),
        "o": objects | wrong,
        "l": st.lists(some_text | wrong, max_size=4),
        "lo": st.lists(objects | wrong, max_size=3),
        "m": st.dictionaries(st.sampled_from(["k", "a"]), some_text | wrong),
    },
)


@settings(max_examples=400, deadline=None)
@given(booleans, st.lists(data, min_size=1, max_size=4))
def test_generated_code_agrees_or_gives_up(text: str, objects: list[object]) -> None:
    try:
        rule = Rule(SCHEMA, text)
        evaluate = generate(rule.expression.checked, rule.expression.functions, rule.declarations)
    except CelError:
        return
    for raw in objects if evaluate is not None else ():
        try:
            found = evaluate({"self": rule.read(raw)}, DEFAULT_LIMIT)
        except (Leave, CelError, LookupError):
            continue
        assert found == rule.evaluate(raw)
