"""The examples of docs/rules.md, run in their order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from crdkit.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()
FENCES = re.findall(r"^```(\w+)(?: ([\w.]+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("console", [text for kind, _, text in FENCES if kind == "console"])
def test_commands_print_what_the_page_shows(console: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _, name, text in FENCES:
        if name:
            Path(name).write_text(text)
    for command, shown in re.findall(r"^\$ crdkit (.*)\n((?:(?!\$ ).*\n)*)", console, re.MULTILINE):
        assert CliRunner().invoke(main, shlex.split(command)).output == shown
