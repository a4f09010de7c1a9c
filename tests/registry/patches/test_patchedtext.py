"""What a refused patch is told to have made: each part as it was written, unless something looked into it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crdkit.meta import jsonpatch
from crdkit.meta.copying import copied
from crdkit.registry.patches import patchedtext

VIEW: Any = {"kind": "Thing", "spec": {"names": {"plural": "b", "kind": "<a>"}, "group": "g"}}


def merged(patch: str, *, typed: bool = False) -> str:
    return patchedtext.of_merge(patch.encode(), json.loads(patch), VIEW, typed=typed)


def operated(*operations: str, typed: bool = False) -> str:
    text = "[" + ",".join(operations) + "]"
    found = json.loads(text)
    return patchedtext.of_operations(text.encode(), found, copied(VIEW), jsonpatch.patched(copied(VIEW), found), typed=typed)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.0", "1.0"),
        ("1e3", "1e3"),
        ("-0.0", "-0.0"),
        ("18446744073709551616", "18446744073709551616"),
        (r'"\u00e9 é \/"', r'"\u00e9 é \/"'),
        ('"<&>\u2028"', r'"\u003c\u0026\u003e\u2028"'),
        ('{"b": 1, "a": [true, null, {"d": 1, "c": null}]}', '{"a":[true,null,{"d":1}],"b":1}'),
    ],
)
def test_a_merge_keeps_how_numbers_and_texts_were_spelled(value: str, text: str) -> None:
    patched = merged(f'{{"x": {value}}}')
    assert patched == r'{"kind":"Thing","spec":{"group":"g","names":{"kind":"\u003ca\u003e","plural":"b"}},"x":' + text + "}"


def test_a_struct_that_nothing_touched_keeps_the_order_of_its_fields() -> None:
    assert merged('{"x":1}', typed=True) == r'{"kind":"Thing","spec":{"names":{"plural":"b","kind":"\u003ca\u003e"},"group":"g"},"x":1}'
    text = r'{"kind":"Thing","spec":{"group":1,"names":{"plural":"b","kind":"\u003ca\u003e"}}}'
    assert merged('{"spec":{"group":1}}', typed=True) == text
    assert operated('{"op":"replace","path":"/spec/group","value":1}', typed=True) == text


def test_what_operations_put_somewhere_stays_as_it_was_given() -> None:
    add = '{"op":"add","path":"/spec","value":{"b": 1.50, "a": {"d": null, "c": [1e2]}}}'
    assert operated(add) == '{"kind":"Thing","spec":{"b":1.50,"a":{"d":null,"c":[1e2]}}}'
    assert operated(add, '{"op":"remove","path":"/spec/b"}') == '{"kind":"Thing","spec":{"a":{"c":[100],"d":null}}}'


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        (r'{"n":1,"f":1.5,"e":1e-7,"b":1e+21,"t":"a\u003cb","u":"é"}', True),
        (r'{"u":"é","n":1,"f":1.5, "e":1e-7,"b":1e+21, "t":"a\u003cb"}', True),
        (r'{"n":1,"f":1.50,"e":1e-7,"b":1e+21,"t":"a\u003cb","u":"é"}', False),
        (r'{"n":1,"f":1.5,"e":1e-07,"b":1e+21,"t":"a\u003cb","u":"é"}', False),
        (r'{"n":1,"f":1.5,"e":1e-7,"b":1e21,"t":"a\u003cb","u":"é"}', False),
        (r'{"n":1,"f":1.5,"e":1e-7,"b":1e+21,"t":"a<b","u":"é"}', False),
        (r'{"n":1,"f":1.5,"e":1e-7,"b":1e+21,"t":"a\u003cb","u":"\u00e9"}', False),
    ],
)
def test_tests_compare_what_clients_spell_with_what_go_writes(value: str, is_found: bool) -> None:
    view = {"x": {"n": 1, "f": 1.5, "e": 1e-7, "b": 1e21, "t": "a<b", "u": "é"}}
    assert passes(f'[{{"op":"test","path":"/x","value":{value}}}]', view) is is_found


@pytest.mark.parametrize(("value", "is_found"), [("1.0", True), ("1", False), ("1.00", False)])
def test_tests_compare_what_clients_spell_with_what_they_spelled_before(value: str, is_found: bool) -> None:
    patch = f'[{{"op":"add","path":"/x","value":[1.0]}},{{"op":"test","path":"/x/0","value":{value}}}]'
    assert passes(patch, {}) is is_found


def passes(patch: str, view: Any) -> bool:
    try:
        patchedtext.check_tests(patch.encode(), json.loads(patch), view)
    except jsonpatch.TestFailed:
        return False
    return True
