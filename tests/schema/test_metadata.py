"""Metadata that is known to be plain is what decoding it would give."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdkit.meta.godecoding import DecodeError
from crdkit.meta.objectmeta_fields import OBJECT_META
from crdkit.meta.version import V1_36
from crdkit.schema.metadata import is_plain, read_metadata

NAMES = ["name", "namespace", "generateName", "uid", "resourceVersion", "generation", "labels", "annotations", "finalizers", "selfLink"]
TEXT = st.sampled_from(["", "a", "2026-01-31T12:00:00Z"])
VALUES = st.none() | TEXT | st.integers(-1, 1) | st.just(1.0) | st.booleans() | st.lists(TEXT | st.just(1), max_size=2)
METADATA = st.dictionaries(
    st.sampled_from([*NAMES, "creationTimestamp", "unknown"]),
    VALUES | st.dictionaries(st.sampled_from("ab"), TEXT | st.none() | st.just(1)),
)


@given(METADATA)
def test_plain_metadata_is_decoded_as_it_is(metadata: dict[str, Any]) -> None:
    if is_plain(metadata):
        assert OBJECT_META.decode("ObjectMeta", metadata, kube=V1_36) == (metadata, [], [], [])


def test_what_most_objects_have_is_plain() -> None:
    assert is_plain(
        {"name": "a", "namespace": "b", "labels": {"a": ""}, "annotations": {"a": "b"}, "finalizers": ["a.io/b"], "generation": 1}
    )


def test_fields_are_met_in_the_order_of_their_names() -> None:
    assert read_metadata({"zeal": 1, "name": "a", "age": 2}, V1_36).unknown == ["age", "zeal"]
    with pytest.raises(DecodeError, match=r"object into Go struct field ObjectMeta\.labels"):
        read_metadata({"name": 1, "labels": {"b": 1, "a": {}}}, V1_36)


def test_whole_numbers_are_met_as_they_are_written_again() -> None:
    assert read_metadata({"generation": 1.0, "deletionGracePeriodSeconds": 1e2}, V1_36).value["generation"] == 1
    with pytest.raises(DecodeError, match=r"number 1\.5 into Go struct field ObjectMeta\.generation of type int64"):
        read_metadata({"generation": 1.5}, V1_36)
    with pytest.raises(DecodeError, match="number 9223372036854776000 into Go"):
        read_metadata({"generation": float(1 << 63)}, V1_36)
