"""``python -m tests.vectors DIR [--kube 1.33] [--only TEXT] [-v]``: run every vector file of a folder."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from crdkit.meta.version import DEFAULT, KubeVersion
from tests.vectors.comparing import differences, load, wanted


def main() -> None:
    """Print what differs per file, and how many vectors agree."""
    parser = argparse.ArgumentParser(prog="python -m tests.vectors")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kube", type=KubeVersion.parse, default=DEFAULT)
    parser.add_argument("--only", default="", help="only vectors whose id has this text")
    parser.add_argument("-v", action="store_true", dest="verbose", help="show every difference")
    options = parser.parse_args()
    agreed = total = 0
    for path in sorted(options.folder.glob("*.jsonl")):
        differing, count = _run(path, options.kube, options.only, verbose=options.verbose)
        if count:
            total, agreed = total + count, agreed + count - sum(differing.values())
            print(f"{path.stem}: {count - sum(differing.values())} of {count}", dict(differing) or "")
    print(f"{agreed} of {total} vectors")


def _run(path: Path, kube: KubeVersion, only: str, *, verbose: bool) -> tuple[Counter[str], int]:
    differing: Counter[str] = Counter()
    count = 0
    for vector in load(path):
        if only not in vector["id"]:
            continue
        count += 1
        try:
            found = differences(vector, kube)
        except Exception as error:  # noqa: BLE001 (a crash is a difference like any other)
            found = {"crash": (wanted(vector, kube), repr(error))}
        if found:
            differing["+".join(found)] += 1
            if verbose:
                print(vector["id"], repr(vector.get("expr") or vector.get("rule")))
                for name, (want, got) in found.items():
                    print(f"  {name}: want {want}\n  {' ' * len(name)}   got {got}")
    return differing, count


main()
