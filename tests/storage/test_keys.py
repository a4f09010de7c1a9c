from __future__ import annotations

from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.storage import keys as keys_module
from crdkit.storage.keys import PrefixMap, SortedKeys

KEYS = st.text("ab/\ud7ff\U00010000", max_size=4)


@given(st.lists(st.tuples(KEYS.filter(bool), st.booleans()), max_size=60), KEYS, KEYS, st.integers(0, 5))
def test_sorted_keys_are_a_sorted_list(steps: list[tuple[str, bool]], prefix: str, after: str, limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys_module, "CHUNK", 2)
        keys, model = SortedKeys("ab"), {"a", "b"}
        for key, adds in steps:
            if adds and key not in model:
                keys.add(key)
                model.add(key)
            elif not adds and key in model:
                keys.remove(key)
                model.remove(key)
        ordered = sorted(model, key=str.encode)
        found = [key for key in ordered[bisect_right(ordered, after) if after else 0 :] if key.startswith(prefix)]
        page = found[:limit] if limit else found
        assert keys.page(prefix, after, limit) == (page, len(found) - len(page))


@given(st.lists(KEYS), KEYS)
def test_a_prefix_map_finds_the_prefixes_of_a_key(prefixes: list[str], key: str) -> None:
    filed: PrefixMap[int] = PrefixMap()
    for number, prefix in enumerate(prefixes):
        filed.add(prefix, number)
    assert sorted(filed.matching(key)) == [number for number, prefix in enumerate(prefixes) if key.startswith(prefix)]
    for number, prefix in enumerate(prefixes):
        filed.discard(prefix, number)
    assert list(filed) == []
