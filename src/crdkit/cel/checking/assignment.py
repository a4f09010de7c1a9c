"""Which types go where others are wanted, and what the open parameters of signatures stand for meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crdkit.cel.types import DYN, Kind, Type, list_of, map_of, opaque, type_of_type

_NULLABLE: Final = frozenset({Kind.NULL, Kind.OPAQUE, Kind.OBJECT, Kind.ANY, Kind.DURATION, Kind.TIMESTAMP, Kind.WRAPPER})
_COMPOUND: Final = frozenset({Kind.OPAQUE, Kind.LIST, Kind.MAP})
_WILD: Final = frozenset({Kind.DYN, Kind.ANY, Kind.ERROR})
_PLAIN: Final = frozenset({Kind.BOOL, Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.STRING, Kind.BYTES, Kind.TIMESTAMP, Kind.DURATION})
"""Values of one of these are of no other."""


def is_dyn(type_: Type) -> bool:
    """Whether values of any type may be there."""
    return type_.kind is Kind.DYN or type_.kind is Kind.ANY


def is_dyn_or_error(type_: Type) -> bool:
    """Likewise, or there has been an error."""
    return type_.kind in _WILD


def surely_differ(one: Sequence[Type], other: Sequence[Type]) -> bool:
    """Whether there is a plain type in the one where another is in the other. A no may be wrong."""
    for mine, theirs in zip(one, other, strict=True):
        if mine.kind is not theirs.kind and mine.kind in _PLAIN and theirs.kind in _PLAIN:
            return True
    return False


def unwrapped(type_: Type) -> Type:
    """The primitive that a wrapper makes nullable, or the type itself."""
    return type_.parameters[0] if type_.kind is Kind.WRAPPER else type_


class Substitutions:
    """What type parameters stand for. Trying whether types fit may only add to a copy."""

    __slots__ = ("_known",)

    def __init__(self, known: dict[Type, Type] | None = None) -> None:
        self._known: dict[Type, Type] = {} if known is None else known

    def assign(self, to: Sequence[Type], types: Sequence[Type]) -> Substitutions | None:
        """What is known if each of ``types`` goes where ``to`` is wanted; None if it does not."""
        attempt = Substitutions(self._known.copy())
        return attempt if attempt._assignable_all(to, types) else None

    def resolve(self, type_: Type, *, open_to_dyn: bool = False) -> Type:
        """The type with its parameters replaced by what they stand for; those that are open stay, or become dyn."""
        while type_.kind is Kind.PARAMETER:
            known = self._known.get(type_)
            if known is None:
                return DYN if open_to_dyn else type_
            type_ = known
        if not type_.parameters:
            return type_
        parameters = [self.resolve(parameter, open_to_dyn=open_to_dyn) for parameter in type_.parameters]
        match type_.kind:
            case Kind.LIST:
                return list_of(parameters[0])
            case Kind.MAP:
                return map_of(parameters[0], parameters[1])
            case Kind.TYPE:
                return type_of_type(parameters[0])
            case Kind.OPAQUE:
                return opaque(type_.name, *parameters)
            case _:
                return type_

    def _assignable_all(self, to: Sequence[Type], types: Sequence[Type]) -> bool:
        if len(to) != len(types):
            return False
        for one, other in zip(to, types, strict=True):  # noqa: SIM110 (a generator takes twice as long)
            if not self._assignable(one, other):
                return False
        return True

    def _assignable(self, one: Type, other: Type) -> bool:
        if other.kind is Kind.PARAMETER:
            valid, known = self._substitutes(one, other)
            if valid or known:
                return valid
        if one.kind is Kind.PARAMETER:
            return self._substitutes(other, one)[0]
        if one.kind in _WILD or other.kind in _WILD:
            return True
        if one.kind is Kind.NULL:
            return other.kind in _NULLABLE
        if other.kind is Kind.NULL:
            return one.kind in _NULLABLE
        return self._same_kind(one, other)

    def _same_kind(self, one: Type, other: Type) -> bool:
        if one.kind is Kind.WRAPPER or other.kind is Kind.WRAPPER:
            return unwrapped(one) == unwrapped(other)
        if one.kind is Kind.TYPE:
            return other.kind is Kind.TYPE
        if one.kind in _COMPOUND:
            return one.kind is other.kind and one.name == other.name and self._assignable_all(one.parameters, other.parameters)
        return one == other

    def _substitutes(self, type_: Type, parameter: Type) -> tuple[bool, bool]:
        """Whether a parameter can stand for the type, and whether it stood for one before."""
        if type_ == parameter:
            return True, True
        known = self._known.get(parameter)
        if known is None:
            if not self._free_of(parameter, type_):
                return False, False
            self._known[parameter] = type_
            return True, False
        if type_ == known:
            return True, True
        if not self._assignable(type_, known):
            return False, True
        general = most_general(type_, known)
        if self._free_of(parameter, general):
            self._known[parameter] = general
        return True, True

    def _free_of(self, parameter: Type, within: Type) -> bool:
        if parameter == within:
            return False
        if within.kind is Kind.PARAMETER:
            known = self._known.get(within)
            return known is None or self._free_of(parameter, known)
        return all(self._free_of(parameter, inner) for inner in within.parameters)


def most_general(one: Type, other: Type) -> Type:
    """The wider of two types that go together."""
    return one if _at_most_as_specific(one, other) else other


def _at_most_as_specific(one: Type, other: Type) -> bool:
    if is_dyn(one) or one.kind is Kind.PARAMETER:
        return True
    if is_dyn(other) or other.kind is Kind.PARAMETER or one.kind is not other.kind:
        return False
    if one.kind is Kind.TYPE:
        return True
    if one.kind in _COMPOUND:
        return (
            one.name == other.name
            and len(one.parameters) == len(other.parameters)
            and all(_at_most_as_specific(*pair) for pair in zip(one.parameters, other.parameters, strict=True))
        )
    return one == other
