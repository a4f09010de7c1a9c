"""Every vector gets the answer of a real server. ``python -m tests.vectors FOLDER`` runs those of another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from crdkit.meta.version import SUPPORTED, KubeVersion
from tests.vectors.comparing import differences, load

DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("*.jsonl"))
KNOWN = frozenset((DATA / "differing.txt").read_text(encoding="utf-8").split()) if (DATA / "differing.txt").exists() else frozenset()
"""Vectors that are known to get another answer; one that begins to agree fails until it is taken out."""


@pytest.mark.parametrize("kube", SUPPORTED, ids=str)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_expressions_get_the_answers_of_a_real_server(path: Path, kube: KubeVersion) -> None:
    vectors = list(load(path))
    differing = {vector["id"]: found for vector in vectors if (found := differences(vector, kube))}
    assert {id: found for id, found in differing.items() if id not in KNOWN} == {}
    assert {vector["id"] for vector in vectors if vector["id"] in KNOWN} - differing.keys() == set()


def test_the_public_suite_agrees_where_it_is_at_hand() -> None:
    path = DATA.parents[3] / "shared" / "compat" / "cel" / "conformance.jsonl"
    if not path.exists():
        pytest.skip("the public conformance suite is not part of the project; it was not found beside it")
    assert [vector["id"] for vector in load(path) if differences(vector, SUPPORTED[0])] == []
