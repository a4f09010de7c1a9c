"""Sets of fields, against sets of paths."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta import json
from crdkit.ownership import elements, fieldsets

ELEMENTS = st.sampled_from(("f:a", "f:b", 'k:{"n":1}', 'k:{"n":"x"}', "v:1", 'v:"a"', "i:0"))
PATHS = st.lists(ELEMENTS, min_size=1, max_size=4).map(tuple)
PATH_SETS = st.sets(PATHS, max_size=8)


def made(paths: Any) -> Any:
    return fieldsets.of(*paths)


def read(fields: Any) -> set[Any]:
    found = list(fieldsets.paths(fields))
    assert len(found) == len(set(found))
    return set(found)


@given(PATH_SETS)
def test_a_set_holds_its_paths(paths: Any) -> None:
    assert read(made(paths)) == paths
    assert all(fieldsets.has(made(paths), path) for path in paths)


@given(PATH_SETS)
def test_a_set_is_read_as_it_was_written(paths: Any) -> None:
    written = json.encode(fieldsets.ordered(made(paths)))
    assert read(fieldsets.decode(json.decode(written))) == paths
    assert json.encode(fieldsets.ordered(fieldsets.decode(json.decode(written)))) == written


@given(PATH_SETS, PATH_SETS)
def test_sets_join_meet_and_differ_as_their_paths_do(one: Any, other: Any) -> None:
    assert read(fieldsets.union(made(one), made(other))) == one | other
    assert read(fieldsets.intersection(made(one), made(other))) == one & other
    assert read(fieldsets.difference(made(one), made(other))) == one - other


@given(PATH_SETS, PATH_SETS)
def test_a_tree_goes_with_its_root(one: Any, other: Any) -> None:
    rest = {path for path in one if not any(path[:length] in other for length in range(1, len(path) + 1))}
    assert read(fieldsets.without_trees(made(one), made(other))) == rest


@given(PATH_SETS, PATH_SETS)
def test_nobody_changes_a_set(one: Any, other: Any) -> None:
    first, second = made(one), made(other)
    before = json.encode([first, second])
    for operation in (fieldsets.union, fieldsets.intersection, fieldsets.difference, fieldsets.without_trees):
        operation(first, second)
    assert json.encode([first, second]) == before


def test_at_each_level_fields_that_end_there_come_first() -> None:
    fields = made([("f:b",), ("f:a", "f:x"), ("f:c",), ("f:c", "f:y"), ('k:{"n":10}',), ('k:{"n":9}',), ('v:"a"',), ("v:true",), ("v:3",)])
    shown = [fieldsets.shown_path(path) for path in fieldsets.paths(fields)]
    assert shown == [".b", ".c", "[n=9]", "[n=10]", "[=3]", '[="a"]', "[=true]", ".a.x", ".c.y"]


@pytest.mark.parametrize(
    ("item", "element"),
    [
        ("a", 'v:"a"'),
        ('<"\b\u2028', 'v:"\\u003c\\"\\u0008\\u2028"'),
        (1, "v:1"),
        (1.0, "v:1"),
        (2.5, "v:2.5"),
        (1e21, "v:1e+21"),
        (1e-7, "v:1e-07"),
        (True, "v:true"),
    ],
)
def test_values_are_written_as_go_writes_them(item: Any, element: str) -> None:
    assert elements.value(item) == element
    assert elements.canonical(element) == element


@pytest.mark.parametrize(
    ("element", "shown"),
    [
        ("f:a.b/c", ".a.b/c"),
        ('k:{"name":"a\\u003c","port":80}', '[name="a<",port=80]'),
        ("v:null", "[=null]"),
        ("v:1234567", "[=1.234567e+06]"),
        ('v:"a\\"b"', '[="a\\"b"]'),
        ("i:3", "[3]"),
    ],
)
def test_elements_as_errors_show_them(element: str, shown: str) -> None:
    assert elements.shown(element) == shown


@pytest.mark.parametrize("text", ["", "f", "\u00e9", "\u00e9:a"])
def test_an_element_has_a_kind_of_one_byte(text: str) -> None:
    with pytest.raises(elements.InvalidElement, match="missing colon"):
        elements.canonical(text)
