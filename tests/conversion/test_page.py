"""The examples of docs/versions.md, run in their order."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from crdkit.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "versions.md").read_text()
FENCES = re.findall(r"^```(\w+)(?: ([\w.]+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "ferries", raising=False)
    for _, name, text in FENCES:
        if name:
            Path(name).write_text(text)


@pytest.mark.parametrize("console", [text for kind, _, text in FENCES if kind == "console"])
def test_commands_print_what_the_page_shows(console: str) -> None:
    for command, shown in re.findall(r"^\$ crdkit (.*)\n((?:(?!\$ ).*\n)*)", console, re.MULTILINE):
        assert CliRunner().invoke(main, shlex.split(command)).output == shown


def test_python_answers_what_the_page_shows() -> None:
    text = "\n".join(text for kind, name, text in FENCES if kind == "python" and not name)
    outcome: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, "versions.md", None, 0), out=outcome.append)
    assert "".join(outcome) == ""
    assert runner.tries > 3
