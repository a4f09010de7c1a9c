"""The lines of a function in the making: names for values, constants by name, and costs gathered before they are added."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from crdkit.cel.costs import quarters, tenths
from crdkit.meta.records import record

_DEEPEST: Final = 20
"""Python allows so many loops within each other, and more of other blocks."""
_TABLED: Final = 4096
TENTHS: Final = [tenths(size) for size in range(_TABLED)]
"""What going through so many characters costs; longer texts are left to the closures."""
QUARTERS: Final = [quarters(size) for size in range(_TABLED)]


class Leave(Exception):
    """The straight way does not lead on."""


class TooDear(Leave):
    """The limit is passed."""


class Unfit(Exception):
    """A part of an expression that generated code has no way for."""


@record
class Mark:
    """How far a function has been written."""

    lines: int
    indent: int
    cost: int


class Source:
    """One function, with a variable ``cost`` and one called ``limit``: it leaves the straight way soon after that is passed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.globals: dict[str, Any] = {"Leave": Leave, "TooDear": TooDear, "TENTHS": TENTHS, "QUARTERS": QUARTERS}
        self._indent = 1
        self._names = 0
        self._cost = 0

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(" " * self._indent + text)

    def name(self) -> str:
        """A name that is not used yet."""
        self._names += 1
        return f"v{self._names}"

    def let(self, expression: str) -> str:
        """Give the value of a Python expression a name."""
        name = self.name()
        self.line(f"{name} = {expression}")
        return name

    def constant(self, value: Any) -> str:
        """A name for a value that is known; what users wrote gets into the code no other way."""
        name = f"C{len(self.globals)}"
        self.globals[name] = value
        return name

    def leave_if(self, condition: str) -> None:
        """Give up where that is so."""
        self.line(f"if {condition}: raise Leave")

    def watch_cost(self) -> None:
        """Give up where the limit is passed; in loops, which can go on for long."""
        self.settle()
        self.line("if cost > limit: raise TooDear")

    def charge(self, cost: int) -> None:
        """Add to the cost."""
        self._cost += cost

    def settle(self) -> None:
        """Write down what has been charged so far; ahead of every fork in the road."""
        if self._cost:
            self.line(f"cost += {self._cost}")
            self._cost = 0

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The lines under an ``if``, ``else`` or ``for``. Raises `Unfit` where they would be nested too deeply."""
        if self._indent >= _DEEPEST:
            raise Unfit
        self.settle()
        self.line(head)
        self._indent += 1
        start = len(self.lines)
        yield
        self.settle()
        if len(self.lines) == start:
            self.line("pass")
        self._indent -= 1

    def mark(self) -> Mark:
        """Remember how far the function is written."""
        return Mark(len(self.lines), self._indent, self._cost)

    def back_to(self, mark: Mark) -> None:
        """Forget what was written since."""
        del self.lines[mark.lines :]
        self._indent, self._cost = mark.indent, mark.cost

    def function(self, result: str, parameters: str) -> Any:
        """The function: ``result`` is what it returns."""
        self.settle()
        self.line(f"return {result}")
        text = "\n".join([f"def evaluate({parameters}):", " cost = 0", *self.lines])
        namespace = self.globals
        exec(compile(text, "<cel>", "exec"), namespace)  # noqa: S102 (made of names and constants only)
        return namespace["evaluate"]
