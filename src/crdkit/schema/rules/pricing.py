"""What the rules of a schema may cost, rule by rule, and which limit on lists, maps and texts would lower that most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from crdkit.cel.costs import MAX, Interval
from crdkit.cel.environment import Expression
from crdkit.cel.openapi.declared import MAX_REQUEST, Declarations
from crdkit.cel.openapi.escaping import escape
from crdkit.meta.paths import FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.keywords import KeywordChecks
from crdkit.schema.checks.places import Place
from crdkit.schema.rules.checks import Views
from crdkit.schema.rules.compiling import Compiled, NewEnvironments, Types, compile_rule
from crdkit.schema.rules.costs import EXPRESSION_LIMIT, SCHEMA_LIMIT, most_in_a_request
from crdkit.schema.rules.described import describe
from crdkit.schema.structural import Structural, build

_BYTES_OF_A_CHARACTER: Final = 4
_SIZELESS_FORMATS: Final = frozenset(("date", "date-time", "duration"))


@record
class Bound:
    """A limit that a schema has or might have: ``keyword`` at the node ``at``; ``current`` is None where there is none yet."""

    at: FieldPath
    keyword: str
    current: int | None


@record
class Remedy:
    """Limits that lower a cost, all of them set to the same number.

    ``least`` is the cost with 1 for that number; ``enough`` the largest that makes the rule fit, None if none does or it fits anyway.
    """

    bounds: tuple[Bound, ...]
    least: int
    enough: int | None


@record
class Price:
    """The cost of an expression: ``each`` time, and how ``often`` an object may need it. With ``error`` it does not compile."""

    at: FieldPath
    text: str
    each: int = 0
    often: int = 1
    error: str = ""
    remedies: tuple[Remedy, ...] = ()
    """The limit that lowers it most; where that does not do, all limits that are missing."""

    @property
    def total(self) -> int:
        return min(self.each * self.often, MAX)

    @property
    def share_of_rule(self) -> float:
        return self.total / EXPRESSION_LIMIT

    @property
    def share_of_schema(self) -> float:
        return self.total / SCHEMA_LIMIT


def price_rules(schema: JsonObject, at: FieldPath, kube: KubeVersion) -> list[Price]:
    """The prices of all rules and messages in a schema. Raises `NotStructural`."""
    views, environments = Views(), NewEnvironments(kube)
    prices: list[Price] = []
    for place in KeywordChecks(schema, at, structural=build(schema), kube=kube).places:
        view = views.of(place)
        if view is not None:
            prices += _Pricing(place, view, environments).prices()
    return prices


class _Pricing:
    """The rules of one place."""

    def __init__(self, place: Place, view: Structural, environments: NewEnvironments) -> None:
        self._place = place
        self._view = view
        self._types = Types(describe(view))
        self._environments = environments

    def prices(self) -> Iterator[Price]:
        for index, rule in enumerate(self._place.node.validations):
            at = (self._place.at / "x-kubernetes-validations").index(index)
            yield from self._rule(rule, at, compile_rule(rule, self._place.node, self._types, self._environments))

    def _rule(self, rule: JsonObject, at: FieldPath, compiled: Compiled) -> Iterator[Price]:
        if compiled.error or compiled.expression is None:
            yield Price(at / "rule", rule["rule"], error=compiled.error)
            return
        yield self._price(at / "rule", rule["rule"], compiled.expression, _Cardinality(self._place, self._types.declared.min_size))
        if compiled.message_error:
            yield Price(at / "messageExpression", rule["messageExpression"], error=compiled.message_error)
        elif compiled.message_expression is not None:
            yield self._price(at / "messageExpression", rule["messageExpression"], compiled.message_expression, None)

    def _price(self, at: FieldPath, text: str, expression: Expression, cardinality: _Cardinality | None) -> Price:
        estimate = _Estimate(expression, self._types.provider, cardinality)
        each, often = estimate.parts({})
        limits = [*self._limits(estimate.asked), *(cardinality.limits() if cardinality else ())]
        return Price(at, text, each, often, remedies=tuple(_remedies(estimate, limits)))

    def _limits(self, asked: Iterable[tuple[str, ...]]) -> Iterator[_Limit]:
        """The limits of values whose sizes an expression depends on."""
        for path in sorted(asked):
            found = _follow(self._place, self._view, path)
            if found is not None and (keyword := _keyword(found[1])) is not None:
                at, node = found
                factor = _BYTES_OF_A_CHARACTER if keyword == "maxLength" and node.format != "byte" else 1
                yield _Limit((Bound(at, keyword, _current(node, keyword)),), path, factor)


@record
class _Limit:
    """Bounds to try: those of a value under ``path``, or, without one, of lists and maps above the rule."""

    bounds: tuple[Bound, ...]
    path: tuple[str, ...] | None
    factor: int = 1


class _Estimate:
    """The cost of an expression under limits that are tried."""

    def __init__(self, expression: Expression, sizes: Declarations, cardinality: _Cardinality | None) -> None:
        self._expression = expression
        self._sizes = sizes
        self._cardinality = cardinality
        self._tried: dict[tuple[str, ...], int] = {}
        self.asked: set[tuple[str, ...]] = set()

    def size_of(self, path: tuple[str, ...]) -> Interval | None:
        """The bounds of a path, as the estimator asks for them."""
        found = self._sizes.size_of(path)
        if found is None:
            return None
        self.asked.add(path[1:])
        tried = self._tried.get(path[1:])
        return found if tried is None else Interval(0, min(found.high, tried))

    def parts(self, tried: Mapping[_Limit, int]) -> tuple[int, int]:
        """What the expression costs each time, and how often it is evaluated."""
        self._tried = {limit.path: number * limit.factor for limit, number in tried.items() if limit.path is not None}
        above = {bound.at: number for limit, number in tried.items() if limit.path is None for bound in limit.bounds}
        often = 1 if self._cardinality is None else self._cardinality.with_limits(above)
        return self._expression.estimate(self).high, often

    def cost(self, limits: Iterable[_Limit] = (), number: int = 1) -> int:
        """The cost in all, with those limits set to the number."""
        each, often = self.parts(dict.fromkeys(limits, number))
        return min(each * often, MAX)


class _Cardinality:
    """How often a place can occur, by the limits of the lists and maps above it."""

    def __init__(self, place: Place, min_size: int) -> None:
        self._unbounded = most_in_a_request(min_size)
        self._bounds = []
        while (above := place.above) is not None:
            node = above.node
            if (node.type == "object" and node.additional_properties is not None) or node.type == "array":
                keyword = "maxItems" if node.type == "array" else "maxProperties"
                self._bounds.append(Bound(above.at, keyword, _current(node, keyword)))
            place = above

    def with_limits(self, above: Mapping[FieldPath, int]) -> int:
        product = 1
        for bound in self._bounds:
            number = above.get(bound.at, bound.current)
            if number is None:
                return self._unbounded
            product = min(product * number, MAX)
        return product

    def limits(self) -> list[_Limit]:
        """One without a limit makes those of all others pointless."""
        missing = tuple(bound for bound in self._bounds if bound.current is None)
        return [_Limit(missing, None)] if missing else [_Limit((bound,), None) for bound in self._bounds]


def _remedies(estimate: _Estimate, limits: list[_Limit]) -> Iterator[Remedy]:
    now = estimate.cost()
    least = {limit: estimate.cost([limit]) for limit in limits}
    best = min(least, key=lambda limit: least[limit], default=None)
    if best is None or least[best] >= now:
        return
    yield Remedy(best.bounds, least[best], _enough(estimate, [best], now))
    if now <= EXPRESSION_LIMIT or least[best] <= EXPRESSION_LIMIT:
        return
    missing = [limit for limit in limits if any(bound.current is None for bound in limit.bounds)]
    if len(missing) > 1:
        bounds = dict.fromkeys(bound for limit in missing for bound in limit.bounds)
        yield Remedy(tuple(bounds), estimate.cost(missing), _enough(estimate, missing, now))


def _enough(estimate: _Estimate, limits: list[_Limit], now: int) -> int | None:
    """The largest number for those limits that makes a cost fit."""
    if now <= EXPRESSION_LIMIT or estimate.cost(limits) > EXPRESSION_LIMIT:
        return None
    fits, exceeds = 1, MAX_REQUEST
    while exceeds - fits > 1:
        middle = (fits + exceeds) // 2
        if estimate.cost(limits, middle) <= EXPRESSION_LIMIT:
            fits = middle
        else:
            exceeds = middle
    return fits


def _keyword(node: Structural) -> str | None:
    """What limits the size of a node's values."""
    if node.type == "array":
        return "maxItems"
    if node.type == "object":
        return "maxProperties" if node.values is not None else None
    if node.int_or_string or (node.type == "string" and node.format not in _SIZELESS_FORMATS):
        return "maxLength" if node.max_length is not None or not node.enum else None
    return None


def _current(node: Structural, keyword: str) -> int | None:
    return {"maxItems": node.max_items, "maxProperties": node.max_properties, "maxLength": node.max_length}[keyword]


def _follow(place: Place, view: Structural, path: tuple[str, ...]) -> tuple[FieldPath, Structural] | None:
    """The node under a path of the estimator's, and its place; None for what the schema does not declare itself."""
    at, own, seen = place.at, place.node, view
    for step in path:
        following = _step(at, own, seen, step)
        if following is None:
            return None
        at, own, seen = following
    return at, own


def _step(at: FieldPath, own: Structural, seen: Structural, step: str) -> tuple[FieldPath, Structural, Structural] | None:
    if step == "@items" and own.items is not None and seen.items is not None:
        return at / "items", own.items, seen.items
    if step == "@values" and own.values is not None and seen.values is not None:
        return at / "additionalProperties", own.values, seen.values
    for name, child in own.properties.items():
        if escape(name) == step and (visible := seen.properties.get(name)) is not None:
            return ((at / "properties").key(name), child, visible) if visible is child else None
    return None
