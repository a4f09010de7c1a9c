from __future__ import annotations

import pytest

from crdkit.definitions import decoding
from crdkit.definitions.decoding import DecodeError
from crdkit.meta.version import V1_33, V1_36
from tests.definitions.widgets import version, widget


def with_schema(**fields):
    return widget(version(schema={"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}}))


def spec_field(definition):
    return definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["v"]


def test_unknown_fields_are_dropped_and_told_by_their_place():
    sent = with_schema(v={"type": "string", "readOnly": True})
    sent["spec"]["colour"] = "red"
    sent["metadata"]["size"] = 3
    decoded = decoding.decode(sent, kube=V1_36)
    assert decoded.problems == [
        'unknown field "metadata.size"',
        'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.v.readOnly"',
        'unknown field "spec.colour"',
    ]
    assert spec_field(decoded.value) == {"type": "string"}


def test_names_of_unknown_fields_are_quoted():
    sent = widget()
    sent["spec"]['a"b\n'] = 1
    assert decoding.decode(sent, kube=V1_36).problems == ['unknown field "spec.a\\"b\\n"']


def test_below_items_and_additional_properties_unknown_fields_vanish_silently():
    decoded = decoding.decode(with_schema(v={"items": {"readOnly": True}, "additionalProperties": {"xml": {}}}), kube=V1_36)
    assert decoded.problems == []
    assert spec_field(decoded.value) == {"items": {}, "additionalProperties": {}}


def test_duplicates_are_told_where_structs_see_them():
    duplicates = ['duplicate field "spec.scope"', 'duplicate field "spec.versions[0].schema.openAPIV3Schema.default.a"']
    sent = widget(version(schema={"openAPIV3Schema": {"type": "object", "default": {"a": 1}}}))
    assert decoding.decode(sent, kube=V1_36, duplicates=duplicates).problems == ['duplicate field "spec.scope"']


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda d: d.update(spec=[]), "array into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec"),
        (lambda d: d["spec"].update(scope=1), "number into Go struct field CustomResourceDefinitionSpec.spec.scope of type v1.ResourceScope"),
        (lambda d: d["spec"].update(versions={}), "object into Go struct field CustomResourceDefinitionSpec.spec.versions of type []v1.CustomResourceDefinitionVersion"),
        (lambda d: d["spec"].update(versions=["v1"]), "string into Go struct field CustomResourceDefinitionSpec.spec.versions of type v1.CustomResourceDefinitionVersion"),
        (lambda d: d["metadata"].update(labels={"a": 1}), "number into Go struct field ObjectMeta.metadata.labels of type string"),
        (lambda d: d["metadata"].update(creationTimestamp=3), "number into Go struct field ObjectMeta.metadata.creationTimestamp of type string"),
        (
            lambda d: d["spec"]["versions"][0].update(additionalPrinterColumns=[{"priority": 1.5}]),
            "number 1.5 into Go struct field CustomResourceColumnDefinition.spec.versions.additionalPrinterColumns.priority of type int32",
        ),
        (
            lambda d: d["spec"].update(conversion={"strategy": "Webhook", "webhook": {"clientConfig": {"service": {"port": 3000000000}}}}),
            "number 3000000000 into Go struct field ServiceReference.spec.conversion.webhook.clientConfig.service.port of type int32",
        ),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type_is_told_in_words_of_go(change, text):
    sent = widget()
    change(sent)
    with pytest.raises(DecodeError) as refused:
        decoding.decode(sent, kube=V1_36)
    assert str(refused.value) == f"json: cannot unmarshal {text}"


SCHEMA = "JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ({"maxLength": "3"}, f"string into Go struct field {SCHEMA}.maxLength of type int64"),
        ({"maxLength": 5.0}, f"number 5.0 into Go struct field {SCHEMA}.maxLength of type int64"),
        ({"maxLength": float(2**63)}, f"number 9223372036854775808 into Go struct field {SCHEMA}.maxLength of type int64"),
        ({"type": ["string"]}, f"array into Go struct field {SCHEMA}.type of type string"),
        ({"enum": "a"}, f"string into Go struct field {SCHEMA}.enum of type []v1.JSON"),
        ({"anyOf": {}}, f"object into Go struct field {SCHEMA}.anyOf of type []v1.JSONSchemaProps"),
        ({"not": []}, f"array into Go struct field {SCHEMA}.not of type v1.JSONSchemaProps"),
        ({"x-kubernetes-validations": {}}, f"object into Go struct field {SCHEMA}.x-kubernetes-validations of type v1.ValidationRules"),
    ],
)
def test_a_schema_of_the_wrong_type(field, text):
    with pytest.raises(DecodeError) as refused:
        decoding.decode(with_schema(v=field), kube=V1_36)
    assert str(refused.value) == f"json: cannot unmarshal {text}"


