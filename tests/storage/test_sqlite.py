"""What SQLite's driver does beside the contract: restarts, its files, its upkeep and its errors."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from pathlib import Path

import pytest

from crdkit.storage.errors import Corrupted, DirectoryInUse, DiskFull, ReadOnly, StorageClosed, StorageError, UnknownFormat
from crdkit.storage.retention import Retention
from crdkit.storage.sqlite import SqliteDriver, connections
from crdkit.storage.sqlite import driver as driver_module
from crdkit.storage.types import ABSENT, Compacted, Conflict, Entry, Event, EventKind, Page, Revision


async def on_writing_connection(driver: SqliteDriver, statement: str) -> object:
    return await driver._job(lambda connection: connection.execute(statement).fetchall())


async def test_history_and_revision_outlive_a_restart(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    first = await driver.put("/a", b"1", expected=ABSENT)
    second = await driver.put("/a", b"2", expected=first)
    await driver.close()
    driver = await SqliteDriver.open(tmp_path)
    assert await driver.get("/a", at=first) == Entry("/a", b"1", first)
    assert await driver.recent(count=1, size=99) == (first, [Event(EventKind.PUT, "/a", b"2", second, Entry("/a", b"1", first))])
    with pytest.raises(Conflict):
        await driver.put("/a", b"3", expected=first)
    assert await driver.put("/a", b"3", expected=second) == second + 1
    await driver.close()


async def test_a_directory_has_one_process(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    with pytest.raises(DirectoryInUse) as refused:
        await SqliteDriver.open(tmp_path)
    assert str(refused.value) == f"the data directory {tmp_path} is in use by another process (pid {os.getpid()})"
    await driver.close()
    await (await SqliteDriver.open(tmp_path)).close()


async def test_a_failure_of_the_upkeep_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried = asyncio.Event()

    async def forget(_: SqliteDriver) -> None:
        tried.set()
        raise DiskFull("the disk is full")

    monkeypatch.setattr(SqliteDriver, "forget", forget)
    driver = await SqliteDriver.open(tmp_path)
    await tried.wait()
    await driver.close()
    assert caplog.messages == ["old history could not be removed; it is tried again: the disk is full"]
    assert not caplog.records[0].exc_info


async def test_every_commit_is_flushed(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    assert await on_writing_connection(driver, "PRAGMA synchronous") == [(2,)]
    assert await on_writing_connection(driver, "PRAGMA journal_mode") == [("wal",)]
    await driver.close()


async def test_the_log_stays_within_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "CHECKPOINT_SIZE", 256 * 1024)
    driver = await SqliteDriver.open(tmp_path)
    for start in range(0, 4_000, 50):
        await asyncio.gather(*(driver.put(f"/{start + number}", bytes(2_000), expected=ABSENT) for number in range(50)))
    assert (tmp_path / "state.db-wal").stat().st_size < 3_000_000
    await driver.close()
    assert not (tmp_path / "state.db-wal").exists()


async def test_old_history_is_forgotten_in_the_background(tmp_path: Path) -> None:
    now = 1_000.0
    driver = await SqliteDriver.open(tmp_path, retention=Retention(age=300), clock=lambda: now)
    first = await driver.put("/a", b"1", expected=ABSENT)
    second = await driver.put("/a", b"2", expected=first)
    await driver.forget()
    now += 301
    await driver.put("/a", b"3", expected=second)
    await driver.forget()
    with pytest.raises(Compacted) as refused:
        await driver.get("/a", at=first)
    assert refused.value.oldest == second
    await driver.close()


async def test_a_long_history_is_forgotten_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "COMPACTION_STEP", 7)
    driver = await SqliteDriver.open(tmp_path)
    revision = ABSENT
    for number in range(30):
        revision = await driver.put("/a", bytes(number), expected=revision)
    await asyncio.gather(driver.compact(Revision(revision - 5)), driver.compact(Revision(revision - 1)))
    assert await on_writing_connection(driver, "SELECT count(*) FROM entries") == [(2,)]
    await driver.close()


async def test_a_full_disk_refuses_writes_until_there_is_room(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    revision = await driver.put("/a", b"1", expected=ABSENT)
    await on_writing_connection(driver, "PRAGMA max_page_count = 1")
    results = await asyncio.gather(
        driver.put("/b", bytes(100_000), expected=ABSENT), driver.put("/b", b"", expected=ABSENT), return_exceptions=True
    )
    path = tmp_path / "state.db"
    assert [(type(result), str(result)) for result in results] == [(DiskFull, f"no room to write {path}: the disk is full")] * 2
    assert await driver.get("/a") == Entry("/a", b"1", revision)
    await on_writing_connection(driver, "PRAGMA max_page_count = 1000000")
    assert await driver.put("/b", bytes(100_000), expected=ABSENT) == revision + 1
    await driver.close()


async def test_a_file_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    await on_writing_connection(driver, "PRAGMA query_only = ON")
    with pytest.raises(ReadOnly, match=r"state\.db may not be written: attempt to write a readonly database"):
        await driver.put("/a", b"1", expected=ABSENT)
    await driver.close()


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        (errno.EACCES, ReadOnly, "{} may not be written: Permission denied"),
        (errno.EROFS, ReadOnly, "{} may not be written: Read-only file system"),
        (errno.ENOSPC, DiskFull, "no room to write {}: the disk is full"),
        (errno.EMFILE, StorageError, "{}: Too many open files"),
    ],
)
async def test_what_the_system_refuses_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[StorageError], text: str
) -> None:
    def refuse(path: Path, flags: int, mode: int = 0o777) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(connections.os, "open", refuse)
    with pytest.raises(kind) as refused:
        await SqliteDriver.open(tmp_path)
    assert str(refused.value) == text.format(tmp_path)


async def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"no database" * 1_000)
    with pytest.raises(Corrupted) as refused:
        await SqliteDriver.open(tmp_path)
    assert str(refused.value) == f"{tmp_path / 'state.db'} is damaged: file is not a database"


async def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    await asyncio.gather(*(driver.put(f"/{number}", bytes(2_000), expected=ABSENT) for number in range(500)))
    await driver.close()
    path = tmp_path / "state.db"
    content = path.read_bytes()
    path.write_bytes(content[:8_192] + b"\xff" * (len(content) - 8_192))
    with pytest.raises(Corrupted, match="is damaged: database disk image is malformed"):
        await SqliteDriver.open(tmp_path)
    path.write_bytes(content)
    await (await SqliteDriver.open(tmp_path)).close()


async def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    await (await SqliteDriver.open(tmp_path)).close()
    connection = sqlite3.connect(tmp_path / "state.db")
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(UnknownFormat) as refused:
        await SqliteDriver.open(tmp_path)
    assert str(refused.value) == f"{tmp_path / 'state.db'} has format 9: this crdkit reads up to 1, use a newer one"


async def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError) as refused:
        await SqliteDriver.open(tmp_path / "file" / "data")
    assert str(refused.value) == f"{tmp_path / 'file' / 'data'}: Not a directory"


async def test_a_closed_driver_reads_no_more(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    await driver.close()
    await driver.close()
    for read in (driver.get("/a"), driver.read(""), driver.recent(count=1, size=1)):
        with pytest.raises(StorageClosed):
            await read


async def test_writes_under_way_are_finished_before_closing(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    writes = [asyncio.ensure_future(driver.put(f"/{number}", b"", expected=ABSENT)) for number in range(50)]
    await asyncio.wait(writes, timeout=0)
    await driver.close()
    assert [write.exception() for write in writes] == [None] * 50


async def test_a_job_that_fails_is_answered(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    with pytest.raises(StorageError, match="no such table: absent"):
        await on_writing_connection(driver, "SELECT * FROM absent")
    await driver.close()


async def test_the_state_read_at_the_start_is_told_once_and_only_while_it_is_the_newest(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path)
    first = await driver.put("/a", b"1", expected=ABSENT)
    second = await driver.put("/b", b"2", expected=ABSENT)
    third = await driver.delete("/b", expected=second)
    await driver.close()
    driver = await SqliteDriver.open(tmp_path)
    pages = [await driver.read("") for _ in range(2)]
    assert pages[0] == pages[1] == Page([Entry("/a", b"1", first)], third)
    await driver.close()
    driver = await SqliteDriver.open(tmp_path)
    fourth = await driver.put("/a", b"4", expected=first)
    assert (await driver.read("")).entries == [Entry("/a", b"4", fourth)]
    await driver.close()
    driver = await SqliteDriver.open(tmp_path)
    await driver.close()
    with pytest.raises(StorageClosed):
        await driver.read("")
