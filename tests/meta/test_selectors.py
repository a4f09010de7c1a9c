"""Label and field selectors: what they select, and what is said of those that cannot be read."""

from __future__ import annotations

import pytest

from crdkit.meta import fieldselectors, labelselectors
from crdkit.meta.labelselectors import SelectorError
from crdkit.meta.version import V1_36

LABELS = {"tier": "web", "size": "3", "empty": ""}


@pytest.mark.parametrize(
    ("text", "selected"),
    [
        ("", True),
        ("tier=web", True),
        ("tier==web,size", True),
        ("tier!=web", False),
        ("nothing!=web", True),
        ("tier in (api, web)", True),
        ("tier notin (web)", False),
        ("nothing notin (web)", True),
        ("!nothing", True),
        ("!tier", False),
        ("size>2", True),
        ("size<3", False),
        ("tier>2", False),
        ("empty=", True),
        ("empty in ()", True),
        ("tier in ()", False),
    ],
)
def test_a_label_selector_selects(text: str, selected: bool) -> None:
    assert labelselectors.parse(text, V1_36).matches(LABELS) is selected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"),
        ("a in hot", "unable to parse requirement: found 'hot' expected: '('"),
        ("a in (x", "unable to parse requirement: found '', expected: ',' or ')'"),
        ("=x", "found '=', expected: !, identifier, or 'end of string'"),
        ("a=b c", "found 'c', expected: ',' or 'end of string'"),
        ("!a=b", "found '=', expected: ',' or 'end of string'"),
        ("!a in (b)", "found 'in', expected: ',' or 'end of string'"),
        ("a,", "found '', expected: identifier after ','"),
        ("a>x", "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"),
    ],
)
def test_a_broken_label_selector_is_told(text: str, message: str) -> None:
    with pytest.raises(SelectorError) as told:
        labelselectors.parse(text, V1_36)
    assert str(told.value) == message


@pytest.mark.parametrize(
    ("text", "selected"),
    [("", True), ("a=1", True), ("a==1,b!=1", True), ("a!=1", False), ("b=", True), (",,a=1,", True), (r"c=x\,y\=z", True)],
)
def test_a_field_selector_selects(text: str, selected: bool) -> None:
    fields = {"a": "1", "b": "", "c": "x,y=z"}
    assert fieldselectors.parse(text).matches(fields.__getitem__) is selected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "invalid selector: 'x'; can't understand 'x'"),
        (r"a=\b", r"invalid field selector: invalid escape sequence: \b"),
        ("a=\\", "invalid field selector: invalid escape sequence: \\"),
        ("a===1", "invalid field selector: unescaped character in value: 61"),
    ],
)
def test_a_broken_field_selector_is_told(text: str, message: str) -> None:
    with pytest.raises(SelectorError) as told:
        fieldselectors.parse(text)
    assert str(told.value) == message
