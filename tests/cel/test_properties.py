"""Whatever the text: nothing is raised but the room's errors, and what is printed parses to the same again."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.cel import macros
from crdkit.cel.ast import Call, Entry, Ident, Ids, ListLiteral, Literal, MapLiteral, Node, Select
from crdkit.cel.environment import environment
from crdkit.cel.errors import CelError
from crdkit.cel.syntax.parser import parse
from crdkit.cel.types import BOOL, DYN, INT, STRING, list_of
from crdkit.cel.values import Uint
from crdkit.meta.version import DEFAULT
from tests.cel.printing import printed, source

MACROS = {macro.key: macro for macro in (*macros.STANDARD, *macros.OPTIONAL, *macros.TWO_VARIABLES)}
VARIABLES = {"i": INT, "s": STRING, "b": BOOL, "d": DYN, "l": list_of(INT)}
BINDINGS = {"i": 3, "s": "abc", "b": True, "d": {"a": [1, "x", None, 1.5]}, "l": [1, 2, 3]}

names = st.sampled_from(["i", "s", "b", "d", "l", "x"])
literals = st.one_of(
    st.none(), st.booleans(), st.integers(0, 2**63 - 1), st.floats(0, allow_infinity=False, allow_nan=False), st.text(max_size=5),
    st.binary(max_size=3), st.integers(0, 2**64 - 1).map(Uint),
)  # fmt: skip
ids = Ids()


def make(kind: type, *parts: object) -> Node:
    return kind(ids.next(), 0, *parts)


def calls(below: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    two = ["_+_", "_-_", "_*_", "_/_", "_%_", "_==_", "_!=_", "_<_", "_>=_", "_&&_", "_||_", "@in", "_[_]", "_[?_]"]
    return st.one_of(
        st.builds(lambda f, a, b: make(Call, f, None, [a, b]), st.sampled_from(two), below, below),
        st.builds(lambda f, a: make(Call, f, None, [a]), st.sampled_from(["!_", "-_", "size", "int", "string", "dyn", "type"]), below),
        st.builds(lambda a, b, c: make(Call, "_?_:_", None, [a, b, c]), below, below, below),
        st.builds(lambda f, a, b: make(Call, f, a, [b]), st.sampled_from(["startsWith", "contains", "matches", "or"]), below, below),
        st.builds(lambda a: make(ListLiteral, a, frozenset()), st.lists(below, max_size=3)),
        st.builds(
            lambda pairs: make(MapLiteral, [Entry(ids.next(), 0, k, v, False) for k, v in pairs]),
            st.lists(st.tuples(below, below), max_size=2),
        ),
        st.builds(lambda a, f: make(Select, a, f), below, st.sampled_from(["a", "b"])),
    )


nodes = st.recursive(
    st.one_of(literals.map(lambda value: make(Literal, value)), names.map(lambda name: make(Ident, name))), calls, max_leaves=12
)
pieces = st.sampled_from(
    ["1", "a", "b.c", "'x'", "[", "]", "{", "}", "(", ")", ".", ",", "?", ":", "+", "-", "!", "&&", "||", "in", "==", "<", "has(", "x.all(",
     "true", "null", "1u", "1.5", "b'x'", "'", '"', "\\", "`", "@", "\n", " ", "é", "as", "//"]
)  # fmt: skip


def run(text: str) -> None:
    with suppress(CelError):
        compiled = environment(DEFAULT).compile(text, VARIABLES)
        compiled.estimate()
        compiled.program().evaluate(BINDINGS, limit=10_000)


@given(st.text(max_size=60))
def test_any_text_is_answered_or_refused(text: str) -> None:
    run(text)


@settings(max_examples=300)
@given(st.lists(pieces, max_size=25).map("".join))
def test_any_row_of_tokens_is_answered_or_refused(text: str) -> None:
    run(text)


@settings(max_examples=300)
@given(nodes)
def test_any_expression_is_answered_or_refused(node: Node) -> None:
    run(source(node))


@settings(max_examples=200)
@given(nodes)
def test_what_is_printed_parses_to_the_same(node: Node) -> None:
    assert printed(parse(source(node), MACROS).root) == printed(simplified(node))


def simplified(node: Node) -> Node:
    """The node as it is read: two signs or negations in a row fall away, chains of logic are balanced."""
    return parse(source(node), MACROS).root


@settings(max_examples=200)
@given(nodes)
def test_an_estimate_holds(node: Node) -> None:
    """What is charged lies within the estimate, wherever the estimate is not known to be off: over sizes it cannot see."""
    text = source(node)
    with suppress(CelError):
        compiled = environment(DEFAULT).compile(text, VARIABLES)
        high = compiled.estimate().high
        _, cost = compiled.program().evaluate(BINDINGS)
        assert cost <= max(high * 2, high + 20)
