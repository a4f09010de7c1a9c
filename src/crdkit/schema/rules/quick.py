"""The quick walk: it tells what it cost that all rules hold, as for most objects they do.

Whatever is not plain sailing (a rule that fails, an error, a great cost) ends it, and is found out rule by rule (`running`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from crdkit.cel.errors import CelError
from crdkit.cel.generating.conditions import Condition, Variables, generate_conditions
from crdkit.cel.generating.source import Leave
from crdkit.cel.values import NONE, Optional, Value
from crdkit.meta.types import Json
from crdkit.schema.ratcheting import Correlated
from crdkit.schema.rules.compiling import OLD_SELF, SELF
from crdkit.schema.rules.plans import Plan

Walk: TypeAlias = Callable[[Json, Json], int]
"""The cost of the rules at and below a value, which has or has not an older value. Raises one of `DOUBTS` unless all are known to hold."""

LIMIT: Final = 20_000
"""Objects whose rules cost more are none for the quick walk: it takes some milliseconds, and all else waits."""


class NotQuick(Exception):
    """Some value is no matter for the quick walk."""


DOUBTS: Final = (Leave, NotQuick, CelError, LookupError, RecursionError)


def compile_walk(plan: Plan) -> Walk:
    """The quick walk by a plan. The rules of a node are compiled when its first value is met."""
    rules = _rules(plan) if plan.node.validations else None
    below = _items(plan) or _values(plan) or _fields(plan)
    if rules is None or below is None:
        return rules or below or _nothing
    return lambda value, old: rules(value, old) + below(value, old)


def _nothing(_value: Json, _old: Json) -> int:
    return 0


def _rules(plan: Plan) -> Walk:
    holds: Walk | None = None

    def first(value: Json, old: Json) -> int:
        nonlocal holds
        if holds is None:
            try:
                holds = _conditions(plan)
            except RecursionError:
                holds = _never
        return holds(value, old)

    return first


def _conditions(plan: Plan) -> Walk:
    conditions = []
    for text, compiled in plan.rules:
        expression = compiled.expression
        if compiled.error or (expression is not None and expression.layout is None):
            return _never
        if expression is not None and expression.layout is not None:
            is_optional = bool(text.get("optionalOldSelf"))
            conditions.append(
                Condition(
                    expression.checked,
                    expression.functions,
                    expression.layout,
                    is_transition=compiled.uses_old_self and not is_optional,
                    is_optional=is_optional,
                )
            )
    variables = Variables(SELF, OLD_SELF, _binding(plan), _binding_optional(plan))
    return generate_conditions(conditions, variables, limit=LIMIT)


def _never(_value: Json, _old: Json) -> int:
    raise NotQuick


def _binding(plan: Plan) -> Callable[[Json, Json], Mapping[str, Value]]:
    read = plan.read

    def bind(new: Json, old: Json) -> Mapping[str, Value]:
        return {SELF: read(new)} if old is None else {SELF: read(new), OLD_SELF: read(old)}

    return bind


def _binding_optional(plan: Plan) -> Callable[[Json, Json], Mapping[str, Value]]:
    read = plan.read

    def bind(new: Json, old: Json) -> Mapping[str, Value]:
        return {SELF: read(new), OLD_SELF: NONE if old is None else Optional(read(old))}

    return bind


def _fields(plan: Plan) -> Walk | None:
    below = tuple((name, compile_walk(child)) for name, child in plan.properties.items())
    if not below:
        return None

    def walk(value: Json, old: Json) -> int:
        if value.__class__ is not dict:
            raise NotQuick
        cost = 0
        for name, walk_field in below:
            if (field := value.get(name)) is not None:
                cost += walk_field(field, old.get(name) if old.__class__ is dict else None)
        return cost

    return walk


def _values(plan: Plan) -> Walk | None:
    if plan.values is None:
        return None
    walk_value = compile_walk(plan.values)

    def walk(value: Json, old: Json) -> int:
        if value.__class__ is not dict:
            raise NotQuick
        cost = 0
        for name, item in value.items():
            if item is not None:
                cost += walk_value(item, old.get(name) if old.__class__ is dict else None)
                if cost > LIMIT:
                    raise NotQuick
        return cost

    return walk


def _items(plan: Plan) -> Walk | None:
    if plan.items is None:
        return None
    node, walk_item = plan.node, compile_walk(plan.items)
    looks_back = plan.items.mentions_old_self

    def walk(value: Json, old: Json) -> int:
        if value.__class__ is not list:
            raise NotQuick
        older = Correlated(node, value, old) if looks_back and old is not None else None
        cost = 0
        for index, item in enumerate(value):
            if item is not None:
                before = older.child(index) if older is not None else None
                cost += walk_item(item, None if before is None else before.old)
                if cost > LIMIT:
                    raise NotQuick
        return cost

    return walk
