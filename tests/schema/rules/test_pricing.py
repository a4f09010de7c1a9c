from __future__ import annotations

from crdkit.meta.paths import ROOT
from crdkit.meta.version import V1_36
from crdkit.schema.rules.pricing import Price, price_rules
from tests.schema.rules.ruled import Schema, rooted, ruled, told

TEXT = {"type": "string"}


def prices(schema: Schema) -> list[Price]:
    return price_rules(schema, ROOT / "S", V1_36)


def remedies(price: Price) -> list[tuple[list[str], int | None]]:
    return [([f"{bound.at} {bound.keyword}" for bound in remedy.bounds], remedy.enough) for remedy in price.remedies]


def test_a_rule_costs_what_it_costs_each_time_as_often_as_it_can_be_needed() -> None:
    (price,) = prices(rooted(v={"type": "array", "maxItems": 7, "items": ruled({"type": "integer"}, "self > 1")}))
    assert (price.each, price.often, price.total) == (2, 7, 14)
    assert str(price.at) == "S.properties[spec].properties[v].items.x-kubernetes-validations[0].rule"


def test_the_limit_that_is_missing_is_named_with_the_number_that_would_do() -> None:
    def schema(limit: int | None = None) -> Schema:
        items = ruled({"type": "string", "maxLength": 100}, "self.contains('xyz')")
        return rooted(v={"type": "array", "items": items} | ({"maxItems": limit} if limit else {}))

    (price,) = prices(schema())
    ((bounds, enough),) = remedies(price)
    assert bounds == ["S.properties[spec].properties[v] maxItems"]
    assert enough is not None
    assert told(schema(enough)) == []
    assert told(schema(enough + 1)) != []


def test_limits_of_what_a_rule_looks_at_count_too() -> None:
    def schema(limit: int | None = None) -> Schema:
        text = TEXT | ({"maxLength": limit} if limit else {})
        items = {"type": "object", "properties": {"a": text}}
        return rooted(v=ruled({"type": "array", "maxItems": 100, "items": items}, "self.all(x, self.exists(y, x.a == y.a))"))

    (price,) = prices(schema())
    bounds, enough = remedies(price)[0]
    assert bounds == ["S.properties[spec].properties[v].items.properties[a] maxLength"] or enough is not None
    if "maxLength" in bounds[0]:
        assert enough is not None
        assert told(schema(enough)) == []
        assert told(schema(enough + 1)) != []


def test_where_no_single_limit_does_all_missing_ones_are_tried_together() -> None:
    inner = {"type": "array", "items": {"type": "array", "items": ruled(TEXT, "self.matches('^a+$')")}}
    (price,) = prices(rooted(v=inner, w=TEXT))
    assert [len(remedy.bounds) for remedy in price.remedies] == [2]
    (rule,) = prices(
        rooted(
            v=ruled(
                {"type": "array", "items": {"type": "array", "items": TEXT}}, "self.all(x, x.all(y, self.exists(z, z.exists(q, q == y))))"
            )
        )
    )
    alone, together = rule.remedies
    assert alone.enough is None
    assert together.enough is not None


def test_a_rule_that_does_not_compile_has_an_error_for_a_price() -> None:
    (price,) = prices(rooted(v=ruled(TEXT, "self")))
    assert (price.error, price.total) == ("cel expression must evaluate to a bool", 0)
