from __future__ import annotations

import pytest

from crdkit.cel.errors import EvaluationError
from crdkit.cel.openapi.declared import Declared, declare
from crdkit.cel.openapi.escaping import escape, unescape
from crdkit.cel.openapi.formats import read_bytes, read_date, read_date_time, read_duration
from crdkit.cel.values import Duration, Timestamp
from crdkit.meta.version import V1_33, V1_36
from tests.cel.language import Rule


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("a", "a"),
        ("a-b", "a__dash__b"),
        ("a.b/c", "a__dot__b__slash__c"),
        ("a__b", "a__underscores__b"),
        ("namespace", "__namespace__"),
        ("_a", "_a"),
        ("1a", None),
        ("", None),
        ("a b", None),
        ("é", None),
    ],
)
def test_names_as_identifiers(name: str, identifier: str | None) -> None:
    assert escape(name) == identifier
    if identifier is not None:
        assert unescape(identifier) == name


def test_identifiers_that_stand_for_nothing() -> None:
    assert unescape("a__zz__b") is None
    assert unescape("a__in__") is None
    assert unescape("a-b") == "a-b"


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (read_date, "2024-02-29", Timestamp(1709164800 * 10**9)),
        (read_date_time, "2024-02-29T00:00:00Z", Timestamp(1709164800 * 10**9)),
        (read_date_time, "2024-02-29T05:30:00+05:30", Timestamp(1709164800 * 10**9)),
        (read_date_time, "2024-02-29T00:00:00", Timestamp(1709164800 * 10**9)),
        (read_date_time, "", Timestamp(0)),
        (read_duration, "1h30m", Duration(5400 * 10**9)),
        (read_duration, "1w2d", Duration(777600 * 10**9)),
        (read_duration, "2 hours", Duration(7200 * 10**9)),
        (read_bytes, "aGk=", b"hi"),
    ],
)
def test_formats(read: object, text: str, value: object) -> None:
    assert callable(read)
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (
            read_date,
            "2024-2-1",
            'Invalid date formatted string 2024-2-1: parsing time "2024-2-1" as "2006-01-02": cannot parse "2-1" as "01"',
        ),
        (read_date, "2024-13-01", 'Invalid date formatted string 2024-13-01: parsing time "2024-13-01": month out of range'),
        (
            read_date_time,
            "2024-02-29",
            'Invalid date-time formatted string 2024-02-29: parsing time "2024-02-29" as "2006-01-02T15:04:05": cannot parse "" as "T"',
        ),
        (read_duration, "5", "Invalid duration 5: unable to parse 5 as duration"),
        (read_bytes, "!!", "Invalid byte formatted string !!: illegal base64 data at input byte 0"),
    ],
)
def test_texts_that_are_not_of_the_format(read: object, text: str, message: str) -> None:
    assert callable(read)
    with pytest.raises(EvaluationError) as failed:
        read(text)
    assert str(failed.value) == message


def declared(schema: dict[str, object], *, resource: bool = False) -> Declared:
    found = declare(schema, "Item", resource=resource)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("schema", "type_", "elements", "size"),
    [
        ({"type": "string"}, "string", 3145726, 2),
        ({"type": "string", "maxLength": 5}, "string", 20, 2),
        ({"type": "string", "enum": ["a", "abc"]}, "string", 3, 2),
        ({"type": "string", "format": "byte", "maxLength": 5}, "bytes", 5, 2),
        ({"type": "string", "format": "date"}, "timestamp", 12, 12),
        ({"type": "string", "format": "date-time"}, "timestamp", 32, 21),
        ({"type": "string", "format": "duration", "maxLength": 1}, "duration", 32, 3),
        ({"type": "integer"}, "int", 0, 1),
        ({"type": "number"}, "double", 0, 1),
        ({"type": "boolean"}, "bool", 0, 4),
        ({"x-kubernetes-int-or-string": True}, "dyn", 3145726, 1),
        ({"type": "array", "items": {"type": "string"}}, "list(string)", 1048575, 2),
        ({"type": "array", "maxItems": 7, "items": {"type": "integer"}}, "list(int)", 7, 2),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "map(string, int)", 449389, 2),
        ({"type": "object", "properties": {"ab": {"type": "integer"}}, "required": ["ab"]}, "Item", 0, 9),
    ],
)
def test_declared_types_and_sizes(schema: dict[str, object], type_: str, elements: int, size: int) -> None:
    found = declared(schema)
    assert (str(found.type), found.max_elements, found.min_size) == (type_, elements, size)


