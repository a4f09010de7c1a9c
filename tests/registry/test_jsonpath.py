"""JSONPath, as kubectl's dialect."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.registry.jsonpath import LookupFailed, Path, PathError

OBJECT = {
    "metadata": {"annotations": {"example.com/mood": "calm"}},
    "spec": {"parts": [{"kind": "lid", "size": 3}, {"kind": "leg", "size": 5}, {"kind": "leg", "extra": True}], "none": None},
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".spec.parts[0].kind", ["lid"]),
        (".spec.parts[-1].extra", [True]),
        (".spec.parts[*].kind", ["lid", "leg", "leg"]),
        (".spec.parts[0:2].kind", ["lid", "leg"]),
        (".spec.parts[0,2].kind", ["lid", "leg"]),
        ('.spec.parts[?(@.kind=="leg")].size', [5]),
        (".spec.parts[?(@.size>3)].kind", ["leg"]),
        (".spec.parts[?(@.extra)].kind", ["leg"]),
        (r".metadata.annotations.example\.com/mood", ["calm"]),
        (".metadata.annotations['example\\.com/mood']", ["calm"]),
        ("..extra", [True]),
        (".spec.none", [None]),
        (".spec.missing.below", []),
        (".spec.parts.kind", []),
    ],
)
def test_a_path_leads_to_its_values(path: str, found: list[Any]) -> None:
    assert Path(path).find(OBJECT) == found


@pytest.mark.parametrize("path", [".spec.parts[9].kind", ".spec[0]", ".spec.parts[0:9]"])
def test_a_path_that_does_not_fit_fails(path: str) -> None:
    with pytest.raises(LookupFailed):
        Path(path).find(OBJECT)
    assert Path(path).first(OBJECT) == (False, None)


@pytest.mark.parametrize("path", [".spec.parts[", ".spec.parts[x]", "#spec"])
def test_a_text_that_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(PathError):
        Path(path)
