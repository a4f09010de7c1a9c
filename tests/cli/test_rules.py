"""``crdkit cost`` and ``crdkit cel`` as commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from crdkit.cli.main import main

Json = Any


def crdkit(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False)


def definition(**fields: Json) -> Json:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "jobs.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "jobs", "kind": "Job"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def write(file: Path, value: Json) -> Path:
    file.write_text(json.dumps(value))
    return file


STEPS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 100, "x-kubernetes-validations": [{"rule": "self.contains('xyz')"}]}},
    },
}


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    return write(tmp_path / "jobs.json", definition(steps=STEPS))


class TestCost:
    def test_rules_that_are_too_dear_end_with_1_and_advice(self, jobs: Path) -> None:
        result = crdkit("cost", jobs)
        assert result.exit_code == 1
        assert result.stdout == (
            f"{jobs}: jobs.example.com v1: 1 expression, 43.0% of the budget of the schema (refused)\n"
            "  line 1: spec.steps[*].name rule 1: self.contains('xyz')\n"
            "    41 x 1,048,576 times = 42,991,616: 429.9% of the budget of a rule, 43.0% of that of the schema\n"
            "    would fit with 243,902 as maxItems of spec.steps (none yet)\n"
        )

    def test_cheap_rules_end_with_0(self, tmp_path: Path) -> None:
        file = write(tmp_path / "jobs.json", definition(steps={**STEPS, "maxItems": 10}))
        result = crdkit("cost", file)
        assert (result.exit_code, result.stdout) == (
            0,
            (
                f"{file}: jobs.example.com v1: 1 expression, 0.0% of the budget of the schema\n"
                "  1 expression of less than 1% each cost 0.0% of the budget together\n"
            ),
        )
        assert "spec.steps[*].name rule 1: self.contains('xyz')" in crdkit("cost", file, "--all").stdout

    def test_programs_get_json(self, jobs: Path) -> None:
        ((version),) = json.loads(crdkit("cost", jobs, "-o", "json").stdout)
        (expression,) = version["expressions"]
        assert (version["refused"], expression["cost"], expression["remedies"][0]["enough"]) == (True, 42_991_616, 243_902)

    def test_rules_that_do_not_compile_are_told(self, tmp_path: Path) -> None:
        file = write(tmp_path / "jobs.json", definition(name={"type": "string", "x-kubernetes-validations": [{"rule": "self"}]}))
        result = crdkit("cost", file)
        assert result.exit_code == 1
        assert "cel expression must evaluate to a bool" in result.stdout

    def test_no_definition_ends_with_2(self, tmp_path: Path) -> None:
        assert crdkit("cost", write(tmp_path / "a.json", {"kind": "Job", "apiVersion": "v1"})).exit_code == 2


class TestCel:
    def test_a_value_with_its_type_and_cost(self) -> None:
        assert crdkit("cel", "[1, 2].map(x, x * 2)").stdout == "value: [2, 4]\ntype:  list(int)\ncost:  29\n"

    def test_self_comes_from_a_file(self, tmp_path: Path) -> None:
        file = write(tmp_path / "self.json", {"a": ["x"]})
        assert crdkit("cel", "self.a[0] == 'x'", "--self", file).stdout.startswith("value: true\n")
        assert crdkit("cel", "self.a", "--self", "-", stdin="a: {b: 1.5}").stdout.startswith('value: {"b": 1.5}\n')

    def test_types_come_from_a_definition(self, jobs: Path, tmp_path: Path) -> None:
        whole = {"apiVersion": "example.com/v1", "kind": "Job", "spec": {"steps": [{"name": "a"}]}}
        file = write(tmp_path / "job.json", whole)
        result = crdkit("cel", "self.steps.all(s, s.name == 'a')", "--self", file, "--schema", jobs, "spec", "-o", "json")
        assert json.loads(result.stdout) == {"value": "true", "type": "bool", "cost": 9, "estimate": 6_291_453}

    def test_what_does_not_compile_ends_with_1_and_a_caret(self, jobs: Path) -> None:
        result = crdkit("cel", "self.steps == 1", "--schema", jobs, "spec")
        assert (result.exit_code, result.stderr) == (
            1,
            (
                "ERROR: <input>:1:12: found no matching overload for '_==_' applied to '(list(self.steps.@idx), int)'\n"
                " | self.steps == 1\n | ...........^\n"
            ),
        )

    def test_what_fails_ends_with_1(self) -> None:
        result = crdkit("cel", "1 / 0 == 1")
        assert (result.exit_code, result.stderr) == (1, "division by zero\n")

    @pytest.mark.parametrize("path", ["spec.nope", "spec.steps..x", "spec.steps.name"])
    def test_a_path_that_leads_nowhere_ends_with_2(self, jobs: Path, path: str) -> None:
        assert crdkit("cel", "true", "--schema", jobs, path).exit_code == 2

    def test_a_file_that_is_not_there_ends_with_2(self, tmp_path: Path) -> None:
        assert crdkit("cel", "self", "--self", tmp_path / "none").exit_code == 2
