from __future__ import annotations

from bisect import bisect_right
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.storage import runs
from crdkit.storage.runs import SortedRuns
from crdkit.storage.types import Entry, Revision

KEYS = st.text("ab/\ud7ff\U00010000", max_size=4)


@given(st.lists(st.tuples(KEYS.filter(bool), st.booleans()), max_size=60), KEYS, KEYS, st.integers(0, 5))
def test_sorted_runs_are_a_sorted_list(steps: list[tuple[str, bool]], prefix: str, after: str, limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "LENGTH", 2)
        model = {key: Entry(key, b"", Revision(0)) for key in "ab"}
        entries = SortedRuns(model.values())
        for revision, (key, puts) in enumerate(steps, 1):
            if puts:
                model[key] = Entry(key, b"", Revision(revision))
                entries.put(model[key])
            elif key in model:
                entries.remove(key)
                del model[key]
        ordered = sorted(model, key=str.encode)
        found = [key for key in ordered[bisect_right(ordered, after) if after else 0 :] if key.startswith(prefix)]
        page = found[:limit] if limit else found
        stretches, remaining = entries.stretches(prefix, after, limit)
        assert [entry for stretch in stretches for entry in stretch.entries] == [model[key] for key in page]
        assert remaining == len(found) - len(page)
        assert all(stretch.entries for stretch in stretches)


def test_what_was_made_of_a_run_is_forgotten_when_it_changes() -> None:
    revisions = count()
    entries = SortedRuns(Entry(f"{number:04}", b"", Revision(next(revisions))) for number in range(4 * runs.LENGTH))
    stretches, _ = entries.stretches("")
    for stretch in stretches:
        stretch.run.made["text"] = [entry.revision for entry in stretch.entries]
    entries.put(Entry("0001", b"", Revision(next(revisions))))
    entries.put(Entry("0001x", b"", Revision(next(revisions))))
    entries.remove(f"{4 * runs.LENGTH - 1:04}")
    kept = [bool(stretch.run.made) for stretch in entries.stretches("")[0]]
    assert kept == [False, True, True, False]


def test_what_is_yet_to_be_made_of_a_run_that_changes_meanwhile_is_of_no_use() -> None:
    entries = SortedRuns([Entry("a", b"", Revision(1))])
    made = entries.stretches("")[0][0].run.made
    entries.put(Entry("a", b"", Revision(2)))
    made["text"] = [1]
    assert not entries.stretches("")[0][0].run.made