@pytest.mark.parametrize(("kube", "place"), [(V1_36, "items.additionalProperties.maxLength"), (V1_33, "items")], ids=["1.36", "1.33"])
def test_older_versions_tell_no_field_below_a_type_that_decodes_itself(kube, place):
    with pytest.raises(DecodeError) as refused:
        decoding.decode(with_schema(v={"items": {"additionalProperties": {"maxLength": "3"}}}), kube=kube)
    assert str(refused.value) == f"json: cannot unmarshal string into Go struct field {SCHEMA}.{place} of type int64"


def test_what_decodes_itself_fails_before_an_earlier_mismatch():
    sent = with_schema(v={"maxLength": "3", "additionalProperties": 3})
    with pytest.raises(DecodeError, match=r"\Aboolean or JSON schema expected\Z"):
        decoding.decode(sent, kube=V1_36)


def test_a_bundle_must_be_base64():
    sent = widget(conversion={"strategy": "Webhook", "webhook": {"clientConfig": {"caBundle": "not!"}}})
    with pytest.raises(DecodeError, match=r"\Aillegal base64 data at input byte 3\Z"):
        decoding.decode(sent, kube=V1_36)


def test_what_is_empty_is_seen_by_checks_but_not_written():
    sent = with_schema(
        v={"type": "string", "required": [], "nullable": False, "x-kubernetes-preserve-unknown-fields": False, "default": None}
    )
    sent["spec"]["preserveUnknownFields"] = False
    sent["spec"]["versions"][0] |= {"subresources": {}, "additionalPrinterColumns": []}
    decoded = decoding.decode(sent, kube=V1_36).value
    assert spec_field(decoded) == {"type": "string", "required": [], "x-kubernetes-preserve-unknown-fields": False}
    assert decoded["spec"]["versions"][0]["additionalPrinterColumns"] == []
    written = decoding.written(decoded, kube=V1_36)
    assert spec_field(written) == {"type": "string", "x-kubernetes-preserve-unknown-fields": False}
    assert written["spec"]["versions"][0].keys() == {"name", "served", "storage", "schema", "subresources"}
    assert "preserveUnknownFields" not in written["spec"]


def test_fields_are_written_in_the_order_of_go_with_those_that_are_always_there():
    written = decoding.written(decoding.decode({"spec": {}}, kube=V1_36).value, kube=V1_36)
    assert list(written.items()) == [
        ("metadata", {}),
        ("spec", {"group": "", "names": {"plural": "", "kind": ""}, "scope": "", "versions": None}),
        ("status", {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": None}),
    ]


def test_a_conversion_keeps_no_empty_webhook():
    written = decoding.written(decoding.decode(widget(conversion={"strategy": "None", "webhook": {}}), kube=V1_36).value, kube=V1_36)
    assert written["spec"]["conversion"] == {"strategy": "None"}


def test_null_in_a_list_is_the_zero_value():
    decoded = decoding.decode(widget(names={"shortNames": [None]}), kube=V1_36).value
    assert decoded["spec"]["names"]["shortNames"] == [""]


def test_whole_floats_become_integers_and_times_utc():
    sent = with_schema(v={"type": "number", "maximum": 5.0, "default": {"a": [1.0, 1.5]}})
    sent["metadata"]["creationTimestamp"] = "2020-01-01T01:00:00.5+02:00"
    decoded = decoding.decode(sent, kube=V1_36).value
    assert repr(spec_field(decoded)) == "{'type': 'number', 'default': {'a': [1.0, 1.5]}, 'maximum': 5}"
    written = decoding.written(decoded, kube=V1_36)
    assert written["metadata"]["creationTimestamp"] == "2019-12-31T23:00:00Z"
    assert repr(spec_field(written)) == "{'type': 'number', 'default': {'a': [1, 1.5]}, 'maximum': 5}"


@pytest.mark.parametrize("items", ["x", True, 1, []])
def test_items_of_the_wrong_sort_are_there_until_they_are_written(items):
    decoded = decoding.decode(with_schema(v={"type": "array", "items": items}), kube=V1_36).value
    assert not isinstance(spec_field(decoded)["items"], dict)
    assert spec_field(decoding.written(decoded, kube=V1_36)) == {"type": "array"}


@pytest.mark.parametrize(("kube", "problems"), [(V1_36, []), (V1_33, ['unknown field "status.observedGeneration"'])], ids=["1.36", "1.33"])
def test_newer_versions_know_the_observed_generation(kube, problems):
    assert decoding.decode(widget() | {"status": {"observedGeneration": 3}}, kube=kube).problems == problems
