"""Manifests of v1beta1, rewritten."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crdkit.meta import yaml
from crdkit.offline.upgrade import manifests
from crdkit.offline.upgrade.manifests import NotUpgradable, Upgraded

OLD = """\
# Copyright of someone
apiVersion: v1
kind: Namespace
metadata: {name:   a}   # my spaces
---
# The old one
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  # plural.group
  name: crontabs.example.com
  creationTimestamp: null
spec:
  group: example.com  # our group
  version: v1  # the only one
  # what it is called
  names:
    kind: CronTab
    plural: crontabs
    shortNames: [ct]
  scope: Namespaced
  preserveUnknownFields: false
  additionalPrinterColumns:
    - name: Spec
      type: string
      description: "The spec"
      JSONPath: .spec.schedule  # a path
    - {name: Age, type: date, JSONPath: .metadata.creationTimestamp}
  subresources:
    status: {}
  validation:
    # the schema
    openAPIV3Schema:
      type: object
      properties:
        spec:
          # what is wanted
          type: object
          properties:
            schedule:
              type: string
              pattern: '^(\\d+|\\*)$'
"""
NEW = """\
# Copyright of someone
apiVersion: v1
kind: Namespace
metadata: {name:   a}   # my spaces
---
# The old one
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  # plural.group
  name: crontabs.example.com
  creationTimestamp: null
spec:
  group: example.com  # our group
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        # the schema
        openAPIV3Schema:
          type: object
          properties:
            spec:
              # what is wanted
              type: object
              properties:
                schedule:
                  type: string
                  pattern: '^(\\d+|\\*)$'
      subresources:
        status: {}
      additionalPrinterColumns:
        - name: Spec
          type: string
          description: "The spec"
          jsonPath: .spec.schedule  # a path
        - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
  # the only one
  # what it is called
  names:
    kind: CronTab
    plural: crontabs
    shortNames: [ct]
  scope: Namespaced
