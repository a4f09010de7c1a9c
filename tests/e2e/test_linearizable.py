"""The judge of histories, judged itself."""

from __future__ import annotations

import math

import pytest

from tests.e2e.linearizable import ABSENT, Operation, create, delete, is_linearizable, read, refused, update

MADE = Operation(create(1), 0, 1)

HISTORIES = {
    "a read that overlaps a write may miss it": (True, [Operation(read(ABSENT), 0.5, 2), MADE]),
    "a read after a write may not": (False, [MADE, Operation(read(ABSENT), 1.5, 2)]),
    "reads do not go back": (
        False,
        [MADE, Operation(update(1, 2), 2, 9), Operation(read(2), 3, 4), Operation(read(1), 5, 6)],
    ),
    "one of two updates is refused": (
        True,
        [MADE, Operation(update(1, 2), 2, 4), Operation(refused(expected=1), 2, 4), Operation(read(2), 5, 6)],
    ),
    "two updates of one state cannot both be made": (False, [MADE, Operation(update(1, 2), 2, 4), Operation(update(1, 3), 2, 4)]),
    "a write of unknown outcome may have been made": (True, [MADE, Operation(update(1, 2), 2, math.inf), Operation(read(2), 5, 6)]),
    "or not": (True, [MADE, Operation(update(1, 2), 2, math.inf), Operation(read(1), 5, 6)]),
    "but not before it was asked for": (False, [MADE, Operation(update(1, 2), 9, math.inf), Operation(read(2), 5, 6)]),
    "what is deleted is gone": (False, [MADE, Operation(delete(), 2, 3), Operation(read(1), 4, 5)]),
}


@pytest.mark.parametrize("name", HISTORIES)
def test_histories(name: str) -> None:
    possible, history = HISTORIES[name]
    assert is_linearizable(history) == possible
