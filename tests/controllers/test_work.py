"""Keys that are due are looked at: each in one hand at a time, again where it failed, and by nobody when there are none."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from crdkit.controllers import work
from crdkit.controllers.work import Work
from crdkit.storage.errors import Unavailable
from tests.registry.conftest import until


class Looks:
    """Counts looks, which last until they are let go."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self.open = asyncio.Event()
        self.under_way = self.most = 0

    async def __call__(self, key: str) -> None:
        self.counted[key] += 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await self.open.wait()
        self.under_way -= 1


async def test_each_key_is_looked_at_once_and_then_nobody_works() -> None:
    looks = Looks()
    looks.open.set()
    due = Work(looks, name="work", workers=3)
    due.open()
    due.add(f"/{number}" for number in range(100))
    await until(lambda: not len(due))
    await until(lambda: not due._workers)
    assert set(looks.counted.values()) == {1}
    assert len(looks.counted) == 100
    due.add(("/late",))
    await until(lambda: looks.counted["/late"] == 1)
    await due.close()


async def test_no_more_than_so_many_at_a_time() -> None:
    looks = Looks()
    due = Work(looks, name="work", workers=3)
    due.open()
    due.add(f"/{number}" for number in range(10))
    await until(lambda: looks.under_way == 3)
    looks.open.set()
    await until(lambda: not len(due))
    assert looks.most == 3
    await due.close()


async def test_a_key_added_while_it_is_looked_at_is_looked_at_again() -> None:
    looks = Looks()
    due = Work(looks, name="work", workers=3)
    due.open()
    due.add(("/a",))
    await until(lambda: looks.under_way == 1)
    due.add(("/a",))
    due.add(("/a", "/b"))
    await until(lambda: looks.under_way == 2)
    assert looks.counted == {"/a": 1, "/b": 1}
    looks.open.set()
    await until(lambda: not len(due))
    assert looks.counted == {"/a": 2, "/b": 1}
    await due.close()


async def test_nothing_happens_before_it_is_opened() -> None:
    looks = Looks()
    due = Work(looks, name="work", workers=3)
    due.add(("/a",))
    await asyncio.sleep(0)
    assert not due._workers
    due.open()
    await until(lambda: looks.under_way == 1)
    await due.close()


@pytest.mark.parametrize(("error", "traced"), [(ValueError("not yet"), [True, False]), (Unavailable("not yet"), [False, False])])
async def test_what_failed_is_looked_at_again(
    error: Exception, traced: list[bool], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(work, "FIRST_PAUSE", 0.001)
    seen: list[str] = []

    async def look(key: str) -> None:
        seen.append(key)
        if len(seen) < 3:
            raise error

    due = Work(look, name="work", workers=3)
    due.open()
    due.add(("/a",))
    await until(lambda: len(seen) == 3)
    await until(lambda: not len(due))
    pauses = [record.getMessage() for record in caplog.records]
    assert pauses == [f"/a is looked at again in {pause} seconds: not yet" for pause in ("0.001", "0.002")]
    assert [bool(record.exc_info) for record in caplog.records] == traced
    assert not due._failures
    await due.close()


async def test_closing_ends_what_is_under_way() -> None:
    looks = Looks()
    due = Work(looks, name="work", workers=3)
    due.open()
    due.add(("/a", "/b"))
    await until(lambda: looks.under_way == 2)
    await due.close()
    assert not due._workers
