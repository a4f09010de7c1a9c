"""The bytes of answers."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta import json as go_json
from crdkit.server import durations, rendering, warnings

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_indentation_changes_nothing_but_blanks(value: object) -> None:
    compact = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    assert rendering.indent(compact).decode() == json.dumps(value, indent=2, ensure_ascii=False)


def test_numbers_stay_as_they_were_written() -> None:
    assert rendering.indent(b'{"a":1e+21,"b":[]}') == b'{\n  "a": 1e+21,\n  "b": []\n}'


async def test_compact_answers_end_in_a_line_break_and_indented_ones_do_not() -> None:
    assert await rendering.render(b"{}", "application/json", pretty=False) == b"{}\n"
    assert await rendering.render(b'{"a":1}', "application/json", pretty=True) == b'{\n  "a": 1\n}'
    assert await rendering.render(b'{"b":"yes","a":1.0}', "application/yaml", pretty=True) == b'a: 1\nb: "yes"\n'


async def test_large_answers_are_compressed() -> None:
    body = go_json.encode({"a": "x" * 200_000})
    compressed = await rendering.compress(body)
    assert gzip.decompress(compressed) == body
    assert zlib.decompressobj(31).decompress(compressed) == body


def test_warnings_are_told_once_and_quoted() -> None:
    assert warnings.header_values(["a", 'say "b\\"', "a", ""]) == ['299 - "a"', '299 - "say \\"b\\\\\\""']


def test_a_warning_with_a_line_break_cannot_be_told() -> None:
    assert warnings.header_values(["a\nb", "c"]) == ['299 - "c"']


def test_too_many_warnings_are_cut() -> None:
    values = warnings.header_values([f"{number}{'x' * 1000}" for number in range(50)])
    assert len(values) == 16
    assert {len(value) for value in values} == {len('299 - ""') + 256}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("10s", 10), ("1h30m", 5400), ("-1.5s", -1.5), ("1ns", 1e-9), ("0", 0), ("1.5h", 5400), (".5s", 0.5), ("+5s", 5)],
)
def test_durations_are_read_as_go_writes_them(text: str, seconds: float) -> None:
    assert durations.parse(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("abc", 'time: invalid duration "abc"'),
        ("5", 'time: missing unit in duration "5"'),
        ("5x", 'time: unknown unit "x" in duration "5x"'),
        ("", 'time: invalid duration ""'),
        ("-", 'time: invalid duration "-"'),
        ("9999999999999h", 'time: invalid duration "9999999999999h"'),
    ],
)
def test_what_is_no_duration_is_refused_in_gos_words(text: str, message: str) -> None:
    with pytest.raises(durations.DurationError) as refused:
        durations.parse(text)
    assert str(refused.value) == message
