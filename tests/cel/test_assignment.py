"""Which types go where others are wanted."""

from __future__ import annotations

from itertools import product

from crdkit.cel.checking.assignment import Substitutions, surely_differ
from crdkit.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    list_of,
    map_of,
    object_type,
    optional_of,
)

PLAIN = (BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT)
TYPES = (*PLAIN, DYN, NULL, list_of(INT), list_of(STRING), map_of(STRING, INT), object_type("o"), optional_of(INT))


def test_types_that_surely_differ_do_not_fit() -> None:
    for one, other in product(product(TYPES, repeat=2), repeat=2):
        if surely_differ(one, other):
            assert Substitutions().assign(one, other) is None
    assert surely_differ((INT, INT), (INT, STRING))
    assert not surely_differ((DYN, INT), (STRING, INT))
