"""Each benchmark works, whatever its figures: those are for `python -m benchmarks`, on a machine that has nothing else to do."""

from __future__ import annotations

import shutil

import pytest

from benchmarks import __main__ as command
from benchmarks import conversion, driving, expressions, gateway, requests, starting, values

BRIEFLY = 0.01


@pytest.mark.parametrize("measure", [values.measure_steps, values.measure_compiling, values.measure_storage])
def test_measures_what_runs_in_this_process(measure):
    assert all(row.value > 0 for row in measure(BRIEFLY))


def test_compares_expressions_with_the_engines_that_are_installed():
    names = [row.name for row in expressions.measure(BRIEFLY)]
    assert names[0] == "an expression (geometric mean)"


def test_compares_thirty_expressions():
    assert len(set(expressions.EXPRESSIONS)) == 30


@pytest.mark.skipif(not gateway.available(), reason="the definitions of Gateway API are not at hand")
def test_judges_the_definitions_of_gateway_api():
    assert all(row.value > 0 for row in gateway.measure(BRIEFLY))


def test_tells_what_is_skipped(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(gateway, "DEFINITIONS", tmp_path / "none")
    monkeypatch.setattr("sys.argv", ["benchmarks", "gateway"])
    command.main()
    assert " ".join(capsys.readouterr().out.split()) == "gateway skipped: the definitions of Gateway API are not at hand"


def test_measures_a_start():
    names = [row.name for row in starting.measure(BRIEFLY)]
    assert names == ["start until ready", "definition to first object", "memory when idle", "import crdkit", "import the server"]


def test_measures_requests_of_every_kind():
    rows = {row.name: row for row in requests.measure(0.1, seeds=8)}
    assert [*rows] == [*requests.CLAIMS, "watch fan-out", "memory after all this"]
    assert all(row.value > 0 for row in rows.values())


def test_measures_conversion_by_a_webhook():
    one_a_call, in_batches, again = conversion.measure(BRIEFLY, objects=8)
    assert [one_a_call.name, in_batches.name] == ["list of 8, converted one a call", "list of 8, converted 100 a call"]
    assert again.value > 0


@pytest.mark.skipif(not shutil.which("wrk"), reason="wrk is not installed")
def test_loads_come_from_wrk_where_there_is_one():
    with driving.bare_server() as bare:
        assert driving.calibrate(bare, 1) > 0
