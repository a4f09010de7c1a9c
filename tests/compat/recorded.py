"""Plays the recorded conversations against a server of our own: which are answered as a real API server answered them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
CASES: Final = HERE / "cases"
PASSING: Final = HERE / "passing.txt"
KUBE_VERSIONS: Final = ("1.36", "1.33")
AGAIN: Final = 3
FEW: Final = 2
WITH_CONTROLLERS: Final = "controllers"
"""The one area recorded from a cluster whose controllers ran, and in 1.36 alone."""


@dataclass(frozen=True)
class Run:
    """An area, played against a server of one version."""

    kube: str
    area: str

    def __str__(self) -> str:
        return f"{self.kube}-{self.area}"


def runs() -> list[Run]:
    areas = sorted(path.name for path in CASES.iterdir() if path.is_dir())
    return [Run(kube, area) for kube in KUBE_VERSIONS for area in areas if area != WITH_CONTROLLERS or kube == KUBE_VERSIONS[0]]


def passing() -> frozenset[str]:
    """The cases that must pass, as ``1.36 values/numbers/float``."""
    return frozenset(PASSING.read_text().splitlines()) if PASSING.exists() else frozenset()


def play(run: Run, *, jobs: int = 4, only: str = "") -> dict[str, bool]:
    """Start a server, play the area or one case of it, and tell for each case (as in `passing`) whether it was answered as recorded."""
    with _server(run) as server, tempfile.TemporaryDirectory() as folder:
        verdicts = Path(folder) / "verdicts.json"
        command = [
            sys.executable,
            str(HERE / "replay.py"),
            "--server",
            server["url"],
            "--token",
            "admintoken",
            "--kubeconfig",
            server["kubeconfig"],
        ]
        command += [
            "--kube",
            run.kube,
            "--area",
            run.area,
            "--json",
            str(verdicts),
            "--jobs",
            str(jobs),
            *(["--only", only] if only else []),
        ]
        played = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
        if not verdicts.exists():
            raise RuntimeError(played.stdout[-2000:] + played.stderr[-2000:])
        return {f"{run.kube} {case}": same for case, same in json.loads(verdicts.read_text()).items()}


def lost(run: Run) -> list[str]:
    """The cases of an area that passed once and do so no more.

    A few may depend on the second at which kubectl looks at its own clock: these are played again, each by itself.
    """
    expected = {case for case in passing() if case.startswith(f"{run.kube} {run.area}/")}
    verdicts = play(run)
    missing = sorted(case for case in expected if not verdicts.get(case, False))
    for _ in range(AGAIN if len(missing) <= FEW else 0):
        missing = [case for case in missing if not play(run, only=case.rpartition("/")[2]).get(case, False)]
    return missing


@contextmanager
def _server(run: Run) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "crdkit", "serve", "--memory", "--port", "0", "--json", "--kube-version", run.kube]
        command += ["--token-file", str(HERE / "tokens.csv"), "--data-dir", folder]
        if run.area != WITH_CONTROLLERS:
            command.append("--no-controllers")
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            process.wait(timeout=30)
            process.stdout.close()
