"""``find`` and ``findAll``: what in a text matches a pattern of RE2."""

from __future__ import annotations

from typing import Final

from crdkit.cel.costs import Cost, Interval, Site, by_sizes, quarters, tenths
from crdkit.cel.declarations import Code, Library
from crdkit.cel.errors import EvaluationError, no_such_overload
from crdkit.cel.patterns import Pattern, compile_pattern
from crdkit.cel.types import INT, STRING, list_of
from crdkit.cel.values import Texts, Value

LIBRARY: Final = Library("kubernetes.regex")

_SEARCH: Final[Cost] = by_sizes(lambda text, pattern, *_: tenths(text + 1) * quarters(pattern))


def _found(site: Site) -> Interval:
    return Interval(0, site[0].size.high)


def _compiled(pattern: str) -> Pattern:
    try:
        return compile_pattern(pattern)
    except EvaluationError as error:
        msg = f"Illegal regex: {error}"
        raise EvaluationError(msg) from error


@LIBRARY.member("find", (STRING, STRING), STRING, id="string_find_string", cost=_SEARCH, size=_found)
def find(text: str, pattern: str) -> str:
    """The first match, or nothing: ``'abc 123'.find('[0-9]+') == '123'``."""
    return _compiled(pattern).find(text)


@LIBRARY.member("findAll", (STRING, STRING), list_of(STRING), id="string_find_all_string", cost=_SEARCH, size=_found)
def find_all(text: str, pattern: str) -> list[str]:
    """All matches that do not overlap: ``'1 and 2'.findAll('[0-9]') == ['1', '2']``."""
    return Texts(_compiled(pattern).find_all(text))


@LIBRARY.member("findAll", (STRING, STRING, INT), list_of(STRING), id="string_find_all_string_int", cost=_SEARCH, size=_found)
def find_all_limited(text: str, pattern: str, limit: int) -> list[str]:
    """As many of them as are wanted; all if the limit is negative."""
    return Texts(_compiled(pattern).find_all(text, limit))


@LIBRARY.prepared("find", 1)
def prepare_find(pattern: str) -> Code:
    """A search for a pattern that is known; it looks at the kinds of its arguments itself."""
    search = compile_pattern(pattern).find

    def code(text: Value) -> str:
        if text.__class__ is not str:
            raise no_such_overload()
        return search(text)

    return code


@LIBRARY.prepared("findAll", 1)
def prepare_find_all(pattern: str) -> Code:
    """Likewise."""
    search = compile_pattern(pattern).find_all

    def code(text: Value, limit: Value = -1) -> list[str]:
        if text.__class__ is not str or limit.__class__ is not int:
            raise no_such_overload()
        return Texts(search(text, limit))

    return code
