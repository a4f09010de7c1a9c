"""The rules of a definition's schema: whether they compile, and what they may cost. Implements the seam of `schema.checks`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final

from crdkit.cel.costs import MAX
from crdkit.cel.openapi.escaping import escape
from crdkit.meta.errors import FieldError, forbidden, internal, invalid
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.places import NOTHING_KNOWN, KnownRules, Place, Step
from crdkit.schema.gotypes import rule_struct
from crdkit.schema.rules.compiling import Compiled, NewEnvironments, Types, compile_rule, types_of
from crdkit.schema.rules.costs import EXPRESSION_LIMIT, TotalCost, cardinality, exceeding, most_in_a_request
from crdkit.schema.rules.described import as_resource, describe, is_visible
from crdkit.schema.rules.ruleset import BUDGET, SchemaRules
from crdkit.schema.structural import Structural

_NO_TYPES: Final = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: "
    "unable to convert structural schema to CEL declarations"
)
_NO_ITEMS: Final = "failed to convert to declType for CEL validation rules"
_NO_COMPILER: Final = f"rule compiler initialization error: {_NO_ITEMS}"
_RULES: Final = "x-kubernetes-validations"


class DefinitionRules:
    """Checks the rules of one schema. ``judge_costs`` tells whether single expressions may be too dear."""

    def __init__(self, kube: KubeVersion, known: KnownRules = NOTHING_KNOWN, *, judge_costs: bool = True) -> None:
        self._kube = kube
        self._environments = NewEnvironments(kube, known)
        self._judge_costs = judge_costs
        self._views = Views()
        self._budget = BUDGET
        self.total = TotalCost()

    def compile(self, places: Sequence[Place]) -> list[FieldError]:
        """All that is wrong with the rules at these places."""
        errors: list[FieldError] = []
        for place in places:
            errors += self._compile_place(place)
        return errors + (self.total.errors(_root(places[0]).at) if places else [])

    def _compile_place(self, place: Place) -> list[FieldError]:
        view = self._views.of(place)
        if view is None:
            return [internal(place.at / _RULES, _NO_TYPES)]
        if _is_item_of_no_list(place):
            return [internal(place.at / _RULES, _NO_ITEMS)]
        types = types_of(describe(view))
        often = cardinality(place)
        if often is None:
            often = most_in_a_request(types.declared.min_size)
        errors: list[FieldError] = []
        for index, rule in enumerate(place.node.validations):
            judged = _Judged(rule, compile_rule(rule, place.node, types, self._environments), (place.at / _RULES).index(index))
            errors += self._check_rule(judged, place, types, often)
        return errors

    def _check_rule(self, judged: _Judged, place: Place, types: Types, often: int) -> list[FieldError]:
        compiled, rule, errors = judged.compiled, judged.rule, judged.errors
        cost = 0
        if compiled.program is not None and compiled.expression is not None:
            cost = min(compiled.expression.estimate(types.provider).high * often, MAX)
        self._count(judged, "rule", "estimated rule cost", cost)
        if compiled.error:
            errors.append(invalid(judged.at / "rule", rule_struct(rule), compiled.error))
        if compiled.message_error:
            errors.append(invalid(judged.at / "messageExpression", rule_struct(rule), compiled.message_error))
        elif compiled.message_expression is not None:
            cost = compiled.message_expression.estimate(types.provider).high
            self._count(judged, "messageExpression", "estimated messageExpression cost", cost)
        self._check_old_self(judged, place)
        return errors

    def _count(self, judged: _Judged, name: str, what: str, cost: int) -> None:
        if self._judge_costs and cost > EXPRESSION_LIMIT:
            judged.errors.append(forbidden(judged.at / name, exceeding(what, cost, EXPRESSION_LIMIT)))
        self.total.add(judged.at / name, cost)

    def _check_old_self(self, judged: _Judged, place: Place) -> None:
        rule, errors = judged.rule, judged.errors
        if judged.compiled.uses_old_self:
            if place.uncorrelatable is not None:
                detail = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {place.uncorrelatable}"
                errors.append(invalid(judged.at / "rule", rule["rule"], detail))
        elif (optional := rule.get("optionalOldSelf")) is not None:
            errors.append(invalid(judged.at / "optionalOldSelf", optional, "may not be set if oldSelf is not used in rule"))

    def run_on_default(self, node: Structural, default: Json, at: FieldPath, *, is_root: bool) -> list[FieldError]:
        """What the rules at and below a node say of its default."""
        if node.validations and not is_visible(node):
            return [invalid(at, node.type, _NO_COMPILER)]
        rules = SchemaRules.of(node, self._kube, is_root=is_root)
        if rules is None or self._budget < 0:
            return []
        outcome = rules.examine(default, default, at, budget=self._budget)
        budget = outcome.budget
        if not outcome.errors:
            outcome = rules.examine(default, None, at, budget=self._budget)
        self._budget = min(budget, outcome.budget)
        return outcome.errors


@record(frozen=False)
class _Judged:
    """A rule, what became of it, its place, and what is wrong with it."""

    rule: JsonObject
    compiled: Compiled
    at: FieldPath
    errors: list[FieldError] = field(default_factory=list)


class Views:
    """What rules see at each place: its node, with what every resource has."""

    def __init__(self) -> None:
        self._views: dict[int, Structural | None] = {}

    def of(self, place: Place) -> Structural | None:
        """The node that the types of a place are declared from; None where they are unknown."""
        if id(place) not in self._views:
            self._views[id(place)] = self._find(place)
        return self._views[id(place)]

    def _find(self, place: Place) -> Structural | None:
        above = place.above
        if above is not None and _has_rules_around(above):
            view = self.of(above)
            if view is None:
                return None
            if (seen := _step(view, place)) is not None and is_visible(seen):
                return as_resource(seen)
        return as_resource(place.node, is_root=above is None) if is_visible(place.node) else None


def _has_rules_around(place: Place) -> bool:
    return bool(place.node.validations) or (place.above is not None and _has_rules_around(place.above))


def _is_item_of_no_list(place: Place) -> bool:
    """Whether a node is declared as the items of what is no list, and rules above have nothing to see there."""
    above = place.above
    if place.step is not Step.ITEMS or above is None or not _has_rules_around(above):
        return False
    return above.node.type != "array" and above.node.values is None


def _step(view: Structural, place: Place) -> Structural | None:
    """What rules above see at a place; None for a property whose name cannot be written in a rule."""
    if place.step is Step.ITEMS:
        return view.items
    if place.step is Step.VALUES:
        return view.values
    name = place.at.part[1:-1]
    return None if escape(name) is None else view.properties.get(name)


def _root(place: Place) -> Place:
    return place if place.above is None else _root(place.above)
