"""Python source made from a schema, for what is done to every object.

Nothing that a user wrote is ever part of the source: names, patterns and values are bound to names of our own and passed in.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any, Final, TypeVar

from crdkit.schema.structural import Structural

_NODES_PER_SOURCE: Final = 200
"""A larger schema is compiled in parts, each when a value first needs it."""

_DEEPEST: Final = 10
"""Python bounds how deep blocks may nest."""

WALKED = 4
"""So many values are judged by a walk of the schema before source is made for those that follow: to make it takes longer than all of them."""

MOST_CODE = 100
"""So many compiled sources are kept, up to some 20 KiB each."""

A = TypeVar("A")
R = TypeVar("R")


def worthwhile(walk: Callable[[A], R], compile_source: Callable[[], Callable[[A], R]]) -> Callable[[A], R]:
    """What takes a walk for the first values and is compiled for the others; of most definitions there are a few objects, or many."""
    compiled: Callable[[A], R] | None = None
    walked = 0

    def judge(value: A) -> R:
        nonlocal compiled, walked
        if compiled is None:
            walked += 1
            if walked <= WALKED:
                return walk(value)
            compiled = compile_source()
        return compiled(value)

    return judge


@functools.lru_cache(maxsize=MOST_CODE)
def _code(text: str) -> CodeType:
    """Schemas that differ in names and values alone, such as most versions of a definition, have the same source."""
    return compile(text, "<made from a schema>", "exec")


class Source:
    """One piece of source: its functions, the first parameter of each is ``v``, and the constants that they name."""

    parameters = "v"

    def __init__(self) -> None:
        self._constants: dict[str, Any] = {}
        self._functions: list[list[str]] = []
        self._lines: list[str] = []
        self._depth = 0
        self._variables = 0
        self._budget = _NODES_PER_SOURCE

    def load(self, name: str) -> Callable[..., Any]:
        """Compile all that is written; returns the function of that name."""
        text = "\n".join(line for function in self._functions for line in function)
        exec(_code(text), self._constants)  # noqa: S102 (no text of a user's is part of it)
        loaded: Callable[..., Any] = self._constants[name]
        return loaded

    def bind(self, value: Any) -> str:
        """A name for a constant."""
        name = f"c{len(self._constants)}"
        self._constants[name] = value
        return name

    def part(self, compile_part: Callable[[], Callable[..., Any]]) -> str:
        """The name of a function that is compiled when it is first called."""
        constants = self._constants

        def first_call(*values: Any) -> Any:
            compiled = constants[name] = compile_part()
            return compiled(*values)

        name = self.bind(first_call)
        return name

    def variable(self) -> str:
        self._variables += 1
        return f"v{self._variables}"

    def line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    @property
    def written(self) -> int:
        """How many lines the function at hand has so far."""
        return len(self._lines)

    def follows(self, what: str) -> bool:
        """Whether the last line is a condition of this block and does nothing but ``what``."""
        last, indent = self._lines[-1], "    " * self._depth
        return last.startswith((indent + "if ", indent + "elif ")) and what in last

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented block, which vanishes if nothing but an assignment to a variable is written into it."""
        start = len(self._lines)
        self.line(f"{head}:")
        self._depth += 1
        yield
        self._depth -= 1
        written = self._lines[start + 1 :]
        if not written or (len(written) == 1 and " = v" in written[0] and written[0].lstrip().startswith("v")):
            del self._lines[start:]

    @contextmanager
    def inside(self) -> Iterator[None]:
        """The inside of a block whose head is the last line."""
        start = len(self._lines)
        self._depth += 1
        yield
        if len(self._lines) == start:
            self.line("pass")
        self._depth -= 1

    @contextmanager
    def function(self) -> Iterator[str]:
        """A function of its own, written beside the one at hand; its name."""
        name = f"f{len(self._functions)}"
        outer, depth = self._lines, self._depth
        self._lines, self._depth = [f"def {name}({self.parameters}):"], 1
        self._functions.append(self._lines)
        yield name
        self._lines, self._depth = outer, depth

    def takes(self, schema: Structural) -> bool:
        """Whether a node with all below it is to be written here, not as a `part`; if so, it is counted."""
        if self._depth > 1 and (self._depth > _DEEPEST or size(schema, self._budget + 1) > self._budget):
            return not children(schema)
        self._budget -= 1
        return True


def children(schema: Structural) -> list[Structural]:
    """The nodes right below a node, branches of junctors among them."""
    below = (*schema.properties.values(), schema.items, schema.values, *schema.all_of, *schema.any_of, *schema.one_of, schema.not_)
    return [child for child in below if child is not None]


def size(schema: Structural, enough: int) -> int:
    """How many nodes a schema has, counted no further than ``enough``."""
    count = 1
    for child in children(schema):
        if count >= enough:
            break
        count += size(child, enough - count)
    return count
