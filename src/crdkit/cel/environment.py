"""What expressions may call on a cluster of a Kubernetes version, and how they are compiled.

>>> from crdkit.cel.environment import environment
>>> from crdkit.cel.types import INT
>>> checked = environment(V1_36).compile("size * 2 > 3", {"size": INT})
>>> checked.type, checked.estimate(sizes), checked.program().evaluate({"size": 2})
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Final

from crdkit.cel import standard
from crdkit.cel.ast import Node, free_names
from crdkit.cel.checking.checker import Checked, Declarations, check
from crdkit.cel.checking.literals import check_literals
from crdkit.cel.costs import Interval
from crdkit.cel.declarations import Function, Library
from crdkit.cel.errors import CompileError
from crdkit.cel.estimating import SizeHints, UnknownSizes, estimate
from crdkit.cel.generating.generator import Evaluate, Layout, generate, layout_of
from crdkit.cel.libraries import libraries
from crdkit.cel.macros import Macro
from crdkit.cel.planning.planner import plan
from crdkit.cel.program import Program
from crdkit.cel.syntax.parser import parse
from crdkit.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Kind,
    NoTypes,
    Type,
    TypeProvider,
    list_of,
    map_of,
)  # fmt: skip
from crdkit.meta.records import record
from crdkit.meta.version import KubeVersion

_BASE: Final = (
    standard.LOGIC,
    standard.COMPARISONS,
    standard.ARITHMETIC,
    standard.CONTAINERS,
    standard.CONVERSIONS,
    standard.STRINGS,
    standard.TIME,
    standard.OPTIONALS,
)
_TYPE_NAMES: Final = {
    **{type_.name: type_ for type_ in (BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, UINT, TYPE)},
    "list": list_of(DYN),
    "map": map_of(DYN, DYN),
}


@record
class Expression:
    """A compiled expression."""

    checked: Checked
    functions: Mapping[str, Function]
    layout: Layout | None = None

    @property
    def type(self) -> Type:
        """The type of its value."""
        return self.checked.type(self.checked.root)

    @property
    def root(self) -> Node:
        """Its nodes."""
        return self.checked.root

    @property
    def variables(self) -> frozenset[str]:
        """The variables that it refers to."""
        return frozenset(ident.name.removeprefix(".") for ident in free_names(self.root) if self.checked.type(ident).kind is not Kind.TYPE)

    def estimate(self, sizes: SizeHints | None = None) -> Interval:
        """The least and the most that evaluating it may cost; ``sizes`` bounds its variables."""
        return estimate(self.checked, self.functions, sizes or UnknownSizes())

    def program(self) -> Program:
        """What evaluates it. Raises `ProgramError`."""
        return Program(plan(self.checked, self.functions), self._hasten if self.layout else None)

    def _hasten(self) -> Evaluate | None:
        return None if self.layout is None else generate(self.checked, self.functions, self.layout)


class Environment:
    """The functions, macros and types of some libraries."""

    def __init__(self, libraries: Iterable[Library]) -> None:
        self._functions: dict[str, Function] = {}
        self._macros: dict[tuple[str, int, bool], Macro] = {}
        self._types: dict[str, Type] = dict(_TYPE_NAMES)
        for library in (*_BASE, *libraries):
            self._add(library)

    def _add(self, library: Library) -> None:
        for name, function in library.functions.items():
            known = self._functions.get(name)
            self._functions[name] = function if known is None else known.merged(function)
        self._macros |= {macro.key: macro for macro in library.macros}
        self._types |= {type_.name: type_ for type_ in library.types}

    def compile(self, text: str, variables: Mapping[str, Type], provider: TypeProvider | None = None) -> Expression:
        """Parse and check an expression over these variables. Raises `CompileError`."""
        parsed = parse(text, self._macros)
        checked = check(parsed, Declarations(self._functions, self._types, variables, provider or NoTypes()))
        issues = checked.issues or check_literals(checked, self._functions)
        if issues:
            raise CompileError(parsed.source.report(issues))
        return Expression(checked, self._functions, layout_of(provider))


@functools.cache
def environment(version: KubeVersion, *, stored: bool = False) -> Environment:
    """What a rule may use on a cluster of that version.

    A rule that a request adds gets what the version before already had, so that the cluster can be rolled back; a
    ``stored`` one, and one that is evaluated, gets everything.
    """
    known = version if stored else KubeVersion(version.major, version.minor - 1)
    return _environment(tuple(libraries(known, version)))


@functools.cache
def _environment(libraries: tuple[Library, ...]) -> Environment:
    """One for all who may use the same."""
    return Environment(libraries)
