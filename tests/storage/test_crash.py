"""An answer means that the write is on disk: processes are killed, and the log is cut where it was last flushed."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from crdkit.storage.sqlite import SqliteDriver
from crdkit.storage.types import GENESIS, Revision
from tests.storage import writer

PROGRAM: Final = (sys.executable, "-m", "tests.storage.writer")
ROOT: Final = Path(__file__).parents[2]
STRACE: Final = shutil.which("strace")


class Answer(NamedTuple):
    key: str
    revision: Revision
    log_size: int

    @classmethod
    def read(cls, line: str) -> Answer:
        key, revision, size = line.split()
        return cls(key, Revision(int(revision)), int(size))


def write_and_kill(directory: Path, *, writers: int, answers: int) -> list[Answer]:
    """Run the writer until it has told so many answers, kill it in the midst of its writes, and give all that it told."""
    process = subprocess.Popen([*PROGRAM, str(directory), str(writers), "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as output:
        told = [output.readline() for _ in range(answers)]
        process.send_signal(signal.SIGKILL)
        told += [line for line in output if line.endswith("\n")]
    process.wait()
    return [Answer.read(line) for line in told]


def write_and_die(directory: Path, *, writers: int, answers: int, under: tuple[str, ...] = ()) -> list[Answer]:
    """Run the writer, maybe under another program, until it kills itself after so many answers."""
    command = [*under, *PROGRAM, str(directory), str(writers), str(answers)]
    told = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True).stdout
    return [Answer.read(line) for line in told.splitlines()]


async def stored(directory: Path) -> dict[str, Revision]:
    """Tell what is in the store, having seen that each value is whole and no revision is missing."""
    driver = await SqliteDriver.open(directory)
    page = await driver.read("")
    await driver.close()
    assert [entry.value for entry in page.entries] == [writer.value_of(entry.key) for entry in page.entries]
    assert sorted(entry.revision for entry in page.entries) == list(range(GENESIS + 1, page.revision + 1))
    return {entry.key: entry.revision for entry in page.entries}


async def test_nothing_answered_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    answered: dict[str, Revision] = {}
    for _ in range(3):
        answers = write_and_kill(tmp_path, writers=16, answers=400)
        assert not answered.keys() & {answer.key for answer in answers}
        answered |= {answer.key: answer.revision for answer in answers}
        assert answered.items() <= (await stored(tmp_path)).items()


def cut(directory: Path, copy: Path, size: int) -> Path:
    """Copy the store with a log that ends at ``size``."""
    copy.mkdir()
    shutil.copy(directory / "state.db", copy)
    with (directory / "state.db-wal").open("rb") as log:
        (copy / "state.db-wal").write_bytes(log.read(size))
    return copy


async def test_every_answer_is_in_the_log_as_it_stood_then(tmp_path: Path) -> None:
    answers = write_and_die(tmp_path / "data", writers=4, answers=60)
    assert len(answers) == 60
    for number in range(0, 60, 12):
        kept = await stored(cut(tmp_path / "data", tmp_path / f"copy{number}", answers[number].log_size))
        assert {answer.key for answer in answers[: number + 1]} <= kept.keys()


# What of the system's calls tells when which part of the log was flushed, and when an answer was given. A call that another thread
# interrupted is two lines: "unfinished" and "resumed".
WRITTEN: Final = re.compile(r"pwrite64\(\d+<[^>]*state\.db-wal>, .*, (\d+), (\d+)(?:\)| <unfinished)")
FLUSH: Final = re.compile(r"f(?:data)?sync\(\d+<[^>]*state\.db-wal>")
FLUSHED: Final = re.compile(r"<\.\.\. f(?:data)?sync resumed>.*= 0$")
ANSWERED: Final = re.compile(r'write\(1<[^>]*>, "(/\d+) ')


def flushed_sizes(trace: Path) -> Iterator[tuple[str, int]]:
    """Tell for each answer how much of the log had been flushed when it was given."""
    written = flushed = 0
    flushing: dict[str, int] = {}  # by thread
    for line in trace.read_text().splitlines():
        thread = line.split(maxsplit=1)[0]
        if match := WRITTEN.search(line):
            written = max(written, int(match[1]) + int(match[2]))
        elif FLUSH.search(line) and line.endswith("= 0"):
            flushed = written
        elif FLUSH.search(line):
            flushing[thread] = written
        elif FLUSHED.search(line):
            flushed = max(flushed, flushing.pop(thread, 0))
        elif match := ANSWERED.search(line):
            yield match[1], flushed


def can_trace() -> bool:
    """Whether there is strace, and it may look into a process."""
    return STRACE is not None and subprocess.run([STRACE, "-o", "/dev/null", "true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not can_trace(), reason="needs strace, and the right to trace a process")
async def test_every_answer_was_flushed_before_it_was_given(tmp_path: Path) -> None:
    """The log is cut at what had been flushed when an answer was given: had that been too little, the write would be missing."""
    trace = tmp_path / "trace"
    calls = "trace=pwrite64,write,fsync,fdatasync"
    strace = (str(STRACE), "-f", "-y", "-s", "16", "-e", calls, "-o", str(trace))
    write_and_die(tmp_path / "data", writers=4, answers=60, under=strace)
    sizes = list(flushed_sizes(trace))
    assert len(sizes) == 60
    for number in range(0, 60, 12):
        kept = await stored(cut(tmp_path / "data", tmp_path / f"copy{number}", sizes[number][1]))
        assert {key for key, _ in sizes[: number + 1]} <= kept.keys()