@pytest.mark.parametrize("schema", [{}, {"type": "array"}, {"x-kubernetes-preserve-unknown-fields": True}, {"type": "array", "items": {}}])
def test_what_rules_cannot_see_has_no_type(schema: dict[str, object]) -> None:
    assert declare(schema, "Item") is None


def test_resources_have_kind_and_a_little_metadata() -> None:
    found = declared(
        {"type": "object", "properties": {"metadata": {"type": "object", "properties": {"labels": {"type": "object"}}}}}, resource=True
    )
    assert sorted(found.fields) == ["apiVersion", "kind", "metadata"]
    assert sorted(found.fields["metadata"].fields) == ["generateName", "name"]


ANY = {
    "type": "object",
    "properties": {
        "s": {"type": "string"},
        "i": {"type": "integer"},
        "n": {"type": "number", "nullable": True},
        "ios": {"x-kubernetes-int-or-string": True},
        "raw": {"x-kubernetes-preserve-unknown-fields": True},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "map": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}},
        },
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


@pytest.mark.parametrize(
    ("text", "raw", "value"),
    [
        ("self.n == 2.0", {"n": 2}, True),
        ("has(self.n)", {"n": None}, False),
        ("type(self.ios) == int", {"ios": 1}, True),
        ("type(self.ios) == string", {"ios": "1"}, True),
        ("self.set == ['b', 'a']", {"set": ["a", "b"]}, True),
        ("['b', 'a'] == self.set", {"set": ["a", "b"]}, False),
        ("size(self.set + ['a', 'c'])", {"set": ["a", "b"]}, 3),
        ("self.set + ['c'] == ['c', 'b', 'a']", {"set": ["a", "b"]}, True),
        ("self.map == self.map + self.map", {"map": [{"k": "a", "v": 1}, {"k": "b", "v": 2}]}, True),
        ("'a' in self.m && self.m['a'] == 'x' && self.m.a == 'x'", {"m": {"a": "x"}}, True),
        ("self.m.all(k, k == 'a-b')", {"m": {"a-b": ""}}, True),
        ("dyn(self).size()", {"s": "", "zz": 1}, 2),
        ("dyn(self)['s'] == ''", {"s": ""}, True),
        ("self == self", {"s": "", "zz": 1}, True),
    ],
)
def test_data(text: str, raw: object, value: object) -> None:
    assert Rule(ANY, text).value(raw) == value


@pytest.mark.parametrize(
    ("text", "raw", "message"),
    [
        ("self.s", {"s": 1}, "invalid data, expected string, got int64"),
        ("self.s", {"s": {}}, "invalid data, expected string, got map[string]interface {}"),
        ("self.s", {"s": None}, "no such key: s"),
        ("self.i", {"i": 1.0}, "invalid data, expected int, got float64"),
        ("self.n", {"n": "x"}, "invalid data, expected float, got string"),
        ("self.ios", {"ios": True}, "invalid data, expected XIntOrString value to be either a string or integer"),
        ("self.set", {"set": {}}, "invalid data, expected an array for the provided schema with type=array"),
        ("self.m", {"m": []}, "invalid data, expected a map for the provided schema with type=object"),
        ("self.set[0]", {"set": [None]}, "invalid data, got null for schema with nullable=false"),
        ("self.set[0]", {"set": []}, "index out of bounds: 0"),
        ("self.m.b", {"m": {}}, "no such key: b"),
        ("dyn(self)[1]", {}, "no such overload"),
    ],
)
def test_data_that_does_not_fit_fails_where_it_is_looked_at(text: str, raw: object, message: str) -> None:
    assert Rule(ANY, text).failure(raw) == message


def test_an_object_with_a_null_property_differed_from_itself_once() -> None:
    assert Rule(ANY, "self == self", V1_36).value({"n": None}) is True
    assert Rule(ANY, "self == self", V1_33).value({"n": None}) is False
