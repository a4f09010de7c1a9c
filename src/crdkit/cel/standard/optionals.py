"""Optionals: values that may be there."""

from __future__ import annotations

from typing import Final

from crdkit.cel import macros
from crdkit.cel.declarations import Library, Overload
from crdkit.cel.errors import EvaluationError
from crdkit.cel.planning import forms
from crdkit.cel.standard.clock import MIN_SECONDS, NANOS
from crdkit.cel.types import BOOL, DYN, INT, OPTIONAL, STRING, list_of, map_of, optional_of, parameter
from crdkit.cel.values import LISTS, MAPS, NONE, Duration, Optional, Timestamp, Uint, Value

LIBRARY: Final = Library("optionals")
LIBRARY.macros += macros.OPTIONAL
LIBRARY.types.append(OPTIONAL)

_K: Final = parameter("K")
_V: Final = parameter("V")
_OPTIONAL: Final = optional_of(_V)
_LIST: Final = list_of(_V)
_MAP: Final = map_of(_K, _V)
_OPTIONALS: Final = list_of(_OPTIONAL)


@LIBRARY.function("optional.of", (_V,), _OPTIONAL, id="optional_of")
def of(value: Value) -> Optional:
    """An optional that has the value."""
    return Optional(value)


@LIBRARY.function("optional.none", (), _OPTIONAL, id="optional_none")
def none() -> Optional:
    """The optional that has none."""
    return NONE


@LIBRARY.function("optional.ofNonZeroValue", (_V,), _OPTIONAL, id="optional_ofNonZeroValue")
def of_non_zero(value: Value) -> Optional:
    """None for null, zeros and what is empty."""
    return NONE if _is_zero(value) else Optional(value)


def _is_zero(value: Value) -> bool:
    if value.__class__ in (bool, int, Uint, float, str, bytes, type(None)):
        return not value
    if isinstance(value, (*LISTS, *MAPS)):
        return not len(value)
    if value.__class__ is Duration:
        return bool(value.nanos == 0)
    if value.__class__ is Timestamp:
        return bool(value.nanos == MIN_SECONDS * NANOS)
    return value is NONE


@LIBRARY.member("value", (_OPTIONAL,), _V, id="optional_value")
def value_of(optional: Optional) -> Value:
    """The value that is there."""
    if optional is NONE:
        msg = "optional.none() dereference"
        raise EvaluationError(msg)
    return optional.held()


@LIBRARY.member("hasValue", (_OPTIONAL,), BOOL, id="optional_hasValue")
def has_value(optional: Optional) -> bool:
    """Whether it is there."""
    return optional is not NONE


LIBRARY.named("or").overloads.append(Overload("optional_or_optional", (_OPTIONAL, _OPTIONAL), _OPTIONAL, member=True))
LIBRARY.named("orValue").overloads.append(Overload("optional_orValue_value", (_OPTIONAL, _V), _V, member=True))
LIBRARY.form("or")(forms.or_optional)
LIBRARY.form("orValue")(forms.or_value)

LIBRARY.named("_?._").overloads.append(Overload("select_optional_field", (DYN, STRING), _OPTIONAL, member=False))
LIBRARY.named("_[?_]").overloads += (
    Overload("list_optindex_optional_int", (_LIST, INT), _OPTIONAL, member=False),
    Overload("optional_list_optindex_optional_int", (optional_of(_LIST), INT), _OPTIONAL, member=False),
    Overload("map_optindex_optional_value", (_MAP, _K), _OPTIONAL, member=False),
    Overload("optional_map_optindex_optional_value", (optional_of(_MAP), _K), _OPTIONAL, member=False),
)
LIBRARY.named("_[_]").overloads += (
    Overload("optional_list_index_int", (optional_of(_LIST), INT), _OPTIONAL, member=False),
    Overload("optional_map_index_value", (optional_of(_MAP), _K), _OPTIONAL, member=False),
)
LIBRARY.form("_?._")(forms.optional_index)
LIBRARY.form("_[?_]")(forms.optional_index)


@LIBRARY.member("last", (_LIST,), _OPTIONAL, id="list_last")
def last(values: Value) -> Optional:
    """The last element, if there is one."""
    return Optional(values[len(values) - 1]) if len(values) else NONE


@LIBRARY.member("first", (_LIST,), _OPTIONAL, id="list_first")
def first(values: Value) -> Optional:
    """The first element, if there is one."""
    return Optional(values[0]) if len(values) else NONE


@LIBRARY.function("optional.unwrap", (_OPTIONALS,), _LIST, id="optional_unwrap")
@LIBRARY.member("unwrapOpt", (_OPTIONALS,), _LIST, id="optional_unwrapOpt")
def unwrap(optionals: Value) -> list[Value]:
    """The values that are there."""
    found = []
    for optional in optionals:
        if optional.__class__ is not Optional:
            msg = f"value {optional} is not optional"
            raise EvaluationError(msg)
        if optional is not NONE:
            found.append(optional.value)
    return found
