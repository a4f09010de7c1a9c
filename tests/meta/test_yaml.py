"""YAML as Kubernetes' library reads it."""

from __future__ import annotations

import json as stdlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta import yaml

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**66), 2**66) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from(["<<", "a b"]), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 010", 8),
        ("a: 0o10", 8),
        ("a: 0x1F", 31),
        ("a: 1_000", 1000),
        ("a: 1:30", "1:30"),
        ("a: 2001-01-01", "2001-01-01"),
        ("a: y", True),
        ("a: Off", False),
        ("a: ~", None),
        ("a:", None),
        ('a: "1"', "1"),
        ("a: 1.5", 1.5),
        ("a: 1e3", 1000),
        ("a: -2.0", -2),
        ("a: -0.0", 0),
        ("a: 1e16", 10**16),
        ("a: 1e18", 10**18),
        ("a: 9223372036854775808", 9223372036854775808.0),
        ("a: 1e20", 1e20),
        ("a: v1.0", "v1.0"),
        ("a: [1, x]", [1, "x"]),
        ("a: |\n  1\n", "1\n"),
        ("a: 99999999999999999999", 99999999999999999999.0),
    ],
)
def test_scalars(text: str, value: Any) -> None:
    assert repr(yaml.decode(text.encode())[0]["a"]) == repr(value)


def test_keys_are_text() -> None:
    assert yaml.decode(b"on: 1\n2: 2\n1.5: 4\n")[0] == {"true": 1, "2": 2, "1.5": 4}


@pytest.mark.parametrize(("value", "shown"), [("d", '"d"'), ("3", "3"), ("", "<nil>"), ("{a: 1}", 'map[interface {}]interface {}{"a":1}')])
def test_null_is_no_key(value: str, shown: str) -> None:
    with pytest.raises(yaml.YamlError) as refused:
        yaml.decode(f"a:\n  ~: {value}\n".encode())
    assert str(refused.value) == f"unsupported map key of type: %!s(<nil>), key: <nil>, value: {shown}"


def test_what_is_merged_in_gives_way() -> None:
    value, duplicates = yaml.decode(b"x: &a {k: 1, z: 2}\nb:\n  <<: *a\n  k: 3\n")
    assert value["b"] == {"k": 3, "z": 2}
    assert duplicates == ['line 4: key "k" already set in map']


def test_a_key_that_is_there_twice_is_told_as_what_it_stands_for() -> None:
    assert yaml.decode(b"n: 1\nno: 2\n5: 3\n5: 4\n")[1] == ["line 2: key false already set in map", "line 4: key 5 already set in map"]


def test_the_first_document_counts() -> None:
    assert yaml.decode(b"---\na: 1\n---\na: 2\n") == ({"a": 1}, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b: c", "yaml: mapping values are not allowed in this context"),
        ("a: [1, 2\n", "yaml: line 1: did not find expected ',' or ']'"),
        ("a:\n\t- b\n", "yaml: line 2: found character that cannot start any token"),
        ("? [a]\n: 1", 'yaml: invalid map key: []interface {}{"a"}'),
        ("a: .inf", "json: unsupported value: +Inf"),
        ("a: .nan", "json: unsupported value: NaN"),
        ("a: &a [*a]", "yaml: anchor 'a' value contains itself"),
    ],
)
def test_broken_text_is_told(text: str, message: str) -> None:
    with pytest.raises(yaml.YamlError) as told:
        yaml.decode(text.encode())
    assert str(told.value) == message


def test_aliases_do_not_multiply_without_bound() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 9)]
    with pytest.raises(yaml.YamlError) as told:
        yaml.decode("\n".join(lines).encode())
    assert str(told.value) == "yaml: document contains excessive aliasing"


@pytest.mark.parametrize("anchor", ["", "x: &a 1\n"])
def test_a_text_nested_deeper_than_can_be_read_is_told(anchor: str) -> None:
    with pytest.raises(yaml.YamlError, match="yaml: exceeded max depth"):
        yaml.decode(f"{anchor}y: {'[' * 1200}{']' * 1200}".encode())


WRITERS: list[Callable[[Any], str]] = [
    stdlib.dumps,
    partial(stdlib.dumps, separators=(",", ":")),
    partial(stdlib.dumps, indent=1),
    partial(stdlib.dumps, ensure_ascii=False),
]


@given(st.dictionaries(st.text(), JSON_VALUES), st.sampled_from(WRITERS), st.sampled_from(["", "\n"]))
def test_json_reads_as_the_yaml_that_it_is(value: Any, write: Callable[[Any], str], end: str) -> None:
    data = (write(value) + end).encode(errors="surrogatepass")
    assert outcome(yaml.decode, data) == outcome(yaml.read, data)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":-0,"b":-0.0,"c":1E5,"d":0.1e-400,"e":12345678901234567890}',
        r'{"a":"\/ \ud83d\ude00"}',
        r'{"a":"\ud83d"}',
        '{"a" :1}',
        '{"a"\n:1}',
        '{"a":1e999}',
        '{"a":1,"b":{"c":2,"c":3}}',
        '{"a":1}{"b":2}',
        '{"a":01}',
        '{"a":"\x7f"}',
        '{"a":1,}',
        '{"a":NaN}',
        '{"a":"x"}'.replace("a", "k" * 1020),
        '{"a":"x"}'.replace("a", "k" * 1030),
        '{"a":"x"}'.replace("a", r"\u0001" * 180),
        '{"a":[]}'.replace("[]", "[" * 998 + "]" * 998),
        '{"a":[]}'.replace("[]", "[" * 1000 + "]" * 1000),
    ],
)
def test_what_json_and_yaml_may_read_otherwise_is_read_as_yaml(text: str) -> None:
    assert outcome(yaml.decode, text.encode()) == outcome(yaml.read, text.encode())


def outcome(read: Callable[[bytes], tuple[Any, ...]], data: bytes) -> str:
    try:
        return repr(read(data)[:2])
    except yaml.YamlError as error:
        return str(error)
