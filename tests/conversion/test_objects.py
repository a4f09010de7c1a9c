"""Objects that come back with the metadata they had are taken at once; that makes no difference."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import pytest

from crdkit.conversion.converter import ConversionFailed
from crdkit.conversion.objects import accepted, accepted_in_full
from crdkit.meta.version import V1_36
from tests.conversion.doubles import V1, V1BETA1

METADATA: Any = [
    {"name": "a", "namespace": "b", "uid": "c", "labels": {"a": "b"}, "annotations": {}, "generation": 1},
    {"name": "a", "namespace": "b", "uid": "c", "labels": None},
    {"name": "a", "labels": {"a": "c"}, "finalizers": ["d/e"]},
    {"name": "a", "labels": {"a": 1}, "annotations": None, "managedFields": 1},
    {"name": "a", "labels": {"a": True}},
    {"name": None},
    [],
    None,
]
AFTER: Any = [
    {"apiVersion": V1, "kind": "Ferry"},
    {"apiVersion": V1BETA1, "kind": "Ferry"},
    {"apiVersion": V1, "kind": ""},
    {"kind": "Ferry"},
    [],
    None,
]


def outcome(accept: Any, before: Any, after: Any) -> Any:
    try:
        return accept(copy.deepcopy(before), copy.deepcopy(after), V1, text=lambda: "text", kube=V1_36, index=2)
    except ConversionFailed as error:
        return str(error)


@pytest.mark.parametrize("kind", ["Ferry", ""])
@pytest.mark.parametrize("before", METADATA[:3])
def test_the_quick_way_and_the_full_one_agree(kind: str, before: Any) -> None:
    obj = {"apiVersion": V1BETA1, "kind": kind, "metadata": before}
    for head, metadata in itertools.product(AFTER, METADATA):
        after = {**head, "metadata": metadata, "spec": {}} if isinstance(head, dict) else head
        assert outcome(accepted, obj, after) == outcome(accepted_in_full, obj, after)
