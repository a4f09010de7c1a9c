"""What a JSON patch gives twice, and where it stands then."""

from __future__ import annotations

import pytest

from crdkit.meta import json, jsonpatch
from crdkit.registry.patches.repetition import repeated

DOCUMENT = b'{"spec":{"bag":{"x":"1"},"list":[{"n":1}],"a/b":{}}}'


@pytest.mark.parametrize(
    ("patch", "told"),
    [
        (b'[{"op":"add","path":"/spec/bag","value":{"a":"1","a":"2"}}]', ['duplicate field "spec.bag.a"']),
        (b'[{"op":"replace","path":"/spec/bag/x","value":{"b":[{"c":1,"c":2}]}}]', ['duplicate field "spec.bag.x.b[0].c"']),
        (b'[{"op":"add","path":"/spec/list/-","value":{"a":1,"a":1}}]', ['duplicate field "spec.list[1].a"']),
        (b'[{"op":"replace","path":"/spec/list/-1","value":{"a":1,"a":1}}]', ['duplicate field "spec.list[0].a"']),
        (b'[{"op":"add","path":"/spec/a~1b","value":{"t~":1,"t~":2}}]', ['duplicate field "spec.a/b.t~"']),
        (b'[{"op":"replace","path":"","value":{"a":1,"a":2}}]', ['duplicate field "a"']),
    ],
)
def test_what_is_twice_in_a_value_is_twice_in_the_document(patch: bytes, told: list[str]) -> None:
    assert _repeated(patch) == told


@pytest.mark.parametrize(
    "patch",
    [
        b'[{"op":"add","path":"/spec/bag","value":{"a":"1","a":"2"}},{"op":"remove","path":"/spec/bag"}]',
        b'[{"op":"add","path":"/spec/bag","value":{"a":"1","a":"2"}},{"op":"add","path":"/spec/bag/c","value":"3"}]',
        b'[{"op":"test","path":"/spec/bag","value":{"x":"2","x":"1"}}]',
        b'[{"op":"add","path":"/spec/bag","path":"/spec/other","value":{"a":"1"}}]',
    ],
)
def test_what_did_not_stay_as_it_was_given_is_not_told_again(patch: bytes) -> None:
    assert _repeated(patch) == []


def _repeated(patch: bytes) -> list[str]:
    operations, duplicates = json.decode_strict(patch)
    document = jsonpatch.patched(json.decode(DOCUMENT), operations)
    return repeated(document, operations, duplicates)
