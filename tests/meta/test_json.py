"""Decoding and encoding as Go does, held to a slow reader and to texts whose answers are known."""

from __future__ import annotations

import json as stdlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta import json, jsonscanner
from crdkit.meta.nesting import MOST_LEVELS, TooDeep

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


def same(left: Any, right: Any) -> bool:
    """Equal, and integers are integers: 1 and 1.0 differ."""
    return repr(left) == repr(right)


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_every_way_of_reading_agrees_with_the_slow_one(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = stdlib.dumps(value, indent=indent, ensure_ascii=ascii_only)
    slow, duplicates = jsonscanner.scan(text)
    assert duplicates == []
    assert same(json.decode(text.encode()), slow)
    assert same(json.decode_strict(text.encode())[0], slow)


@given(st.binary(max_size=40) | st.text(st.sampled_from('{}[]",:0123456789.eE-+truefalsn\\u \n'), max_size=30).map(str.encode))
def test_any_bytes_are_read_alike_or_refused_with_the_same_words(data: bytes) -> None:
    def outcome(read: Any) -> str:
        try:
            return repr(read())
        except json.JsonError as error:
            return str(error)

    text = data.decode("utf-8", "crdkit.go")
    assert outcome(lambda: json.decode(data)) == outcome(lambda: jsonscanner.scan(text)[0])
    assert outcome(lambda: json.decode_strict(data)) == outcome(lambda: jsonscanner.scan(text))


@given(VALUES)
def test_what_is_written_reads_back_as_the_same_numbers(value: Any) -> None:
    again = json.decode(json.encode(json.decode(stdlib.dumps(value).encode())))
    assert stdlib.loads(stdlib.dumps(again)) == json.decode(json.encode(again))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "unexpected end of JSON input"),
        (b"{", "unexpected end of JSON input"),
        (b"nul", "invalid character ' ' in literal null (expecting 'l')"),
        (b"[-", "invalid character ' ' in numeric literal"),
        (b"1e", "invalid character ' ' in numeric literal"),
        (b'"\\', "invalid character ' ' in string escape code"),
        (b'"\\u12', "invalid character ' ' in \\u hexadecimal character escape"),
        (b'"a', "unexpected end of JSON input"),
        (b"[1", "unexpected end of JSON input"),
        (b"[1,]", "invalid character ']' looking for beginning of value"),
        (b'{"a" 1}', "invalid character '1' after object key"),
        (b'{"a":1 "b"', "invalid character '\"' after object key:value pair"),
        (b"{a:1}", "invalid character 'a' looking for beginning of object key string"),
        (b"[1 2]", "invalid character '2' after array element"),
        (b"1 x", "invalid character 'x' after top-level value"),
        (b"nul!", "invalid character '!' in literal null (expecting 'l')"),
        (b"'a'", "invalid character '\\'' looking for beginning of value"),
        (b"-x", "invalid character 'x' in numeric literal"),
        (b"1.x", "invalid character 'x' in numeric literal"),
        (b"1ex", "invalid character 'x' in numeric literal"),
        (b'"\\x"', "invalid character 'x' in string escape code"),
        (b'"\\u12x"', "invalid character 'x' in \\u hexadecimal character escape"),
        (b'"a\nb"', "invalid character '\\n' in string literal"),
        (b"1e309", "json: cannot unmarshal number 1e309 into Go value of type float64"),
        (b"[" * 1_025, "exceeded max depth"),
    ],
)
def test_broken_text_is_told_in_the_words_of_go(text: bytes, message: str) -> None:
    with pytest.raises(json.JsonError) as told:
        json.decode(text)
    assert str(told.value) == message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"9223372036854775807", 9223372036854775807),
        (b"9223372036854775808", 9223372036854775808.0),
        (b"-9223372036854775808", -9223372036854775808),
        (b"1.0", 1.0),
        (b"1e2", 100.0),
        (b"1e-400", 0.0),
        (b'"\xff\xfe"', "\ufffd\ufffd"),
        (b'"\\ud800"', "\ufffd"),
        (b'"\\udc00\\ud83d\\ude00"', "\ufffd\U0001f600"),
    ],
)
def test_values_read_as_in_go(text: bytes, value: Any) -> None:
    assert same(json.decode(text), value)


