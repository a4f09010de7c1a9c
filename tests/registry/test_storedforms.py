"""What a real server has stored is read; what is not ours is passed over."""

from __future__ import annotations

import json
import logging

import pytest

from crdkit.builtin.protobuf import envelope
from crdkit.definitions.definition import Definition
from crdkit.meta.version import V1_36
from crdkit.registry.definitionresource import read_definition
from crdkit.registry.storedforms import StoredForms

FORMS = StoredForms(V1_36)
KEY = "/registry/apiextensions.k8s.io/customresourcedefinitions/shirts.example.com"


def shown(key: str, value: bytes) -> object:
    found = FORMS.shown(key, value)
    return None if found is None else json.loads(found)


def old(**spec: object) -> bytes:
    """A definition as a real server stores it: v1beta1, what all versions have in common at the top."""
    value = {
        "kind": "CustomResourceDefinition",
        "apiVersion": "apiextensions.k8s.io/v1beta1",
        "metadata": {"name": "shirts.example.com", "uid": "u", "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {
            "group": "example.com",
            "version": "v1",
            "names": {"plural": "shirts", "singular": "shirt", "kind": "Shirt", "listKind": "ShirtList"},
            "scope": "Namespaced",
            "validation": {"openAPIV3Schema": {"type": "object"}},
            "subresources": {"status": {}},
            "additionalPrinterColumns": [{"name": "Size", "type": "string", "JSONPath": ".spec.size"}],
            "versions": [{"name": "v1", "served": True, "storage": True}, {"name": "v2", "served": True, "storage": False}],
            "conversion": {"strategy": "None"},
            "preserveUnknownFields": False,
            **spec,
        },
        "status": {
            "conditions": [
                {
                    "type": "NonStructuralSchema",
                    "status": "True",
                    "lastTransitionTime": "2026-01-01T00:00:00Z",
                    "reason": "Violations",
                    "message": "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root",
                }
            ],
            "acceptedNames": {"plural": "shirts", "singular": "shirt", "kind": "Shirt", "listKind": "ShirtList"},
            "storedVersions": ["v1"],
        },
    }
    return json.dumps(value).encode() + b"\n"


def test_a_definition_of_v1beta1_is_one_of_v1() -> None:
    definition = shown(KEY, old())
    assert definition["apiVersion"] == "apiextensions.k8s.io/v1"
    assert definition["spec"]["conversion"] == {"strategy": "None"}
    assert "preserveUnknownFields" not in definition["spec"]
    shared = {
        "schema": {"openAPIV3Schema": {"type": "object"}},
        "subresources": {"status": {}},
        "additionalPrinterColumns": [{"name": "Size", "type": "string", "jsonPath": ".spec.size"}],
    }
    assert definition["spec"]["versions"] == [
        {"name": "v1", "served": True, "storage": True, **shared},
        {"name": "v2", "served": True, "storage": False, **shared},
    ]
    (condition,) = definition["status"]["conditions"]
    assert condition["type"] == "NonStructuralSchema"
    assert condition["message"] == "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root"


@pytest.mark.parametrize("said", [{"preserveUnknownFields": True}, {"preserveUnknownFields": None}])
def test_unknown_fields_are_kept_where_they_were(said: dict[str, object]) -> None:
    value = shown(KEY, old(**said, validation={"openAPIV3Schema": {"properties": {"spec": {"$ref": "#/x"}}}}))
    assert value["spec"]["preserveUnknownFields"] is True
    definition = Definition(read_definition(value, V1_36), 1, V1_36)
    obj = {"apiVersion": "example.com/v1", "kind": "Shirt", "metadata": {"name": "a"}, "spec": {"size": 4}, "more": [None]}
    compiled = definition.storage_version.compiled
    assert compiled.read(obj) == []
    compiled.default(obj)
    assert compiled.validate(obj) == []
    assert obj["more"] == [None]


def test_a_webhook_of_v1beta1() -> None:
    client = {"url": "https://example.com/convert"}
    assert shown(KEY, old(conversion={"strategy": "Webhook", "webhookClientConfig": client}))["spec"]["conversion"] == {
        "strategy": "Webhook",
        "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1beta1"]},
    }


def test_a_definition_with_one_version_by_name_alone() -> None:
    (version,) = shown(KEY, old(versions=None, version="v7", subresources=None, additionalPrinterColumns=None))["spec"]["versions"]
    assert version == {"name": "v7", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}


def test_built_in_kinds_come_as_protobuf() -> None:
    namespace = {
        "kind": "Namespace",
        "apiVersion": "v1",
        "metadata": {"name": "a", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z", "labels": {"kubernetes.io/metadata.name": "a"}},
        "spec": {"finalizers": ["kubernetes"]},
        "status": {"phase": "Active"},
    }
    assert shown("/registry/namespaces/a", envelope.encode(namespace)) == namespace
    secret = {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s", "namespace": "a"}, "data": {"x": "eA=="}, "type": "Opaque"}
    found = shown("/registry/secrets/a/s", envelope.encode(secret))
    assert {**found, "metadata": {name: value for name, value in found["metadata"].items() if value}} == secret


def test_json_is_read_as_it_is() -> None:
    assert FORMS.shown("/registry/example.com/shirts/a/b", b'{"a":1}\n') == b'{"a":1}'
    assert FORMS.shown(KEY, b'{"apiVersion":"apiextensions.k8s.io/v1"}\n') == b'{"apiVersion":"apiextensions.k8s.io/v1"}'


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("/registry/secrets/a/b", b"k8s:enc:aescbc:v1:key:xxx", "it is encrypted"),
        ("/registry/secrets/a/b", b"??", "it is neither JSON nor protobuf"),
        ("/registry/secrets/a/b", b"k8s\0\xff", "unexpected EOF"),
        ("/registry/example.com/pods/a/b", b"k8s\0\x0a\x0a\x0a\x02v1\x12\x04Node", "v1 Node is not known"),
    ],
)
def test_what_cannot_be_read_is_left_out_and_told(key: str, value: bytes, why: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert FORMS.shown(key, value) is None
    assert caplog.messages == [f"what is stored at {key} cannot be read, and is left out: {why}"]


@pytest.mark.parametrize(
    ("key", "is_read"),
    [
        ("/registry/example.com/shirts/default/a", True),
        (KEY, True),
        ("/registry/namespaces/default", True),
        ("/registry/leases/kube-system/x", True),
        ("/registry/pods/default/a", False),
        ("/registry/services/specs/default/a", False),
        ("/registry/apiregistration.k8s.io/apiservices/v1.", False),
        ("/registry/crdkit/controllers", False),
    ],
)
def test_which_keys_are_read(key: str, is_read: bool) -> None:
    assert FORMS.is_read(key) is is_read
