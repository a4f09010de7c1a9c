"""Random rules on the nodes of one schema, and random objects that may keep them or not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Json = Any

OPTIONAL = {"rule": "oldSelf.hasValue() ? self != oldSelf.value() : self != 'y'", "optionalOldSelf": True}
OF_TEXTS: tuple[Json, ...] = (
    {"rule": "self != 'x'"},
    {"rule": "self.size() < 2", "message": " too long "},
    {"rule": "self != 'zz'", "messageExpression": "'not ' + self", "reason": "FieldValueForbidden"},
    {"rule": "self.matches('^[xyz]*$')", "messageExpression": "string(int(self))", "message": "letters"},
    {"rule": "self == oldSelf", "reason": "FieldValueDuplicate"},
    OPTIONAL,
)
OF_OBJECTS: tuple[Json, ...] = (
    {"rule": "!has(self.n) || self.n < 3", "fieldPath": ".n", "reason": "FieldValueRequired"},
    {"rule": "!has(self.l) || self.l.all(e, e.k != 'x')", "messageExpression": "'all of ' + string(size(self.l))"},
    {"rule": "!has(self.m) || self.m.all(k, self.m[k] != k)"},
    {"rule": "!has(self.a) || !has(oldSelf.a) || self.a != oldSelf.a", "messageExpression": "oldSelf.a + ' stays'"},
    {"rule": "!has(self.a) || !has(self.b) || self.a != self.b"},
    {"rule": "!has(self.n) || self.n != 2 || !has(self.f) || self.f > 0.5"},
    {"rule": "true"},
)
OF_LISTS: tuple[Json, ...] = (
    {"rule": "self.size() < 3", "messageExpression": "' '"},
    {"rule": "self.exists(e, has(e.v) && e.v == 'y') || self.size() == 0"},
    {"rule": "self.all(e, oldSelf.exists(o, o.k == e.k))"},
)
OF_MAPS: tuple[Json, ...] = (
    {"rule": "self.size() < 2"},
    {"rule": "!('x' in self)"},
    {"rule": "oldSelf.all(k, k in self)"},
)
OF_OUTER: tuple[Json, ...] = (
    {"rule": "!has(self.o) || !has(self.o.l) || self.o.l.size() < 2"},
    {"rule": "!has(self.o) || !has(self.p) || !has(self.o.a) || !has(self.p.b) || self.o.a != self.p.b"},
    {"rule": "!has(self.o) || !has(self.o.n) || self.o.n in [1, 2]"},
)
UNSTEADY: tuple[Json, ...] = (
    {"rule": "!has(self.i) || !has(self.j) || self.i != self.j"},
    {"rule": "!has(self.i) || self.i.size() < 2 || self.i.map(n, n)[0] < 3"},
    {"rule": "!has(self.m) || self.m.size() == 0 || self.m.map(k, self.m[k])[0] != 'x'"},
    {"rule": "!has(self.n) || (self.n > 1 ? self.b == 'y' : true) || true"},
)
"""For objects; they may come to something else once an object has been stored, or cost something else."""
FAILING: tuple[Json, ...] = (
    {"rule": "self.n > 0", "message": "some"},
    {"rule": "int(self.a) > 0", "reason": "FieldValueDuplicate"},
    {"rule": "self.m.map(k, self.m[k])[0] != 'x'"},
)
"""For objects; there often is an error."""
TEXTS = st.sampled_from(("x", "y", "z", "zz", "7", ""))
NUMBERS = st.sampled_from((0, 1, 2, 3, 4, 1.0))
ITEMS = st.fixed_dictionaries({"k": TEXTS}, optional={"v": TEXTS})
LISTS = st.lists(ITEMS, max_size=3, unique_by=lambda item: item["k"])
MAPS = st.dictionaries(TEXTS, TEXTS, max_size=2)
FIELDS: dict[str, st.SearchStrategy[Json]] = {
    "a": TEXTS,
    "b": TEXTS,
    "n": NUMBERS,
    "f": st.sampled_from((0, 0.5, 1)),
    "i": st.lists(NUMBERS, max_size=2),
    "j": st.lists(NUMBERS, max_size=2),
    "l": LISTS,
    "m": MAPS,
}
INNER = st.fixed_dictionaries({}, optional=FIELDS)
SPECS = st.builds(lambda own, below: {**below, **own}, INNER, st.fixed_dictionaries({}, optional={"o": INNER, "p": INNER}))
OBJECTS = st.fixed_dictionaries({}, optional={"spec": SPECS, "status": INNER})


def _rules(of: tuple[Json, ...]) -> st.SearchStrategy[Json]:
    few = st.lists(st.sampled_from(of), max_size=2, unique_by=lambda rule: rule["rule"])
    return few.map(lambda rules: {"x-kubernetes-validations": [dict(rule) for rule in rules]} if rules else {})


@st.composite
def _inner(draw: st.DrawFn, /, **below: st.SearchStrategy[Json]) -> Json:
    text = {"type": "string"}
    of_objects = OF_OBJECTS + UNSTEADY + (OF_OUTER if below else ()) + (FAILING if draw(st.integers(0, 9)) == 0 else ())
    item = {
        "type": "object",
        "required": ["k"],
        "properties": {"k": {**text, **draw(_rules(OF_TEXTS))}, "v": {**text, **draw(_rules(OF_TEXTS))}},
    }
    properties = {
        "a": {**text, **draw(_rules(OF_TEXTS))},
        "b": text,
        "n": {"type": "integer"},
        "f": {"type": "number"},
        "i": {"type": "array", "items": {"type": "integer"}},
        "j": {"type": "array", "items": {"type": "integer"}},
        "l": {
            "type": "array",
            "items": item,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            **draw(_rules(OF_LISTS)),
        },
        "m": {"type": "object", "additionalProperties": {**text, **draw(_rules(OF_TEXTS))}, **draw(_rules(OF_MAPS))},
    }
    return {
        "type": "object",
        "properties": {**properties, **{name: draw(each) for name, each in below.items()}},
        **draw(_rules(of_objects)),
    }


OF_ROOTS: tuple[Json, ...] = (
    {"rule": "!has(self.status) || !has(self.status.n) || self.status.n != 4", "fieldPath": ".status.n"},
    {"rule": "!has(self.spec) || !has(self.spec.a) || !has(self.status) || !has(self.status.a) || self.status.a == self.spec.a"},
    {"rule": "!has(oldSelf.spec) || has(self.spec)"},
)


@st.composite
def schemas(draw: st.DrawFn) -> Json:
    """Schemas that differ in their rules alone, so that most of those are compiled already."""
    below = {"spec": draw(_inner(o=_inner(), p=_inner())), "status": draw(_inner())}
    return {"type": "object", "properties": below, **draw(_rules(OF_ROOTS))}
