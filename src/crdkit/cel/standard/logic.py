"""``! && || ?:`` and what folds go on by."""

from __future__ import annotations

from typing import Final

from crdkit.cel import macros
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.errors import no_such_overload
from crdkit.cel.planning import forms
from crdkit.cel.types import BOOL, parameter
from crdkit.cel.values import Value

LIBRARY: Final = Library("logic")
LIBRARY.macros += macros.STANDARD
_A: Final = parameter("A")
_TWO: Final = (BOOL, BOOL)


@LIBRARY.operator("!_", Overload("logical_not", (BOOL,), BOOL, member=False, inline="not {0}"))
def negation(value: Value) -> bool:
    """The other boolean."""
    if value is True:
        return False
    if value is False:
        return True
    raise no_such_overload()


LIBRARY.named("_&&_").overloads.append(Overload("logical_and", _TWO, BOOL, member=False))
LIBRARY.named("_||_").overloads.append(Overload("logical_or", _TWO, BOOL, member=False))
LIBRARY.named("_&&_").logical = LIBRARY.named("_||_").logical = True
LIBRARY.form("_&&_")(forms.conjunction)
LIBRARY.form("_||_")(forms.disjunction)

LIBRARY.named("_?_:_").overloads.append(Overload("conditional", (BOOL, _A, _A), _A, member=False))
LIBRARY.form("_?_:_")(forms.conditional)

LIBRARY.named("@not_strictly_false").overloads.append(Overload("not_strictly_false", (BOOL,), BOOL, member=False))
LIBRARY.form("@not_strictly_false")(forms.not_strictly_false)
