"""From text to nodes, or to what is wrong with it.

A text that does not fit the grammar is given to `crdkit.cel.syntax.recovery`, which finds out what to say about it.
"""

from __future__ import annotations

from typing import Final

from crdkit.cel.ast import Node
from crdkit.cel.errors import CompileError
from crdkit.cel.source import NOWHERE, Issue, Source
from crdkit.cel.syntax.builder import Builder, Macros, TooDeep
from crdkit.cel.syntax.descent import Descent, Unfit
from crdkit.cel.syntax.lexer import tokenize
from crdkit.cel.syntax.recovery import recover
from crdkit.meta import nesting
from crdkit.meta.records import record

MAX_SIZE: Final = 100_000
"""Code points that an expression may have."""


@record
class Parsed:
    """An expression's nodes and its text; ``last_id`` is the greatest number of a node."""

    source: Source
    root: Node
    last_id: int


def parse(text: str, macros: Macros) -> Parsed:
    """Raises `CompileError`."""
    nesting.make_room()  # an expression nests up to 250 levels, and each takes dozens of frames to parse or check
    source = Source(text)
    if len(text) > MAX_SIZE:
        issue = Issue(NOWHERE, f"expression code point size exceeds limit: size: {len(text)}, limit {MAX_SIZE}")
        raise CompileError(source.report([issue]))
    lexed = tokenize(text)
    builder = Builder(macros)
    try:
        root = Descent(lexed.tokens, builder).start()
    except Unfit:
        issues = recover(lexed, Builder(macros))
    except TooDeep as error:
        issues = [*builder.issues, Issue(NOWHERE, str(error))]
    else:
        issues = builder.issues
        if not lexed.unread and not issues:
            return Parsed(source, root, builder.ids.last)
    raise CompileError(source.report([*lexed.issues(), *issues]))
