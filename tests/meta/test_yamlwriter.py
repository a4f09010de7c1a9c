"""YAML as Kubernetes writes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta import yaml, yamlwriter

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not x.is_integer())
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(VALUES)
def test_what_is_written_is_read_again(value: object) -> None:
    assert yaml.decode(yamlwriter.encode(value))[0] == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1, 1.5, {"x": None}]}, "a:\n- 1\n- 1.5\n- x: null\nb: 1\n"),
        ({"on": "yes", "n": "1"}, '"n": "1"\n"on": "yes"\n'),
        ({"t": "2024-01-02T03:04:05Z", "b": "1:30"}, 'b: "1:30"\nt: "2024-01-02T03:04:05Z"\n'),
        ({"text": "a: b\n# c"}, "text: |-\n  a: b\n  # c\n"),
        ({"a10": 1, "a9": 2}, "a9: 2\na10: 1\n"),
        ({"big": 1500000.5, "whole": 1.0}, "big: 1.5000005e+06\nwhole: 1\n"),
        ({"empty": {}, "none": [], "text": ""}, 'empty: {}\nnone: []\ntext: ""\n'),
        ("plain", "plain\n"),
    ],
)
def test_text_is_quoted_only_where_it_would_be_read_otherwise(value: object, text: str) -> None:
    assert yamlwriter.encode(value).decode() == text


def test_long_text_is_folded() -> None:
    message = 'Invalid value: "string": spec.lines in body must be of type integer: "string"'
    assert yamlwriter.encode({"details": {"causes": [{"message": message}]}}).decode() == (
        'details:\n  causes:\n  - message: \'Invalid value: "string": spec.lines in body must be of type integer:\n      "string"\'\n'
    )
