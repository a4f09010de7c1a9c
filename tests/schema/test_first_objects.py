"""The first objects of a definition, which are judged by a walk before source is made: as all others are."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from crdkit.meta.version import V1_36
from crdkit.schema import source
from crdkit.schema.compiled import CompiledSchema
from tests.schema.strategies import cases

Case = tuple[dict[str, Any], dict[str, Any]]


@settings(max_examples=40, deadline=None)
@given(cases())
def test_the_first_object_is_treated_as_the_next(case: Case) -> None:
    schema, obj = case
    first, second = copy.deepcopy(obj), copy.deepcopy(obj)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "WALKED", 1)
        compiled = CompiledSchema(schema, kube=V1_36)
        assert sorted(compiled.prune(first)) == sorted(compiled.prune(second))
        assert first == second
        assert compiled.validate(first) == compiled.validate(second)


def test_source_is_made_when_there_are_many_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "WALKED", 2)
    judge: Callable[[int], str] = source.worthwhile(lambda value: f"{value} walked", lambda: lambda value: f"{value} compiled")
    assert [judge(value) for value in range(4)] == ["0 walked", "1 walked", "2 compiled", "3 compiled"]
