"""The examples of README.md, run as they stand."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from crdkit.testing import Server
from tests.e2e.kubectl import NEWEST, Kubectl

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "README.md").read_text()
PYTHON = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CONSOLE = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def commands() -> Iterator[tuple[str, str]]:
    """Each kubectl command with the output that the page shows for it."""
    for text in CONSOLE:
        yield from re.findall(r"^\$ kubectl (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)


@pytest.mark.parametrize("kubectl", NEWEST, indirect=True)
def test_kubectl_prints_what_the_page_shows(kubectl: Kubectl) -> None:
    for command, shown in commands():
        done = kubectl.run(*shlex.split(command))
        assert (command, lines(done.stdout + done.stderr)) == (command, lines(shown))


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.mark.parametrize("source", PYTHON)
def test_python_runs(source: str, crdkit: Server) -> None:
    defined: dict[str, object] = {}
    exec(compile(source, "README.md", "exec"), defined)
    for name, value in defined.items():
        if name.startswith("test_") and callable(value):
            value(crdkit)


def test_the_page_has_examples_of_both() -> None:
    assert len(list(commands())) > 4
    assert len(PYTHON) == 2
