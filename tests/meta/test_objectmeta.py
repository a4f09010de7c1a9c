"""Metadata: what is refused on create and on update, in the words of either version."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta import names, objectmeta
from crdkit.meta.paths import ROOT
from crdkit.meta.version import V1_33, V1_36, KubeVersion

AT = ROOT / "metadata"


def created(kube: KubeVersion = V1_36, **metadata: Any) -> list[str]:
    given = {"name": "a", "namespace": "default", **metadata}
    return [
        error.text(kube) for error in objectmeta.check_create(given, AT, namespaced=True, name_check=names.dns1123_subdomain, kube=kube)
    ]


def updated(new: dict[str, Any], old: dict[str, Any], kube: KubeVersion = V1_36) -> list[str]:
    base = {"name": "a", "resourceVersion": "1"}
    return [error.text(kube) for error in objectmeta.check_update({**base, **new}, {**base, **old}, AT, kube=kube)]


def test_metadata_in_order_is_not_remarked_upon() -> None:
    assert created(labels={"app": "x", "example.com/tier": ""}, finalizers=["a.io/b"], annotations={"Any.Case/Key": "any value!"}) == []


def test_a_name_is_needed() -> None:
    assert created(name="") == ["metadata.name: Required value: name or generateName is required"]


@pytest.mark.parametrize(("kube", "unit"), [(V1_36, "bytes"), (V1_33, "characters")])
def test_a_label_that_is_too_long(kube: KubeVersion, unit: str) -> None:
    assert created(kube, labels={"a": "x" * 64}) == [f'metadata.labels: Invalid value: "{"x" * 64}": must be no more than 63 {unit}']


def test_annotations_have_a_size_together() -> None:
    assert created(annotations={"a": "x" * objectmeta.ANNOTATIONS_LIMIT}) == [
        "metadata.annotations: Too long: may not be more than 262144 bytes"
    ]


@pytest.mark.parametrize(("kube", "words"), [(V1_36, "must not be empty"), (V1_33, "kind must not be empty")])
def test_an_owner_needs_a_kind(kube: KubeVersion, words: str) -> None:
    owner = {"apiVersion": "v1", "name": "p", "uid": "u"}
    assert created(kube, ownerReferences=[owner]) == [f'metadata.ownerReferences.kind: Invalid value: "": {words}']


def test_one_owner_controls() -> None:
    owners = [{"apiVersion": "v1", "kind": "Pod", "name": name, "uid": name, "controller": True} for name in ("p", "q")]
    shown = ",".join(f'{{"apiVersion":"v1","kind":"Pod","name":"{name}","uid":"{name}","controller":true}}' for name in ("p", "q"))
    assert created(ownerReferences=owners) == [
        (
            f"metadata.ownerReferences: Invalid value: [{shown}]: Only one reference can have Controller set to true. "
            'Found "true" in references for Pod/p and Pod/q'
        )
    ]


def test_finalizers_that_exclude_each_other() -> None:
    assert created(finalizers=["orphan", "foregroundDeletion"]) == [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set'
    ]


def test_an_object_being_deleted_gains_no_finalizers() -> None:
    assert updated({"finalizers": ["x/b", "x/a"], "deletionTimestamp": "t"}, {"finalizers": [], "deletionTimestamp": "t"}) == [
        (
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, "
            'found new finalizers []string{"x/a", "x/b"}'
        )
    ]


@pytest.mark.parametrize(("kube", "shown"), [(V1_36, '"2026-01-01T00:00:00Z"'), (V1_33, "2026-01-01T00:00:00Z")])
def test_what_cannot_change(kube: KubeVersion, shown: str) -> None:
    assert updated({"deletionTimestamp": "2026-01-01T00:00:00Z"}, {}, kube) == [
        f"metadata.deletionTimestamp: Invalid value: {shown}: field is immutable"
    ]


def test_finalizers_without_a_path_are_warned_of_once() -> None:
    assert objectmeta.finalizer_warnings(["plain", "a.b", "orphan", "x/y", "old"], ["old"]) == [
        'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
        (
            'metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) '
            "to avoid accidental conflicts with other finalizer writers"
        ),
    ]


KEYS = st.sampled_from(
    ["app", "App", "example.com/tier", "Example.com/tier", "/a", "a/", "a/b/c", "", "-a", "x" * 63, "x" * 64, "ä", f"{'d' * 253}/x"]
)
TEXTS = st.dictionaries(KEYS, st.sampled_from(["", "x", "a b", "-", "x" * 63, "x" * 64, "ä"]), max_size=3)


@given(TEXTS)
def test_labels_are_known_to_be_in_order_exactly_where_nothing_is_wrong_with_them(labels: dict[str, str]) -> None:
    keys_in_order = not any(names.label_key(key, V1_36) for key in labels)
    values_in_order = not any(names.label_value(value, V1_36) for value in labels.values())
    for _ in range(2):  # what was looked at once is remembered
        assert names.are_label_keys(labels) is keys_in_order
        assert names.are_label_values(labels.values()) is values_in_order
        assert (created(labels=labels) == []) is (keys_in_order and values_in_order)


@given(TEXTS)
def test_keys_of_annotations_are_judged_in_lower_case(annotations: dict[str, str]) -> None:
    assert (created(annotations=annotations) == []) is (not any(names.label_key(key.lower(), V1_36) for key in annotations))


@given(st.from_regex(r"[a-z0-9.A\-]{0,6}", fullmatch=True) | st.sampled_from(["a" * 253, "a" * 254, "a\n", "ä"]))
def test_names_are_judged_by_the_expression_that_is_told(name: str) -> None:
    pattern = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
    assert (names.dns1123_subdomain(name) == []) is (len(name) <= 253 and re.fullmatch(pattern, name) is not None)
