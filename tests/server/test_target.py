"""Paths and queries as they stand in request lines."""

from __future__ import annotations

import pytest

from crdkit.server import target


def test_escapes_of_a_path_are_decoded() -> None:
    assert target.split(b"/a%2Fb/%C3%A9?x=%31")[0] == "/a/b/é"


def test_a_broken_escape_in_a_path_is_refused() -> None:
    with pytest.raises(target.MalformedTarget):
        target.split(b"/kites/%zz")


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("a=1&a=2&b", {"a": ["1", "2"], "b": [""]}),
        ("a=%zz&b=2", {"b": ["2"]}),
        ("a=1;b=2&c=3", {"c": ["3"]}),
        ("a=x+y%20z", {"a": ["x y z"]}),
        ("", {}),
    ],
)
def test_what_cannot_be_read_in_a_query_is_ignored(query: str, values: dict[str, list[str]]) -> None:
    parsed = target.parse_query(query)
    assert {name: list(parsed.all(name)) for name in parsed} == values


def test_a_target_in_absolute_form_is_read_by_its_path() -> None:
    path, query = target.split(b"http://example.com/apis?x=1")
    assert (path, query.first("x")) == ("/apis", "1")
