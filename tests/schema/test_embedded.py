"""Resources within objects."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36
from crdkit.schema.compiled import CompiledSchema
from crdkit.schema.embedded import CoercionError
from tests.schema.checking import errors_of, schema_of

RESOURCE = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
POD = {"apiVersion": "v1", "kind": "Pod"}
LABEL = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)


@pytest.mark.parametrize(
    ("resource", "errors"),
    [
        (POD, []),
        ({**POD, "metadata": {"name": "Not_A:DNS name", "namespace": "other"}}, []),
        ({"kind": ""}, ["spec.v.apiVersion: Required value", 'spec.v.kind: Invalid value: "": must not be empty']),
        (
            {**POD, "apiVersion": "a/b/c"},
            ['spec.v.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
        ),
        ({**POD, "metadata": {"name": "a/b"}}, ["spec.v.metadata.name: Invalid value: \"a/b\": may not contain '/'"]),
        (
            {**POD, "metadata": {"labels": {"a b": "x"}}},
            [f'spec.v.metadata.labels: Invalid value: "a b": name part {LABEL}'],
        ),
        (
            {**POD, "metadata": {"generation": -1}},
            ["spec.v.metadata.generation: Invalid value: -1: must be greater than or equal to 0"],
        ),
    ],
)
def test_faults(resource: dict[str, Any], errors: list[str]) -> None:
    assert errors_of(RESOURCE, resource) == errors


def test_old_servers_say_what_is_missing() -> None:
    assert errors_of(RESOURCE, {"apiVersion": "v1"}, kube=V1_33) == ["spec.v.kind: Required value: must not be empty"]


def test_metadata_is_rewritten() -> None:
    rules = CompiledSchema(schema_of(RESOURCE), kube=V1_36)
    metadata = {"name": "p", "x": 1, "labels": {}, "creationTimestamp": None}
    obj = {"metadata": {"name": "a", "zz": 1}, "spec": {"v": {**POD, "metadata": metadata}, "w": 1}}
    assert rules.read(obj) == ["metadata.zz", "spec.w", "spec.v.metadata.x"]
    assert obj == {"metadata": {"name": "a"}, "spec": {"v": {**POD, "metadata": {"name": "p"}}}}


@pytest.mark.parametrize(
    ("resource", "text"),
    [
        ({"kind": None}, "spec.v.kind: Invalid value: null: must be a string"),
        (
            {"metadata": []},
            "spec.v.metadata: Invalid value: []: json: cannot unmarshal array into Go value of type v1.ObjectMeta",
        ),
        (
            {"metadata": {"name": 5}},
            'spec.v.metadata: Invalid value: {"name":5}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
        ),
    ],
)
def test_wrong_types_cannot_be_read(resource: dict[str, Any], text: str) -> None:
    rules = CompiledSchema(schema_of(RESOURCE), kube=V1_36)
    with pytest.raises(CoercionError) as refused:
        rules.coerce({"spec": {"v": resource}})
    assert str(refused.value) == text


def test_what_is_stored_is_read_however_it_is() -> None:
    rules = CompiledSchema(schema_of(RESOURCE), kube=V1_36)
    obj = {"metadata": {"name": 5, "uid": "u"}, "spec": {"v": {"kind": 1, "metadata": {"name": 5, "namespace": "n"}}}}
    assert rules.coerce(obj, drop_invalid=True) == []
    assert obj == {"metadata": {"uid": "u"}, "spec": {"v": {"metadata": {"namespace": "n"}}}}


def test_what_is_applied_is_left_to_be_refused() -> None:
    compiled = CompiledSchema({"type": "object", "properties": {"v": RESOURCE}}, kube=V1_36)
    obj = {"metadata": {"generation": 1.5, "name": "a"}, "v": {**POD, "metadata": {"generation": 1.5}}}
    compiled.coerce_applied(obj)
    assert obj == {"metadata": {"name": "a"}, "v": {**POD, "metadata": {"generation": 1.5}}}