"""


def upgraded(**spec: Any) -> tuple[dict[str, Any], list[str], list[str]]:
    """The spec that becomes of one of v1beta1, what is told of it, and what is open."""
    base = {"group": "example.com", "scope": "Namespaced", "names": {"plural": "crontabs", "kind": "CronTab"}}
    old = {
        "apiVersion": "apiextensions.k8s.io/v1beta1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "crontabs.example.com"},
        "spec": {**base, "preserveUnknownFields": False, **spec},
    }
    result = manifests.upgrade(json.dumps(old).encode())
    notes = result.rewritten[0].notes
    return (
        json.loads(result.data)["spec"],
        [note.text for note in notes if not note.is_open],
        [note.text for note in notes if note.is_open],
    )


def schema(root: dict[str, Any]) -> dict[str, Any]:
    return {"version": "v1", "validation": {"openAPIV3Schema": root}}


def schema_of(spec: dict[str, Any]) -> Any:
    return spec["versions"][0]["schema"]["openAPIV3Schema"]


def test_comments_order_and_style_are_kept_and_other_documents_to_the_byte() -> None:
    result = manifests.upgrade(OLD.encode())
    assert result.data.decode() == NEW
    assert [(one.name, one.line, one.notes) for one in result.rewritten] == [("crontabs.example.com", 7, [])]


def test_what_is_new_already_stays_as_it_is() -> None:
    assert manifests.upgrade(NEW.encode()) == Upgraded(NEW.encode())
    mentioned = b"# once apiextensions.k8s.io/v1beta1\nkind:   A\n"
    assert manifests.upgrade(mentioned) == Upgraded(mentioned)


def test_definitions_in_a_list_are_rewritten() -> None:
    (old,) = [part for part in OLD.split("---\n") if "v1beta1" in part]
    item = "- " + old.partition("\n")[2].replace("\n", "\n  ").rstrip() + "\n"
    result = manifests.upgrade(f"apiVersion: v1\nkind: List\nitems:\n{item}".encode())
    assert [one.name for one in result.rewritten] == ["crontabs.example.com"]
    assert yaml.decode(result.data)[0]["items"][0] == yaml.decode(NEW.split("---\n")[1].encode())[0]


def test_what_all_versions_share_is_given_to_each() -> None:
    versions = [{"name": "v1", "served": True, "storage": True}, {"name": "v2", "served": True, "storage": False}]
    spec, told, questions = upgraded(**{**schema({"type": "object"}), "version": "v1"}, versions=versions, subresources={"status": {}})
    assert "version" not in spec
    assert "subresources" not in spec
    shared = {"schema": {"openAPIV3Schema": {"type": "object"}}, "subresources": {"status": {}}}
    assert spec["versions"] == [{**version, **shared} for version in versions]
    assert (told, questions) == ([], [])


def test_columns_of_versions_get_their_new_field() -> None:
    column = {"name": "A", "type": "string", "JSONPath": ".spec.a"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    spec, _, _ = upgraded(versions=[{**version, "additionalPrinterColumns": [column]}])
    assert spec["versions"][0]["additionalPrinterColumns"] == [{"name": "A", "type": "string", "jsonPath": ".spec.a"}]


def test_the_webhook_moves_and_its_default_is_written_out() -> None:
    client = {"service": {"name": "hook", "namespace": "default"}}
    spec, told, questions = upgraded(**schema({"type": "object"}), conversion={"strategy": "Webhook", "webhookClientConfig": client})
    assert spec["conversion"] == {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1beta1"]}}
    assert told == ["conversionReviewVersions: [v1beta1] was the default, and is written out: add v1 once the webhook understands it"]
    assert questions == []
    given = {"strategy": "Webhook", "webhookClientConfig": client, "conversionReviewVersions": ["v1"]}
    spec, told, _ = upgraded(**schema({"type": "object"}), conversion=given)
    assert spec["conversion"]["webhook"]["conversionReviewVersions"] == ["v1"]
    assert told == []


def test_unknown_fields_that_were_kept_still_are() -> None:
    root = {
        "type": "object",
        "properties": {
            "metadata": {"type": "object"},
            "spec": {"type": "object", "properties": {"map": {"type": "object", "additionalProperties": {"type": "string"}}}},
        },
    }
    spec, told, questions = upgraded(**schema(root), preserveUnknownFields=None)
    keep = {"x-kubernetes-preserve-unknown-fields": True}
    assert schema_of(spec) == {
        "type": "object",
        "properties": {"metadata": {"type": "object"}, "spec": {**root["properties"]["spec"], **keep}},
        **keep,
    }
    assert "preserveUnknownFields" not in spec
    assert told == [
        "preserveUnknownFields was not set, which meant true",
        "unknown fields were kept, and still are by x-kubernetes-preserve-unknown-fields (--prune lets them be dropped), at the root, .spec",
    ]
    assert questions == []


def test_unknown_fields_may_be_dropped_from_now_on() -> None:
    text = OLD.replace("  preserveUnknownFields: false\n", "").encode()
    assert b"x-kubernetes-preserve-unknown-fields" in manifests.upgrade(text).data
    assert manifests.upgrade(text, prune=True).data.decode() == NEW


def test_types_that_what_is_below_implies_are_set() -> None:
    root = {"properties": {"spec": {"properties": {"list": {"items": {"type": "string"}}, "any": {"description": "x"}}}}}
    spec, told, questions = upgraded(**schema(root))
    inner = {"list": {"type": "array", "items": {"type": "string"}}}
    any_value = {"description": "x", "x-kubernetes-preserve-unknown-fields": True}
    assert schema_of(spec) == {"type": "object", "properties": {"spec": {"type": "object", "properties": {**inner, "any": any_value}}}}
    assert told == [
        "v1 asks for types, and without one others passed too: type is set, as what is below implies, at the root, .spec, .spec.list"
    ]
    assert questions == []


@pytest.mark.parametrize("junctor", ["oneOf", "anyOf"])
def test_numbers_or_texts_get_their_extension(junctor: str) -> None:
    port = {junctor: [{"type": "string"}, {"type": "integer"}]}
    spec, _, questions = upgraded(**schema({"type": "object", "properties": {"port": port}}))
    assert schema_of(spec)["properties"]["port"] == {"x-kubernetes-int-or-string": True}
    assert questions == []


def test_a_definition_without_schema_takes_anything() -> None:
    spec, told, questions = upgraded(version="v1")
    assert schema_of(spec) == {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert told == ["v1 had no schema: the one it has now takes anything"]
    assert questions == []


def test_the_scope_that_was_the_default_is_written_out() -> None:
    spec, told, _ = upgraded(**schema({"type": "object"}), scope=None)
    assert spec["scope"] == "Namespaced"
    assert told == ["scope: Namespaced was the default, and is written out"]


def test_what_a_server_would_still_refuse_is_open() -> None:
    _, _, questions = upgraded(**schema({"type": "object", "properties": {"a": {"minimum": 1}}}))
    assert questions == [
        "spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields"
    ]


def test_two_answers_to_which_version_comes_first_are_open() -> None:
    version = {"name": "v2", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    _, _, questions = upgraded(version="v1", versions=[version])
    assert questions == ["spec.version is v1, but the first of spec.versions is v2: v1 was dropped"]


def test_a_text_that_cannot_be_rewritten_is_told() -> None:
    with pytest.raises(NotUpgradable, match="the document at line 3 cannot be read: "):
        manifests.upgrade(b"a: 1\n---\napiVersion: apiextensions.k8s.io/v1beta1\nkind: A\nkind: B\n")


@pytest.mark.parametrize(
    ("text", "malformed"),
    [
        (b"{{ if .Values.crds }}\nkind: A\n", {1: "json parse error: invalid character '{' looking for beginning of object key string"}),
        (
            b"a: 1\n---\na: [1\nb: 2\n---\nb: {\n",
            {3: "yaml: did not find expected ',' or ']'", 6: "yaml: did not find expected node content"},
        ),
        (b"a: 1\n---\napiVersion: apiextensions.k8s.io/v1beta1\nkind: [\n", {4: "yaml: did not find expected node content"}),
        (b'{"apiVersion": "apiextensions.k8s.io/v1beta1",', {1: "json parse error: unexpected end of JSON input"}),
        (b'{"a": 1}{"b": 2}', {}),
        (b"- no object\n", {}),
    ],
)
def test_what_is_no_yaml_stays_as_it_is_and_is_told(text: bytes, malformed: dict[int, str]) -> None:
    result = manifests.upgrade(text)
    assert (result.data, {one.line: str(one) for one in result.malformed}) == (text, malformed)


@pytest.mark.parametrize(
    "odd",
    [
        {"version": "v1", "validation": 1},
        {"version": "v1", "validation": {"openAPIV3Schema": {"type": "object", "properties": ["a"]}}},
        {"versions": "v1"},
        {"versions": ["v1", None]},
        {"version": "v1", "additionalPrinterColumns": {"JSONPath": 1}},
        {"version": "v1", "conversion": "Webhook", "names": None},
    ],
)
def test_what_is_of_a_wrong_type_is_left_to_the_server(odd: dict[str, Any]) -> None:
    assert upgraded(**odd)[2] != []
