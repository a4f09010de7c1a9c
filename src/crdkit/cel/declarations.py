"""Libraries of functions: one registration holds all there is to know of a function.

>>> STRINGS = Library("strings")
>>> @STRINGS.member("lowerAscii", (STRING,), STRING, id="string_lower_ascii", cost=traversal(0), size=same_size(0))
... def lower_ascii(text: str) -> str:
...     return text.lower()

The code of an overload is called only with values of the declared kinds (a ``list(string)`` may hold anything, though);
other values make the evaluation fail with ``no such overload: lowerAscii(int)``. Code raises `EvaluationError` to fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

from crdkit.cel.costs import CONSTANT, Cost, Estimate
from crdkit.cel.types import Type
from crdkit.cel.values import Value
from crdkit.meta.records import record

if TYPE_CHECKING:
    from crdkit.cel.ast import Call, Node
    from crdkit.cel.macros import Macro
    from crdkit.cel.planning.plans import Form

Code = Callable[..., Value]
C = TypeVar("C", bound=Code)
LiteralCheck = Callable[["Call", Mapping[int, Type]], Iterator[tuple["Node", str]]]
"""Looks at the literals of a checked call, given the types of all nodes by id; yields where something is wrong, and what."""
Preparation = Callable[[str], Code]
"""Turns a literal string argument into code over the other arguments; raises `EvaluationError` if it is wrong."""


@record
class Overload:
    """One signature of a function; the target of a member call is its first argument."""

    id: str
    arguments: tuple[Type, ...]
    result: Type
    member: bool
    cost: Cost = CONSTANT
    size: Estimate | None = None
    code: Code | None = None
    inline: str | None = None
    """The code as Python source for generated code, over arguments ``{0}``, ``{1}`` of exactly the declared kinds."""
    checked: bool = False
    """Whether the value of ``inline`` is an int that may be out of range."""


@record(frozen=False)
class Function:
    """All that is known under one name."""

    name: str
    overloads: list[Overload] = field(default_factory=list)
    dispatch: Code | None = None
    """Code for all overloads at once, which looks at the kinds of its arguments itself."""
    folds: bool = False
    """Whether a call with one constant argument is evaluated when the program is made."""
    prepared: tuple[int, Preparation] | None = None
    """The position of an argument that is worked out when the program is made if it is a literal, and how."""
    check: LiteralCheck | None = None
    mixed_literals: bool = False
    """Whether list and map literals within its arguments may mix types."""
    type_costs: dict[str, Cost] = field(default_factory=dict)
    """What a call costs whose arguments are of one and the same type of such a name."""
    logical: bool = False
    """Whether it takes booleans, and each argument that is none is told by itself."""
    stops: bool = False
    """Whether even a call of few arguments stops, uncharged, at the first that fails."""
    form: Form | None = None
    """How a call is planned whose arguments are not simply all evaluated first."""

    def merged(self, other: Function) -> Function:
        """Both together; where they differ about the same, the other counts."""
        replaced = {overload.id for overload in other.overloads}
        return Function(
            self.name,
            [overload for overload in self.overloads if overload.id not in replaced] + other.overloads,
            other.dispatch or self.dispatch,
            self.folds or other.folds,
            other.prepared or self.prepared,
            other.check or self.check,
            self.mixed_literals or other.mixed_literals,
            self.type_costs | other.type_costs,
            self.logical or other.logical,
            self.stops or other.stops,
            other.form or self.form,
        )


class Library:
    """Functions, macros and type names that come together."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.functions: dict[str, Function] = {}
        self.macros: list[Macro] = []
        self.types: list[Type] = []

    def function(
        self, name: str, arguments: Sequence[Type], result: Type, *, id: str, cost: Cost = CONSTANT, size: Estimate | None = None
    ) -> Callable[[C], C]:
        """Declare ``name(arguments)``; ``size`` tells the size of the result, if it can be told."""
        return self._adding(name, Overload(id, tuple(arguments), result, member=False, cost=cost, size=size))

    def member(
        self, name: str, arguments: Sequence[Type], result: Type, *, id: str, cost: Cost = CONSTANT, size: Estimate | None = None
    ) -> Callable[[C], C]:
        """Declare ``target.name(…)``; the target's type is the first of the arguments."""
        return self._adding(name, Overload(id, tuple(arguments), result, member=True, cost=cost, size=size))

    def _adding(self, name: str, overload: Overload) -> Callable[[C], C]:
        def add(code: C) -> C:
            self.named(name).overloads.append(replace(overload, code=code))
            return code

        return add

    def operator(self, name: str, *overloads: Overload) -> Callable[[C], C]:
        """Declare a function whose one code looks at the kinds of its arguments itself."""

        def add(code: C) -> C:
            function = self.named(name)
            function.overloads += overloads
            function.dispatch = code
            return code

        return add

    def equality(self, type_: Type, cost: Cost) -> None:
        """State what ``==`` of two values of a type costs; otherwise that depends on their sizes."""
        self.named("_==_").type_costs[type_.name] = cost

    def folded(self, *names: str) -> None:
        """Evaluate calls with one constant argument when the program is made; an error then refuses the program."""
        for name in names:
            self.named(name).folds = True

    def prepared(self, name: str, position: int) -> Callable[[Preparation], Preparation]:
        """Work out a literal argument when the program is made: a bad pattern refuses the program, a good one is compiled once."""

        def add(prepare: Preparation) -> Preparation:
            self.named(name).prepared = (position, prepare)
            return prepare

        return add

    def literal_check(self, name: str) -> Callable[[LiteralCheck], LiteralCheck]:
        """Refuse calls with wrong literals when they are compiled."""

        def add(check: LiteralCheck) -> LiteralCheck:
            self.named(name).check = check
            return check

        return add

    def form(self, name: str) -> Callable[[Form], Form]:
        """Plan calls of a function otherwise than by evaluating all arguments first."""

        def add(form: Form) -> Form:
            self.named(name).form = form
            return form

        return add

    def named(self, name: str) -> Function:
        """What the library says under a name, to be added to."""
        return self.functions.setdefault(name, Function(name))
