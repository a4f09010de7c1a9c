"""Records: what they are equal to, hash to and show."""

from __future__ import annotations

from dataclasses import field, replace

import pytest

from crdkit.meta.records import record


@record
class Point:
    x: int
    y: int = 0
    note: str = field(default="", compare=False, repr=False)


@record
class Nothing:
    pass


@record(frozen=False, kw_only=True)
class Counter:
    at: int


def test_equal_records_hold_equal_values() -> None:
    assert Point(1, 2, "a") == Point(1, 2, "b")
    assert Point(1, 2) != Point(2, 1)
    assert Nothing() == Nothing()


@pytest.mark.parametrize("other", [(1, 0), Nothing(), 1])
def test_a_record_differs_from_everything_else(other: object) -> None:
    assert Point(1) != other


def test_a_frozen_record_is_a_key() -> None:
    assert {Point(1, 2, "a"): "found"}[Point(1, 2, "b")] == "found"
    assert {Nothing(), Nothing()} == {Nothing()}


def test_a_record_that_changes_is_no_key() -> None:
    counter = Counter(at=1)
    counter.at += 1
    assert counter == Counter(at=2)
    with pytest.raises(TypeError, match="unhashable type: 'Counter'"):
        hash(counter)


def test_a_record_shows_what_it_holds() -> None:
    assert repr(Point(1, note="a")) == "Point(x=1, y=0)"
    assert repr(Nothing()) == "Nothing()"


def test_a_record_has_nothing_else() -> None:
    with pytest.raises(AttributeError):
        Counter(at=1).other = 2  # type: ignore[attr-defined]


def test_a_record_is_replaced_as_a_dataclass() -> None:
    assert replace(Point(1, 2), x=3) == Point(3, 2)
