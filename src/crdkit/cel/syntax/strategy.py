"""ANTLR's way on from an error in a text, with its words.

An unexpected token is dropped if the next one fits, a missing one is made up if the current one fits behind it, and else
tokens are skipped to one that can follow any of the rules being parsed. Every set of tokens here is what can follow at a
point *within* its rule, with ``EPSILON`` where the rule may end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Final

from crdkit.cel.source import NOWHERE, Issue
from crdkit.cel.syntax.builder import MAX_DEPTH, TooDeep
from crdkit.cel.syntax.lexer import Lexed
from crdkit.cel.syntax.salvage import Tree
from crdkit.cel.syntax.tokens import NAMES, Kind, Token
from crdkit.meta.records import record

_MAX_RECOVERIES: Final = 30
_MAX_SKIPPED: Final = 256
_MAX_ERRORS: Final = 100

Kinds = frozenset[Kind]
END: Final[Kinds] = frozenset({Kind.EPSILON})


def kinds(*members: Kind) -> Kinds:
    """A set of kinds."""
    return frozenset(members)


class Recognition(Exception):
    """A rule cannot go on; ``text`` and ``token`` are the error."""

    def __init__(self, text: str, token: Token) -> None:
        super().__init__(text)
        self.text = text
        self.token = token


class Abort(Exception):
    """Parsing is given up."""


@record(frozen=False)
class Strategy:
    """Where a parser is, what it has said, and how it goes on."""

    lexed: Lexed
    tokens: list[Token]
    issues: list[Issue] = field(default_factory=list)
    index: int = 0
    follows: list[Kinds] = field(default_factory=list)
    """What follows each of the rules being parsed, within the rule that called it; the innermost last."""
    depths: dict[str, int] = field(default_factory=dict)
    recovering: bool = False
    last_index: int = -1
    last_places: set[str] = field(default_factory=set)
    place: str = ""
    attempts: int = 0
    skipped: int | None = None

    # The tokens.

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    def ahead(self, count: int) -> Kind:
        index = self.index + count - 1
        return self.tokens[index].kind if index < len(self.tokens) else Kind.EOF

    def consume(self) -> Token:
        if self.skipped is not None:
            if self.skipped >= _MAX_SKIPPED:
                self.issues.append(Issue(NOWHERE, f"error recovery token lookahead limit exceeded: {_MAX_SKIPPED}"))
                raise Abort
            self.skipped += 1
        token = self.token
        if token.kind is not Kind.EOF:
            self.index += 1
        return token

    def consume_until(self, wanted: Kinds) -> None:
        while self.token.kind is not Kind.EOF and self.token.kind not in wanted:
            self.consume()

    # What is expected, and what is said.

    def expected(self, here: Kinds) -> Kinds:
        found = set(here)
        for follow in reversed(self.follows):
            if Kind.EPSILON not in found:
                break
            found.discard(Kind.EPSILON)
            found |= follow
        if Kind.EPSILON in found:
            found = (found - END) | {Kind.EOF}
        return frozenset(found)

    def say(self, text: str, token: Token) -> None:
        if len(self.issues) >= _MAX_ERRORS:
            self.issues.append(Issue(token.at, f"Syntax error: More than {_MAX_ERRORS} syntax errors"))
            raise Abort
        self.issues.append(Issue(token.at, f"Syntax error: {text}"))

    def unwanted(self, here: Kinds) -> None:
        if not self.recovering:
            self.recovering = True
            self.say(f"extraneous input {_shown(self.token.text)} expecting {_printed(self.expected(here))}", self.token)

    def mismatch(self, here: Kinds) -> Recognition:
        return Recognition(f"mismatched input {_shown(self.token.text)} expecting {_printed(self.expected(here))}", self.token)

    def not_viable(self, start: Token, offending: Token) -> Recognition:
        end = offending.at if offending.kind is Kind.EOF else offending.end
        text = "<EOF>" if start.kind is Kind.EOF else self.lexed.between(start.at, end)
        if len(text) > 1 and text[1:] in ("true", "false", "null"):
            return Recognition(f"mismatched input '{text[1:]}' expecting IDENTIFIER", offending)
        return Recognition(f"no viable alternative at input {_shown(text)}", offending)

    # The error strategy.

    def drop(self, here: Kinds) -> bool:
        """Drop a token if what comes behind it fits."""
        if self.ahead(2) not in self.expected(here):
            return False
        self.unwanted(here)
        self.consume()
        self.recovering = False
        return True

    def check(self, place: str, here: Kinds) -> None:
        """Before a choice: see that a token fits, or drop one."""
        self.place = place
        if self.recovering or Kind.EPSILON in here or self.token.kind in here or self.drop(here):
            return
        raise self.mismatch(here)

    def check_again(self, place: str, here: Kinds) -> None:
        """At the end of a round of a loop: skip to where it can go on."""
        self.place = place
        if self.recovering or Kind.EPSILON in here or self.token.kind in here:
            return
        self.unwanted(here)
        self.consume_until(self.expected(here) | self.recoverykinds())

    def recoverykinds(self) -> Kinds:
        return frozenset().union(*self.follows) - END

    def match(self, place: str, kind: Kind, then: Kinds) -> Token:
        """The token of that kind; ``then`` is what can follow it within the rule."""
        self.place = place
        if self.token.kind is kind:
            self.recovering = False
            self.last_index, self.last_places = -1, set()
            return self.consume()
        self.count_attempt()
        here = kinds(kind)
        self.skipped = 0
        try:
            if self.drop(here):
                return self.consume()
        finally:
            self.skipped = None
        if self.token.kind in self.expected(then):
            if not self.recovering:
                self.recovering = True
                self.say(f"missing {_printed(self.expected(here))} at {_shown(self.token.text)}", self.token)
            return Token(kind, f"<missing {NAMES[kind]}>", self.token.at)
        raise self.mismatch(here)

    def count_attempt(self) -> None:
        if self.attempts == _MAX_RECOVERIES:
            self.say(f"error recovery attempt limit exceeded: {_MAX_RECOVERIES}", self.token)
            raise Abort
        self.attempts += 1

    def skip(self) -> None:
        """Skip to a token that can follow one of the rules being parsed."""
        self.count_attempt()
        self.skipped = 0
        if self.last_index == self.index and self.place in self.last_places:
            self.consume()
        self.last_index = self.index
        self.last_places.add(self.place)
        self.consume_until(self.recoverykinds())
        self.skipped = None

    def rule(self, name: str, follow: Kinds, parse: Callable[[Tree], None]) -> Tree:
        """Parse a rule; an error in it is reported here, and parsing goes on behind it."""
        self.follows.append(follow)
        depth = self.depths[name] = self.depths.get(name, 0) + 1
        if depth > MAX_DEPTH:
            msg = f"expression recursion limit exceeded: {MAX_DEPTH}"
            raise TooDeep(msg)
        tree = Tree(name, self.token)
        calling = self.place
        try:
            parse(tree)
        except Recognition as error:
            if not self.recovering:
                self.recovering = True
                self.say(error.text, error.token)
            self.skip()
        self.place = calling
        self.depths[name] -= 1
        self.follows.pop()
        return tree


def _shown(text: str) -> str:
    escaped = text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
    return f"'{escaped}'"


def _printed(expected: Kinds) -> str:
    names = [NAMES[kind] for kind in sorted(expected)]
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