def test_duplicates_are_told_in_order_once_and_the_last_one_wins() -> None:
    value, duplicates = json.decode_strict(b'{"a":1,"l":[{"x":1,"x":2,"x":3}],"a":{"b":1}}')
    assert value == {"a": {"b": 1}, "l": [{"x": 3}]}
    assert duplicates == ['duplicate field "l[0].x"', 'duplicate field "a"']


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": 1.0}, b'{"a":1}'),
        ([1e16, 1e21, 1e-7, 1.5], b"[10000000000000000,1e+21,1e-7,1.5]"),
        (-0.0, b"-0"),
        ("1.0, 1e5", b'"1.0, 1e5"'),
    ],
)
def test_numbers_are_written_as_go_writes_them(value: Any, text: bytes) -> None:
    assert json.encode(value) == text


def test_as_many_levels_as_may_be_are_read_and_written() -> None:
    text = b"[" * MOST_LEVELS + b"]" * MOST_LEVELS
    assert json.encode(json.decode(text)) == text


def test_a_value_that_nests_deeper_is_not_written() -> None:
    deepest = json.decode(b"[" * MOST_LEVELS + b"]" * MOST_LEVELS)
    with pytest.raises(TooDeep, match="nests deeper than 1024 levels"):
        json.encode([deepest])


_UNIQUE = st.dictionaries(
    st.sampled_from(["a", "b:", ':"', ":", '"', "\\", "<"]), st.sampled_from([1, ":", '":', '\\":', "<:>", 10**18, 2**63, -0.0])
)
_SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : "), (",\n\t", ":\r\n ")])


def _escaped(text: str, escapes: set[str]) -> str:
    """The text of a string, in which some characters are told by their numbers."""
    return (
        '"'
        + "".join(f"\\u{ord(char):04{'x' if char < 'a' else 'X'}}" if char in escapes else stdlib.dumps(char)[1:-1] for char in text)
        + '"'
    )


@given(
    st.lists(_UNIQUE, min_size=1, max_size=3),
    _SEPARATORS,
    st.sets(st.sampled_from([":", '"', "\\", "<", "a"])),
    st.sampled_from(["", "\n", " \n"]),
)
def test_fields_given_twice_are_told_in_whatever_form_they_are_written(
    objects: list[dict[str, Any]], separators: tuple[str, str], escapes: set[str], end: str
) -> None:
    """Each object's fields follow those of the one before, in the same object."""
    comma, colon = separators
    fields = [
        _escaped(name, escapes) + colon + (_escaped(value, escapes) if isinstance(value, str) else stdlib.dumps(value))
        for each in objects
        for name, value in each.items()
    ]
    text = '{"l":[{' + comma.join(fields) + "}]}" + end
    value, duplicates = json.decode_strict(text.encode())
    slow, told = jsonscanner.scan(text)
    assert duplicates == told
    assert same(value, slow)


@pytest.mark.parametrize("digits", ["9223372036854775808", "18446744073709551615", "9" * 19, "1" + "0" * 19, "-" + "9" * 19, "9" * 30])
@pytest.mark.parametrize("shift", range(5))
def test_long_numbers_are_found_wherever_they_stand(digits: str, shift: int) -> None:
    text = f'{{"{"x" * shift}":[{digits},"2026-01-31T12:00:00Z"]}}'
    assert same(json.decode(text.encode()), jsonscanner.scan(text)[0])
    assert same(json.decode_strict(text.encode()), jsonscanner.scan(text))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (b'{"a":-0,"b":[-0,-0],"c":-0}', b'{"a":0,"b":[0,0],"c":0}'),
        (b"-0", b"0"),
        (b'[-0.5,1e-7,-1,"-0,","\\"-0,",-0]', b'[-0.5,1e-7,-1,"-0,","\\"-0,",0]'),
        (b'{"-0":10}', b'{"-0":10}'),
    ],
)
def test_negative_zeros_lose_their_sign_when_they_are_read_again(text: bytes, read: bytes) -> None:
    assert json.unsigned_zeros(text) == read
