"""Long bodies are read in worker threads, and only once."""

from __future__ import annotations

import pytest

from crdkit.meta.json import JsonError
from crdkit.meta.offload import SMALL_JSON, SMALL_YAML
from crdkit.registry import bodies
from crdkit.registry.patchtypes import APPLY_PATCH, JSON_PATCH, MERGE_PATCH
from crdkit.registry.request import Request

LONG = '"' + "x" * SMALL_JSON + '"'


def patch(text: str, content_type: str = MERGE_PATCH) -> Request:
    return Request("patch", "example.com", "v1", "kites", content_type=content_type, body=text.encode())


async def test_a_long_patch_is_read_ahead_and_handed_out_once() -> None:
    request = patch(f'{{"a": 1, "a": 2, "b": {LONG}}}')
    await bodies.read_ahead(request)
    ahead = request.ahead
    value, duplicates = bodies.patch_value(request, strict=True)
    assert value is ahead[0]
    assert (value["a"], duplicates) == (2, ['duplicate field "a"'])
    again, none = bodies.patch_value(request, strict=False)
    assert (again, none) == (value, [])
    assert again is not value


async def test_what_is_wrong_with_a_long_patch_is_told_by_whoever_reads_it() -> None:
    request = patch(f"[{LONG}", JSON_PATCH)
    await bodies.read_ahead(request)
    with pytest.raises(JsonError) as refused:
        bodies.patch_value(request, strict=True)
    assert str(refused.value) == "unexpected end of JSON input"


async def test_an_applied_patch_is_read_as_yaml() -> None:
    request = patch(f"a: 1\na: 2\nb: {'x' * SMALL_YAML}", APPLY_PATCH)
    await bodies.read_ahead(request)
    assert request.ahead is not None
    value, duplicates = bodies.patch_value(request, strict=True)
    assert (value["a"], len(duplicates)) == (2, 1)


async def test_a_short_patch_is_not_read_ahead() -> None:
    request = patch('{"a": 1}')
    await bodies.read_ahead(request)
    assert request.ahead is None
    assert bodies.patch_value(request, strict=True) == ({"a": 1}, [])


LARGE = ("1e400", "9" * 400, "9" * 5000)


@pytest.mark.parametrize("number", LARGE)
@pytest.mark.parametrize("after", ["", ',"y":"\xff"', f',"y":{"[" * 900}{"]" * 900}', ',"y":1e999'])
def test_a_number_beyond_all_types_hides_no_kind(number: str, after: str) -> None:
    body = f'{{"kind":"Kite","apiVersion":"example.com/v1","x":{number}{after}}}'.encode("latin-1")
    with pytest.raises(bodies.Unfit) as refused:
        bodies.parse(Request("create", "example.com", "v1", "kites", body=body), strict=True)
    assert str(refused.value) == f"json: cannot unmarshal number {number} into Go value of type float64"
    assert (refused.value.kind, refused.value.api_version) == ("Kite", "example.com/v1")


@pytest.mark.parametrize("number", LARGE)
@pytest.mark.parametrize(
    ("after", "why"),
    [
        (",", "unexpected end of JSON input"),
        ("} z", "invalid character 'z' after top-level value"),
        (',"y":tru}', "invalid character '}' in literal true (expecting 'e')"),
    ],
)
def test_what_is_no_json_is_told_before_numbers_beyond_all_types(number: str, after: str, why: str) -> None:
    body = f'{{"kind":"Kite","apiVersion":"example.com/v1","x":{number}{after}'.encode()
    with pytest.raises(bodies.Unreadable) as refused:
        bodies.parse(Request("create", "example.com", "v1", "kites", body=body), strict=True)
    assert str(refused.value) == f"couldn't get version/kind; json parse error: {why}"
