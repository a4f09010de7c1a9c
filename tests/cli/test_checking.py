"""``crdkit validate``, ``lint`` and ``upgrade`` as commands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crdkit.cli import reporting
from crdkit.cli.main import main
from tests.offline.crontabs import crontab, definition, version
from tests.offline.upgrade.test_manifests import NEW, OLD

TOO_LOW = "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1"


def crdkit(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False)


def write(file: Path, objects: Sequence[object]) -> Path:
    file.write_text("---\n".join(json.dumps(one, indent=1) + "\n" for one in objects))
    return file


@pytest.fixture
def crds(tmp_path: Path) -> Path:
    return write(tmp_path / "crd.yaml", [definition()])


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write(tmp_path / "good.yaml", [crontab()])


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    return write(tmp_path / "bad.yaml", [crontab("b", replicas=0)])


def test_clean_files_end_with_0(crds: Path, good: Path) -> None:
    result = crdkit("validate", crds, "-f", good)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "2 objects checked, 0 errors, 0 warnings\n")


def test_findings_end_with_1(crds: Path, bad: Path) -> None:
    result = crdkit("validate", "-f", crds, "-f", bad)
    assert result.exit_code == 1
    assert result.stdout == f"{bad}:9: error: CronTab default/b: {TOO_LOW}\n"


def test_what_cannot_be_run_ends_with_2(tmp_path: Path) -> None:
    assert crdkit("validate").stderr == "crdkit: no files given\n"
    gone = crdkit("validate", tmp_path / "gone")
    assert (gone.exit_code, gone.stderr) == (2, f"crdkit: the path {tmp_path}/gone does not exist\n")
    assert crdkit("validate", "--output", "poem").exit_code == 2


def test_standard_input_is_read(crds: Path) -> None:
    result = crdkit("validate", crds, "-", stdin=json.dumps(crontab(replicas=0)))
    assert result.stdout == f"<stdin>:1: error: CronTab default/a: {TOO_LOW}\n"


def test_a_folder_and_older_objects(tmp_path: Path, crds: Path, bad: Path) -> None:
    older = write(tmp_path / "older.json", [crontab("b", replicas=0, schedule="*")])
    assert crdkit("validate", crds, bad, "--against", older).exit_code == 0
    assert crdkit("validate", tmp_path).exit_code == 1


def test_options_are_passed_on(tmp_path: Path, crds: Path) -> None:
    unknown = write(tmp_path / "unknown.yaml", [crontab(color=1), {"apiVersion": "v1", "kind": "Pod"}])
    assert crdkit("validate", crds, unknown).exit_code == 1
    assert crdkit("validate", crds, unknown, "--field-validation", "warn").exit_code == 0
    assert crdkit("validate", crds, unknown, "--field-validation", "ignore").stdout == ""
    assert crdkit("validate", crds, unknown, "--field-validation", "ignore", "--strict-kinds").exit_code == 1
    assert "supported versions are 1.36, 1.33" in crdkit("validate", crds, "--kube-version", "1.2").stderr


def test_other_forms_of_the_report(crds: Path, bad: Path) -> None:
    assert json.loads(crdkit("validate", crds, bad, "-o", "json").stdout)["findings"][0]["line"] == 9
    assert crdkit("validate", crds, bad, "-o", "junit").stdout.startswith("<?xml")
    assert crdkit("validate", crds, bad, "-o", "github").stdout.startswith(
        f"::error file={bad},line=9,title=CronTab default/b::spec.replicas"
    )


def test_lint_tells_why_and_what_to_do(crds: Path) -> None:
    result = crdkit("lint", crds, "--without", "no-description")
    assert (result.exit_code, result.stdout) == (0, "")
    result = crdkit("lint", crds)
    assert result.exit_code == 1
    assert "[no-description]\n    why: kubectl explain" in result.stdout
    assert crdkit("lint", crds, "--errors-only").exit_code == 0


def test_lint_knows_its_rules(crds: Path) -> None:
    assert "pattern-unanchored\n    why: " in crdkit("lint", "--list-rules").stdout
    wrong = crdkit("lint", crds, "--without", "no-such")
    assert (wrong.exit_code, wrong.stderr) == (2, "crdkit: no rule is called no-such; --list-rules shows them\n")


def test_lint_ends_with_1_for_what_a_server_refuses(tmp_path: Path) -> None:
    refused = write(tmp_path / "refused.yaml", [definition(version(), version())])
    result = crdkit("lint", refused, "--errors-only")
    assert result.exit_code == 1
    assert "must contain unique version names" in result.stdout


@pytest.fixture
def old(tmp_path: Path) -> Path:
    file = tmp_path / "old.yaml"
    file.write_text(OLD)
    return file


def test_upgrade_prints_what_becomes_of_the_files(old: Path) -> None:
    result = crdkit("upgrade", old)
    assert (result.exit_code, result.stdout, result.stderr) == (0, NEW, "")
    assert old.read_text() == OLD
    assert crdkit("upgrade", "-", stdin=OLD).stdout == NEW


def test_upgrade_writes_files_in_place(old: Path) -> None:
    result = crdkit("upgrade", "--in-place", old)
    assert (result.exit_code, result.stdout) == (0, "")
    assert old.read_text() == NEW
    assert crdkit("upgrade", "--check", old).exit_code == 0


def test_upgrade_can_only_look(old: Path) -> None:
    result = crdkit("upgrade", "--check", old)
    assert (result.exit_code, result.stdout) == (1, f"{old}:7: crontabs.example.com is of apiextensions.k8s.io/v1beta1\n")
    assert old.read_text() == OLD


def test_upgrade_tells_what_is_open(old: Path) -> None:
    old.write_text(OLD.replace("              type: string\n              pattern", "              pattern"))
    result = crdkit("upgrade", old)
    assert result.exit_code == 1
    place = "spec.validation.openAPIV3Schema.properties[spec].properties[schedule].type"
    assert (
        result.stderr == f"{old}: crontabs.example.com: undecided: {place}: Required value: must not be empty for specified object fields\n"
    )


def test_upgrade_of_what_cannot_be_rewritten_ends_with_2(old: Path) -> None:
    old.write_text("apiVersion: apiextensions.k8s.io/v1beta1\nkind: A\nkind: B\n")
    result = crdkit("upgrade", old)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"crdkit: {old}: the document at line 1 cannot be read: ")


@pytest.mark.parametrize("options", [(), ("--check",), ("--in-place",)])
def test_upgrade_tells_what_is_no_yaml_and_does_the_rest(old: Path, options: Sequence[str]) -> None:
    broken = "---\na: 1\nb: [1\n"
    old.write_text(OLD + broken)
    line = OLD.count("\n") + 2
    result = crdkit("upgrade", *options, old)
    assert (result.exit_code, result.stderr) == (1, f"{old}:{line}: error: yaml: did not find expected ',' or ']'\n")
    written = {(): result.stdout, ("--in-place",): old.read_text()}
    assert written.get(options, NEW + broken) == NEW + broken
    told = crdkit("upgrade", "-", stdin=broken)
    assert (told.exit_code, told.stderr) == (1, "-:2: error: yaml: did not find expected ',' or ']'\n")


class Terminal:
    """Standard error that is one."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def test_a_bar_is_shown_on_a_terminal_once_it_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    for patience, shows in ((60.0, False), (-1.0, True)):
        monkeypatch.setattr(reporting, "PATIENCE", patience)
        with reporting.progress() as shown:
            shown.begin("Checking", 3)
            for _ in range(3):
                shown.advance()
        assert ("Checking" in terminal.text) is shows
