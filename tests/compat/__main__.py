"""A score for every area and version; with ``--accept``, cases that pass now are added to the list of those that must."""

from __future__ import annotations

import argparse

from tests.compat import recorded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accept", action="store_true", help="add what passes to passing.txt")
    parser.add_argument("--area", help="only these areas, joined by commas")
    options = parser.parse_args()
    passing = set(recorded.passing())
    for run in recorded.runs():
        if options.area and run.area not in options.area.split(","):
            continue
        verdicts = recorded.play(run)
        good = {case for case, same in verdicts.items() if same}
        lost = {case for case in passing if case in verdicts} - good
        print(f"{run.kube} {run.area:12} {len(good):5} of {len(verdicts):5}" + (f"  lost: {', '.join(sorted(lost))}" if lost else ""))
        passing |= good
    if options.accept:
        recorded.PASSING.write_text("".join(f"{case}\n" for case in sorted(passing)))


if __name__ == "__main__":
    main()
