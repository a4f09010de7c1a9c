"""The real kubectl, pointed at a server of the test."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

PROGRAM: Final = shutil.which("kubectl")


@dataclass(frozen=True)
class Kubectl:
    """Runs kubectl with a kubeconfig and a cache of its own."""

    kubeconfig: str
    cache: Path

    def run(self, *arguments: str, given: object = None) -> subprocess.CompletedProcess[str]:
        """Run a command; ``given`` is written to its standard input as YAML, a list as several documents."""
        documents = given if isinstance(given, list) else [given]
        text = given if isinstance(given, str) else yaml.safe_dump_all(documents) if given is not None else ""
        command = [str(PROGRAM), "--kubeconfig", self.kubeconfig, "--cache-dir", str(self.cache), *arguments]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)

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
