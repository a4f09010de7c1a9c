"""The quick walk: it tells at little expense which rules do not hold, as most do for most objects.

Whatever is not plain sailing (an error, a great cost) ends it, and is found out rule by rule (`running`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from crdkit.cel.errors import CelError
from crdkit.cel.generating.conditions import Condition, Variables, generate_conditions
from crdkit.cel.generating.source import Leave
from crdkit.cel.values import NONE, Optional, Value
from crdkit.meta.types import Json
from crdkit.schema.ratcheting import Correlated
from crdkit.schema.rules.compiling import OLD_SELF, SELF
from crdkit.schema.rules.plans import Plan, Rule


class Broken(NamedTuple):
    """A rule of a node that does not hold of a value."""

    plan: Plan
    rule: Rule


Walk: TypeAlias = Callable[[Json, Json, list[Broken]], int]
"""The cost of the rules at and below a value, which has or has not an older value; those that are broken are added to a list, in no order.

Raises one of `DOUBTS` where it is not plain what comes of a rule.
"""

LIMIT: Final = 20_000
"""Objects whose rules cost more are none for the quick walk: it takes some milliseconds, and all else waits."""


class NotQuick(Exception):
    """Some value is no matter for the quick walk."""


DOUBTS: Final = (Leave, NotQuick, CelError, LookupError, RecursionError)


class QuickRules:
    """The quick walk by a plan. The rules of a node are compiled when its first value is met."""

    def __init__(self, plan: Plan) -> None:
        self._own: dict[Plan, Walk] = {}
        self._walks: dict[Plan, Walk] = {}
        self.walk: Final = self._compile(plan)

    def of(self, plan: Plan) -> Walk:
        """The rules of a node alone, which has some."""
        found = self._own.get(plan)
        if found is None:
            try:
                found = compile_rules(plan, plan.rules)
            except RecursionError:
                found = _never
            self._own[plan] = found
        return found

    def below(self, plan: Plan) -> Walk:
        """The rules at and below a node."""
        return self._walks[plan]

    def _compile(self, plan: Plan) -> Walk:
        walk = self._walks[plan] = self._walk_of(plan)
        return walk

    def _walk_of(self, plan: Plan) -> Walk:
        below = self._items(plan) or self._values(plan) or self._fields(plan)
        if not plan.node.validations:
            return below or _nothing
        own: Walk

        def first(value: Json, old: Json, broken: list[Broken]) -> int:
            nonlocal own
            own = self.of(plan)
            return own(value, old, broken)

        def leaf(value: Json, old: Json, broken: list[Broken]) -> int:
            return own(value, old, broken)

        own = first
        return leaf if below is None else lambda value, old, broken: own(value, old, broken) + below(value, old, broken)

    def _fields(self, plan: Plan) -> Walk | None:
        below = tuple((name, self._compile(child)) for name, child in plan.properties.items())
        if len(below) < 2:
            return _field(*below[0]) if below else None

        def walk(value: Json, old: Json, broken: list[Broken]) -> int:
            if value.__class__ is not dict:
                raise NotQuick
            cost = 0
            for name, walk_field in below:
                if (field := value.get(name)) is not None:
                    cost += walk_field(field, old.get(name) if old.__class__ is dict else None, broken)
            return cost

        return walk

    def _values(self, plan: Plan) -> Walk | None:
        if plan.values is None:
            return None
        walk_value = self._compile(plan.values)

        def walk(value: Json, old: Json, broken: list[Broken]) -> int:
            if value.__class__ is not dict:
                raise NotQuick
            cost = 0
            for name, item in value.items():
                if item is not None:
                    cost += walk_value(item, old.get(name) if old.__class__ is dict else None, broken)
                    if cost > LIMIT:
                        raise NotQuick
            return cost

        return walk

    def _items(self, plan: Plan) -> Walk | None:
        if plan.items is None:
            return None
        node, walk_item = plan.node, self._compile(plan.items)
        looks_back = plan.items.mentions_old_self

        def walk(value: Json, old: Json, broken: list[Broken]) -> int:
            if value.__class__ is not list:
                raise NotQuick
            older = Correlated(node, value, old) if looks_back and old is not None else None
            cost = 0
            for index, item in enumerate(value):
                if item is not None:
                    before = older.child(index) if older is not None else None
                    cost += walk_item(item, None if before is None else before.old, broken)
                    if cost > LIMIT:
                        raise NotQuick
            return cost

        return walk


def _field(name: str, walk_field: Walk) -> Walk:
    """The rules below an object that has some in one of its fields alone."""

    def walk(value: Json, old: Json, broken: list[Broken]) -> int:
        if value.__class__ is not dict:
            raise NotQuick
        field = value.get(name)
        if field is None:
            return 0
        return walk_field(field, old.get(name) if old.__class__ is dict else None, broken)

    return walk


def _nothing(_value: Json, _old: Json, _broken: list[Broken]) -> int:
    return 0


def _never(_value: Json, _old: Json, _broken: list[Broken]) -> int:
    raise NotQuick


def compile_rules(plan: Plan, rules: Iterable[Rule]) -> Walk:
    """Some rules of a node, as one function. May raise `RecursionError`."""
    conditions = []
    for rule in rules:
        compiled, expression = rule.compiled, rule.compiled.expression
        if compiled.error or (expression is not None and expression.layout is None):
            return _never
        if expression is not None and expression.layout is not None:
            is_optional = bool(rule.text.get("optionalOldSelf"))
            conditions.append(
                Condition(
                    Broken(plan, rule),
                    expression.checked,
                    expression.functions,
                    expression.layout,
                    is_transition=compiled.uses_old_self and not is_optional,
                    is_optional=is_optional,
                )
            )
    variables = Variables(SELF, OLD_SELF, _binding(plan), _binding_optional(plan))
    return generate_conditions(conditions, variables, limit=LIMIT)


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
