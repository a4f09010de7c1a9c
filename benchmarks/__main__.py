"""``python -m benchmarks``: measure, and print each figure beside what we aim at and what a real API server does."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from benchmarks import conversion, expressions, gateway, requests, starting, values
from benchmarks.rows import Row, Skipped

BENCHMARKS: Final[dict[str, Callable[[float], Iterator[Row]]]] = {
    "starting": starting.measure,
    "requests": requests.measure,
    "steps": values.measure_steps,
    "compiling": values.measure_compiling,
    "storage": values.measure_storage,
    "expressions": expressions.measure,
    "gateway": gateway.measure,
    "conversion": conversion.measure,
}


def main() -> None:
    """Run what is asked for; each figure is printed as soon as it is there."""
    options = _options()
    rows = []
    for name in options.only:
        rows += _told(name, options.seconds)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


def _told(name: str, seconds: float) -> list[Row]:
    """The rows of a benchmark, printed below a head."""
    rows: list[Row] = []
    try:
        for row in BENCHMARKS[name](seconds):
            if not rows:
                print(f"\n{name:42}{'figure':>14} {'':9}{'ratio':>9}{'goal':>9}{'real':>9}")
            print(_line(row), flush=True)
            rows.append(row)
    except Skipped as why:
        print(f"\n{name:42}skipped: {why}", flush=True)
    return rows


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("only", nargs="*", default=list(BENCHMARKS), help=f"which of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to measure each figure (default: 3)")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    options = parser.parse_args()
    if unknown := set(options.only) - BENCHMARKS.keys():
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    return options


def _line(row: Row) -> str:
    ratio = _figure(row.ratio)
    return f"{row.name:42}{_figure(row.value):>14} {row.unit:9}{ratio:>9}{_figure(row.goal):>9}{_figure(row.real):>9}"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


if __name__ == "__main__":
    main()
