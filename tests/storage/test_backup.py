"""Backups of every store into every store, taken while it is written to."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from crdkit.storage.backup import AHEAD, NotEmpty, back_up, back_up_directory, restore, restore_directory
from crdkit.storage.errors import Corrupted, DirectoryInUse, StorageError, UnknownFormat
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.sqlite import SqliteDriver
from crdkit.storage.sqlite import driver as driver_module
from crdkit.storage.types import ABSENT, Compacted, Driver, Entry


async def fill(driver: Driver, count: int, value: bytes = b"x") -> None:
    await asyncio.gather(*(driver.put(f"/registry/{number}", value, expected=ABSENT) for number in range(count)))


async def contents(driver: Driver) -> dict[str, bytes]:
    return {entry.key: entry.value for entry in (await driver.read("")).entries}


async def test_a_store_that_is_written_to_is_backed_up_and_restored(tmp_path: Path) -> None:
    driver = await SqliteDriver.open(tmp_path / "a")
    await fill(driver, 300)
    writing = asyncio.create_task(fill_more(driver))
    count = await asyncio.to_thread(back_up_directory, tmp_path / "a", tmp_path / "backup")
    await writing
    assert count >= 300
    newest = await driver.revision()
    await driver.close()

    assert restore_directory(tmp_path / "backup", tmp_path / "b", replace=False) == count
    restored = await SqliteDriver.open(tmp_path / "b")
    found = await contents(restored)
    assert len(found) == count
    assert found.items() >= {f"/registry/{number}": b"x" for number in range(300)}.items()
    # Every revision that a client may know of is gone, and none comes again.
    assert await restored.revision() >= newest
    with pytest.raises(Compacted):
        await restored.read("", at=newest)
    assert await restored.put("/registry/new", b"", expected=ABSENT) > newest
    await restored.close()


async def fill_more(driver: Driver) -> None:
    for number in range(200):
        await driver.put(f"/registry/more/{number}", b"y", expected=ABSENT)


async def test_a_store_is_replaced_only_when_told_to(tmp_path: Path) -> None:
    for name, count in (("a", 3), ("b", 1)):
        driver = await SqliteDriver.open(tmp_path / name)
        await fill(driver, count)
        newest = await driver.revision()
        await driver.close()
    back_up_directory(tmp_path / "a", tmp_path / "backup")
    with pytest.raises(NotEmpty, match=r"^there is a store in .* already$"):
        restore_directory(tmp_path / "backup", tmp_path / "b", replace=False)
    assert restore_directory(tmp_path / "backup", tmp_path / "b", replace=True) == 3
    driver = await SqliteDriver.open(tmp_path / "b")
    assert len(await contents(driver)) == 3
    assert await driver.revision() > newest + AHEAD
    with pytest.raises(DirectoryInUse):
        restore_directory(tmp_path / "backup", tmp_path / "b", replace=True)
    await driver.close()


async def test_any_store_can_be_backed_up_and_filled(tmp_path: Path) -> None:
    source = MemoryDriver()
    await fill(source, 10)
    assert await back_up(source, tmp_path / "backup") == 10
    target = MemoryDriver()
    await target.put("/registry/0", b"other", expected=ABSENT)
    await target.put("/registry/unwanted", b"", expected=ABSENT)
    with pytest.raises(NotEmpty, match=r"^there are 2 objects already$"):
        await restore(tmp_path / "backup", target, replace=False)
    assert await restore(tmp_path / "backup", target, replace=True) == 10
    assert await contents(target) == await contents(source)
    assert restore_directory(tmp_path / "backup", tmp_path / "b", replace=False) == 10
    restored = await SqliteDriver.open(tmp_path / "b")
    assert (await restored.read("")).entries == (await source.read("")).entries
    await restored.close()


async def test_restoring_what_is_there_changes_nothing(tmp_path: Path) -> None:
    driver = MemoryDriver()
    await fill(driver, 3)
    await back_up(driver, tmp_path / "backup")
    before = await driver.revision()
    await restore(tmp_path / "backup", driver, replace=True)
    assert await driver.revision() == before
    assert await driver.get("/registry/1") == Entry("/registry/1", b"x", before - 1)


async def test_a_file_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "backup").write_text("another file")
    driver = MemoryDriver()
    await fill(driver, 2)
    await back_up(driver, tmp_path / "backup")
    assert restore_directory(tmp_path / "backup", tmp_path / "b", replace=False) == 2


async def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^there is no store in "):
        back_up_directory(tmp_path, tmp_path / "backup")
    with pytest.raises(StorageError, match=r"^there is no file "):
        restore_directory(tmp_path / "none", tmp_path / "a", replace=False)
    (tmp_path / "text").write_text("no database, but a text that is longer than a header" * 10)
    with pytest.raises(StorageError, match=r"text is no backup of crdkit$"):
        restore_directory(tmp_path / "text", tmp_path / "a", replace=False)
    with pytest.raises(StorageError, match=r"text is no backup of crdkit$"):
        await restore(tmp_path / "text", MemoryDriver(), replace=True)
    for version, error, told in (
        (0, StorageError, "is no backup of crdkit$"),
        (1, StorageError, "is no backup of crdkit$"),
        (99, UnknownFormat, "has format 99"),
    ):
        with sqlite3.connect(tmp_path / str(version)) as connection:
            connection.execute("CREATE TABLE other (x)")
            connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
        with pytest.raises(error, match=told):
            restore_directory(tmp_path / str(version), tmp_path / "a", replace=False)
    assert not (tmp_path / "a").exists()


async def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    await damaged(tmp_path / "a")
    with pytest.raises(Corrupted, match="is damaged"):
        restore_directory(tmp_path / "a" / "state.db", tmp_path / "b", replace=False)
    assert not (tmp_path / "b").exists()


async def damaged(directory: Path) -> None:
    """A store with a page that has been overwritten, though none that opening it reads: it belongs to what was deleted a moment ago."""
    driver = await SqliteDriver.open(directory)
    await fill(driver, 200, bytes(8_000))
    for entry in (await driver.read("")).entries:
        await driver.delete(entry.key, expected=entry.revision)
    await driver.close()
    file = directory / "state.db"
    content = bytearray(file.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    file.write_bytes(content)


async def test_a_damaged_store_is_found_out_beside_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "CHECK_AFTER", 0.0)
    await damaged(tmp_path / "a")
    driver = await SqliteDriver.open(tmp_path / "a")
    await driver._checking
    with pytest.raises(Corrupted, match=r"state.db is damaged: "):
        await driver.put("/registry/new", b"", expected=ABSENT)
    await driver.close()
    with pytest.raises(Corrupted, match=r"state.db is damaged: "):
        back_up_directory(tmp_path / "a", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


async def test_a_sound_store_is_served_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "CHECK_AFTER", 0.0)
    driver = await SqliteDriver.open(tmp_path / "a")
    await driver._checking
    await driver.put("/registry/new", b"", expected=ABSENT)
    await driver.close()
