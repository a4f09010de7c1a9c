"""Random specs of one schema that has everything: named and free fields, maps, sets, map lists, values that are one."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.ownership.stories import FREE, INTEGER, TEXT, obj

ITEM: Any = obj(port=INTEGER, proto={"type": "string", "default": "TCP"}, note=TEXT, more=obj(a=TEXT, b=TEXT))
EVERYTHING: Any = obj(
    size=INTEGER,
    color={"type": "string", "nullable": True},
    nested=obj(a=TEXT, deep=obj(x=INTEGER, y=INTEGER)),
    bag={"type": "object", "additionalProperties": TEXT},
    things={"type": "object", "additionalProperties": obj(a=TEXT, b=TEXT)},
    whole={"type": "object", "additionalProperties": TEXT, "x-kubernetes-map-type": "atomic"},
    order={"type": "array", "items": TEXT},
    tags={"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
    listeners={"type": "array", "items": ITEM, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "proto"]},
    either={"x-kubernetes-int-or-string": True},
    free=FREE,
)

_TEXTS = st.sampled_from(("x", "y", "z"))
_NAMES = st.sampled_from(("a", "b", "c"))
_NUMBERS = st.integers(1, 3)
_AB = st.fixed_dictionaries({}, optional={"a": _TEXTS, "b": _TEXTS})
_FREE = st.recursive(
    st.one_of(st.booleans(), st.integers(0, 2), _TEXTS),
    lambda below: st.one_of(st.lists(below, max_size=2), st.dictionaries(_NAMES, below, max_size=2)),
    max_leaves=6,
)
_LISTENERS = st.lists(
    st.fixed_dictionaries({"port": _NUMBERS}, optional={"proto": st.sampled_from(("TCP", "UDP")), "note": _TEXTS, "more": _AB}),
    max_size=4,
    unique_by=lambda item: (item["port"], item.get("proto", "TCP")),
)

SPECS = st.fixed_dictionaries(
    {},
    optional={
        "size": _NUMBERS,
        "color": st.one_of(st.none(), _TEXTS),
        "nested": st.fixed_dictionaries(
            {}, optional={"a": _TEXTS, "deep": st.fixed_dictionaries({}, optional={"x": _NUMBERS, "y": _NUMBERS})}
        ),
        "bag": st.dictionaries(_NAMES, _TEXTS, max_size=3),
        "things": st.dictionaries(_NAMES, _AB, max_size=2),
        "whole": st.dictionaries(_NAMES, _TEXTS, max_size=2),
        "order": st.lists(_TEXTS, max_size=3),
        "tags": st.lists(_TEXTS, max_size=3, unique=True),
        "listeners": _LISTENERS,
        "either": st.one_of(_NUMBERS, _TEXTS),
        "free": st.dictionaries(_NAMES, _FREE, max_size=3),
    },
)
"""What the schema allows, and no duplicates."""
