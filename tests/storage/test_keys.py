from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crdkit.storage.keys import PrefixMap

KEYS = st.text("ab/\ud7ff\U00010000", max_size=4)


@given(st.lists(KEYS), KEYS)
def test_a_prefix_map_finds_the_prefixes_of_a_key(prefixes: list[str], key: str) -> None:
    filed: PrefixMap[int] = PrefixMap()
    for number, prefix in enumerate(prefixes):
        filed.add(prefix, number)
    assert sorted(filed.matching(key)) == [number for number, prefix in enumerate(prefixes) if key.startswith(prefix)]
    for number, prefix in enumerate(prefixes):
        filed.discard(prefix, number)
    assert list(filed) == []
