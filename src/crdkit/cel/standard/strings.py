"""The string functions of the base language; patterns are RE2's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from crdkit.cel.ast import Call, Literal, Node
from crdkit.cel.costs import Cost, by_sizes, quarters, tenths, traversal
from crdkit.cel.declarations import Code, Library, Overload
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.patterns import compile_pattern
from crdkit.cel.types import BOOL, STRING, Type
from crdkit.cel.values import Value

LIBRARY: Final = Library("strings of the base language")
_MATCHING: Final = by_sizes(
    lambda text, pattern: tenths(text + 1) * quarters(pattern), by_name=False, inline="TENTHS[{0} + 1] * QUARTERS[{1}]"
)
_CONTAINING: Final = by_sizes(lambda text, part: tenths(text) * tenths(part), by_name=False, inline="TENTHS[{0}] * TENTHS[{1}]")
_END: Final = Cost(traversal(1).estimate, traversal(0).actual, by_name=False, inline=traversal(0).inline)
"""Estimated by what is looked for, charged by what is looked at: so the real server has it."""


def _test(name: str, id: str, cost: Cost, inline: str, test: Callable[[str, str], bool]) -> None:
    @LIBRARY.operator(name, Overload(id, (STRING, STRING), BOOL, member=True, cost=cost, inline=inline))
    def code(text: Value, other: Value) -> bool:
        if text.__class__ is str and other.__class__ is str:
            return test(text, other)
        raise no_such_overload()


_test("contains", "contains_string", _CONTAINING, "{1} in {0}", lambda text, part: part in text)
_test("startsWith", "starts_with_string", _END, "{0}.startswith({1})", str.startswith)
_test("endsWith", "ends_with_string", _END, "{0}.endswith({1})", str.endswith)


@LIBRARY.operator(
    "matches",
    Overload("matches", (STRING, STRING), BOOL, member=False),
    Overload("matches_string", (STRING, STRING), BOOL, member=True, cost=_MATCHING),
)
def matches(text: Value, pattern: Value) -> bool:
    """Whether the pattern is found in the text."""
    if text.__class__ is not str:
        msg = "no such overload: matches"
        raise EvaluationError(msg)
    if pattern.__class__ is not str:
        raise no_such_overload()
    return compile_pattern(pattern).search(text) is not None


@LIBRARY.prepared("matches", 1)
def prepare_pattern(pattern: str) -> Code:
    """A test for a pattern that is known."""
    search = compile_pattern(pattern).search

    def code(text: Value) -> bool:
        if text.__class__ is not str:
            raise no_such_overload()
        return search(text) is not None

    return code


@LIBRARY.literal_check("matches")
def check_pattern(call: Call, _types: Mapping[int, Type]) -> Iterator[tuple[Node, str]]:
    """The first argument is a pattern: that of the member form. (The real server looks at the text of the other form, too.)"""
    argument = call.arguments[0] if call.arguments else None
    if not isinstance(argument, Literal) or argument.value.__class__ is not str:
        return
    try:
        compile_pattern(argument.value)
    except EvaluationError:
        yield argument, "invalid matches argument"
