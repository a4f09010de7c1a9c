"""Numbers of any length are read in time, and those beyond 64 bits stay so."""

from __future__ import annotations

import pytest

from crdkit.meta import gonumbers, json, jsonpatch, labelselectors, yaml, yamlwriter
from crdkit.meta.version import V1_36

LONG = "9" * 5000
ZEROS = "0" * 5000


@pytest.mark.parametrize("text", ["0", "-0", "+7", "007", "-9223372036854775808", "18446744073709551615", "9" * 40, f"-{'1' * 39}"])
@pytest.mark.parametrize("zeros", ["", "0" * 60])
def test_numbers_are_read(text: str, zeros: str) -> None:
    sign = text[0] if text[0] in "+-" else ""
    assert gonumbers.of_digits(sign + zeros + text.removeprefix(sign)) == int(text)


@pytest.mark.parametrize("digits", ["1" + "0" * 40, LONG])
def test_longer_ones_are_beyond_64_bits(digits: str) -> None:
    assert gonumbers.of_digits(digits) >= 2**64
    assert gonumbers.of_digits(f"+{digits}") >= 2**64
    assert gonumbers.of_digits(f"-{digits}") < -(2**64)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (LONG, LONG),
        (f"-{LONG}", f"-{LONG}"),
        ("1" * 30, float("1" * 30)),
        (f"0x{'f' * 400}", f"0x{'f' * 400}"),
        (f"0x{'f' * 16}", float(2**64 - 1)),
        (f"0b{'1' * 2000}", f"0b{'1' * 2000}"),
        (f"0o{'7' * 600}", f"0o{'7' * 600}"),
        (f"0{'7' * 30}", float("7" * 30)),
    ],
)
def test_numbers_beyond_64_bits_are_floats_or_texts_in_yaml(text: str, value: object) -> None:
    assert yaml.resolve(text) == value


def test_long_numbers_in_keys_are_written() -> None:
    assert yaml.decode(yamlwriter.encode({f"a{LONG[:900]}": 1, f"a{ZEROS[:900]}": 2}))[0] == {f"a{LONG[:900]}": 1, f"a{ZEROS[:900]}": 2}


def test_long_numbers_select_nothing() -> None:
    selector = labelselectors.parse("a>1", V1_36)
    assert not selector.matches({"a": LONG})


@pytest.mark.parametrize(
    ("token", "why"),
    [(LONG, "value out of range"), (f"-{LONG}", "value out of range"), ("1_0", "invalid syntax"), ("\u0663", "invalid syntax")],
)
def test_an_index_is_a_number_as_go_reads_it(token: str, why: str) -> None:
    with pytest.raises(jsonpatch.PatchFailed) as failed:
        jsonpatch.patched({"l": [1]}, [{"op": "add", "path": f"/l/{token}", "value": 1}])
    assert why in str(failed.value)


def test_a_text_with_a_number_too_large_is_json() -> None:
    with pytest.raises(json.NumberError) as told:
        json.decode(b'{"a":[-1e400,1,9e999]}')
    assert told.value.value == {"a": [float("-inf"), 1, float("inf")]}
    assert "number -1e400 into" in str(told.value)
