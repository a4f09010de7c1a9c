"""What becomes of one object in a create, step by step, in this process; and how fast storage takes what comes of it."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import parcels
from benchmarks.rows import Row, microseconds
from crdkit.definitions.definition import Definition
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.meta.version import DEFAULT
from crdkit.ownership import kinds
from crdkit.ownership.manager import FieldManager
from crdkit.registry.definitionresource import read_definition
from crdkit.registry.rendering import Style
from crdkit.schema.compiled import CompiledSchema
from crdkit.storage.memory import MemoryDriver
from crdkit.storage.sqlite import SqliteDriver
from crdkit.storage.types import ABSENT, Driver

_NOW = "2031-01-01T00:00:00Z"
_AT_ONCE = 16


class Steps:
    """The steps of a create. Those that change the object do it to one that has been through them, which is most of the work."""

    def __init__(self) -> None:
        self._schema = CompiledSchema(parcels.schema(), kube=DEFAULT)
        self._manager = _manager()
        self._style = Style(typed=False)
        self._text = json.encode(parcels.parcel())
        self._bare = parcels.parcel()
        self._obj = self._completed()

    def _completed(self) -> JsonObject:
        obj = parcels.parcel()
        assert self._schema.read(obj) == ["spec.unknown"]
        self._schema.default(obj)
        return obj

    def all(self) -> dict[str, Callable[[], Any]]:
        """Each step, by its name."""
        rules = self._schema.rules
        assert rules is not None
        return {
            "decode": lambda: json.decode_strict(self._text),
            "prune": lambda: self._schema.read(self._obj),
            "default": lambda: self._schema.default(self._obj),
            "validate": lambda: self._schema.validate(self._obj),
            "rules": lambda: rules.check(self._obj),
            "validate, changed": lambda: self._schema.validate(self._obj, self._bare),
            "rules, changed": lambda: rules.check(self._obj, self._bare),
            "ownership": self._own,
            "encode": lambda: self._style.parts(self._obj).text(),
        }

    def _own(self) -> None:
        self._obj["metadata"].pop("managedFields", None)
        self._manager.create(self._obj, "bench", _NOW)


def _manager() -> FieldManager:
    definition = Definition(read_definition(parcels.definition(), DEFAULT), 1, DEFAULT)
    version = definition.version("v1")
    assert version is not None
    return kinds.custom(version)


def measure_steps(seconds: float) -> Iterator[Row]:
    """Microseconds of each step of a create, and of all of them."""
    total = 0.0
    for name, step in Steps().all().items():
        took = microseconds(step, seconds / 5)
        total += 0 if name.endswith("changed") else took
        yield Row(name, took, "µs")
    yield Row("a create's steps together", total, "µs", goal=100)


def measure_compiling(seconds: float) -> Iterator[Row]:
    """Milliseconds from a schema to its first judged object, once the expression language is loaded."""

    def compile_and_judge() -> None:
        schema, obj = CompiledSchema(parcels.schema(), kube=DEFAULT), parcels.parcel()
        schema.read(obj)
        schema.default(obj)
        assert not schema.validate(obj)
        assert schema.rules is not None
        assert not schema.rules.check(obj).errors

    yield Row("schema to first object", microseconds(compile_and_judge, seconds) / 1000, "ms", goal=15)


def measure_storage(seconds: float) -> Iterator[Row]:
    """Puts a second by 16 writers at a time; the second figure has every put on the disk when it is answered."""
    yield Row("puts in memory", asyncio.run(_puts(_in_memory, seconds)), "/s")
    yield Row("puts on disk", asyncio.run(_puts(_on_disk, seconds)), "/s")


async def _in_memory(_directory: Path) -> Driver:
    return MemoryDriver()


async def _on_disk(directory: Path) -> Driver:
    return await SqliteDriver.open(directory / "store")


async def _puts(opened: Callable[[Path], Any], seconds: float) -> float:
    value = json.encode(parcels.parcel())
    with tempfile.TemporaryDirectory() as directory:
        driver = await opened(Path(directory))
        began = time.perf_counter()

        async def write(writer: int) -> int:
            count = 0
            while not count or time.perf_counter() - began < seconds:
                await driver.put(f"/registry/bench/{writer}/{count}", value, expected=ABSENT)
                count += 1
            return count

        counts = await asyncio.gather(*(write(writer) for writer in range(_AT_ONCE)))
        took = time.perf_counter() - began
        await driver.close()
    return sum(counts) / took
