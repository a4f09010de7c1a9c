"""The quick walk for a change of an object that kept all rules: rules that look at nothing that differs are not run, as they hold still."""

from __future__ import annotations

from typing import Final, TypeAlias

from crdkit.meta.changes import Changes
from crdkit.meta.types import JsonObject
from crdkit.schema.rules.looking import fields_seen
from crdkit.schema.rules.plans import Plan, Rule
from crdkit.schema.rules.quick import Broken, QuickRules, Walk, compile_rules

_MOST_CHOICES: Final = 8
"""So many selections of the rules of a node have a function of their own; for others all its rules are run."""
_NOTHING: Final[Changes] = {}


class ChangingRules:
    """The rules at and below a node of objects that have fields. Those of the node are told apart by bits, the first has the lowest."""

    def __init__(self, plan: Plan, quick: QuickRules) -> None:
        self._plan = plan
        self._quick = quick
        self._met = plan.met
        self._fields = {name: _field(child, quick) for name, child in plan.properties.items()}
        self._always = -1
        """The own rules that have to be run for any change; negative until it is known which rules look at what."""
        self._choices: dict[int, Walk] = {}
        self._restless: tuple[tuple[str, _Field], ...] = ()
        self._met_by_then = 0

    def walk(self, value: JsonObject, old: JsonObject, changes: Changes, broken: list[Broken]) -> int:
        """The cost of the rules that have to be run for a value that differs from the old one in ``changes``; otherwise as `Walk`."""
        if self._met_by_then != len(self._met) or self._always < 0:
            self._look_through()
        fields, chosen, cost = self._fields, self._always, 0
        for name, below in changes.items():
            if (field := fields.get(name)) is not None:
                seen_by, walk, rules = field
                chosen |= seen_by
                if walk is not None and (found := value.get(name)) is not None:
                    if rules is not None and below.__class__ is dict:
                        cost += rules.walk(found, old[name], below, broken)
                    else:
                        cost += walk(found, old.get(name), broken)
        for name, (_, walk, rules) in self._restless:
            if name not in changes and (found := value.get(name)) is not None:
                if rules is not None:
                    cost += rules.walk(found, old[name], _NOTHING, broken)
                elif walk is not None:
                    cost += walk(found, old[name], broken)
        if chosen:
            cost += (self._choices.get(chosen) or self._compile(chosen))(value, old, broken)
        return cost

    def _look_through(self) -> None:
        """Find out which own rules look at which fields, and in which fields there are rules that have to be run though nothing differs.

        No rules are compiled for this: what those look at of which there was no value yet is not known, but they are seldom met.
        """
        met, plan = len(self._met), self._plan
        if self._always < 0:
            always = 0
            for number, rule in enumerate(plan.rules if plan.node.validations else ()):
                fields = _fields_seen(rule)
                always |= 0 if fields is not None else 1 << number
                for name in fields or ():
                    seen_by, walk, rules = self._fields.get(name, _NO_RULES)
                    self._fields[name] = seen_by | 1 << number, walk, rules
            self._always = always
        self._restless = tuple((name, self._fields[name]) for name, child in plan.properties.items() if _is_restless(child))
        self._met_by_then = met

    def _compile(self, chosen: int) -> Walk:
        plan, is_one_more = self._plan, len(self._choices) >= _MOST_CHOICES
        rules = [rule for number, rule in enumerate(plan.rules) if chosen >> number & 1]
        walk = self._quick.of(plan) if is_one_more or len(rules) == len(plan.rules) else compile_rules(plan, rules)
        if not is_one_more:
            self._choices[chosen] = walk
        return walk


_Field: TypeAlias = tuple[int, Walk | None, ChangingRules | None]
"""The own rules that look at a field, what runs all rules at and below it, and what runs those that some changes ask for, if it has any."""
_NO_RULES: Final = 0, None, None


def _field(plan: Plan, quick: QuickRules) -> _Field:
    return 0, quick.below(plan), ChangingRules(plan, quick) if has_fields(plan) else None


def _fields_seen(rule: Rule) -> frozenset[str] | None:
    compiled = rule.compiled
    if compiled.error:
        return None
    return frozenset() if compiled.expression is None else fields_seen(compiled.expression)


def _is_restless(plan: Plan) -> bool:
    """Whether there may be a rule at or below a node that has to be run though nothing differs."""
    if plan.node.validations and (plan not in plan.met or any(_fields_seen(rule) is None for rule in plan.rules)):
        return True
    return any(child is not None and _is_restless(child) for child in (*plan.properties.values(), plan.items, plan.values))


def has_fields(plan: Plan) -> bool:
    """Whether the values of a node are objects of which it can be told which fields differ."""
    node = plan.node
    return node.type == "object" and bool(node.properties) and node.values is None


def parts(plan: Plan) -> int:
    """How many parts there are that are run or not, each on its own: rules, and lists and maps with all rules below them."""
    return len(plan.node.validations) + sum(map(parts, plan.properties.values())) if has_fields(plan) else 1
