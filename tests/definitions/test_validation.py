from __future__ import annotations

import pytest

from crdkit.definitions import preparing, validation
from crdkit.meta.version import V1_33, V1_36
from tests.definitions.widgets import create_errors, created, stored, update_errors, version, widget

LABEL = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an"
    " alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)
FORM = "; desired format: https://host[/path]"


def test_the_smallest_definition_is_fine():
    assert create_errors(widget()) == []


def test_an_empty_definition_tells_everything_that_is_missing():
    assert create_errors({"metadata": {"name": "."}})[1:] == [
        "spec.group: Required value",
        "spec.scope: Required value",
        "spec.versions: Invalid value: null: must have exactly one version marked as storage version",
        "spec.names.plural: Required value",
        "spec.names.singular: Required value",
        "spec.names.kind: Required value",
        "spec.names.listKind: Required value",
        "status.storedVersions: Invalid value: null: must have at least one stored version",
    ]


def test_the_name_is_plural_and_group():
    sent = widget()
    sent["metadata"]["name"] = "gadgets.example.com"
    assert create_errors(sent) == ['metadata.name: Invalid value: "gadgets.example.com": must be spec.names.plural+"."+spec.group']


@pytest.mark.parametrize(
    ("names", "errors"),
    [
        ({"singular": "A"}, [f'spec.names.singular: Invalid value: "A": {LABEL}']),
        ({"kind": "Wid.get"}, [
            f'spec.names.singular: Invalid value: "wid.get": {LABEL}',
            f'spec.names.kind: Invalid value: "Wid.get": may have mixed case, but should otherwise match: {LABEL}',
            f'spec.names.listKind: Invalid value: "Wid.getList": may have mixed case, but should otherwise match: {LABEL}',
        ]),
        ({"listKind": "Widget"}, ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same']),
        ({"shortNames": ["w", "W"]}, [f'spec.names.shortNames[1]: Invalid value: "W": {LABEL}']),
        ({"categories": [""]}, [f'spec.names.categories[0]: Invalid value: "": {LABEL}']),
        ({"shortNames": ["widgets", "widgets"]}, []),
    ],
)  # fmt: skip
def test_names(names, errors):
    assert create_errors(widget(names=names)) == errors


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({"group": "example"}, ['spec.group: Invalid value: "example": should be a domain with at least one dot']),
        ({"scope": "Global"}, ['spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"']),
        ({"preserveUnknownFields": True}, [
            ("spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
            " spec.versions[*].schema instead"),
        ]),
    ],
)  # fmt: skip
def test_spec(spec, errors):
    assert create_errors(widget(**spec)) == errors


NO_SCHEMA = {"name": "v1", "served": True, "storage": True}


@pytest.mark.parametrize(("kube", "text"), [(V1_36, ""), (V1_33, ": schemas are required")], ids=["1.36", "1.33"])
def test_every_version_needs_a_schema(kube, text):
    assert create_errors(widget(NO_SCHEMA), kube=kube) == [f"spec.versions[0].schema.openAPIV3Schema: Required value{text}"]


def test_a_bad_name_of_the_first_version_is_told_twice():
    assert create_errors(widget(version("V1", storage=True))) == [
        f'spec.versions[0].name: Invalid value: "V1": {LABEL}',
        f'spec.version: Invalid value: "V1": {LABEL}',
    ]


def test_versions_are_told_as_the_structs_of_the_server():
    fields = '"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null'
    value = f'[{{"Name":"v1","Served":true,"Storage":false,{fields}}}]'
    assert create_errors(widget(version(storage=False))) == [
        f"spec.versions: Invalid value: {value}: must have exactly one version marked as storage version",
        "status.storedVersions: Invalid value: null: must have at least one stored version",
    ]


def test_versions_with_parts_of_their_own_in_go_syntax():
    column = {"name": "A", "type": "string", "jsonPath": ".a"}
    error = create_errors(
        widget(version(additionalPrinterColumns=[column], deprecated=True), version("v1", schema={"openAPIV3Schema": {"type": "object"}})),
        kube=V1_33,
    )[0]
    assert error.startswith(
        'spec.versions: Invalid value: []apiextensions.CustomResourceDefinitionVersion{apiextensions.CustomResourceDefinitionVersion{Name:"v1",'
        " Served:true, Storage:true, Deprecated:true, DeprecationWarning:(*string)(nil), Schema:(*apiextensions.CustomResourceValidation)(nil),"
        " Subresources:(*apiextensions.CustomResourceSubresources)(nil), AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition{"
        'apiextensions.CustomResourceColumnDefinition{Name:"A", Type:"string", Format:"", Description:"", Priority:0, JSONPath:".a"}},'
        " SelectableFields:[]apiextensions.SelectableField(nil)}, "
    )
    assert error.endswith("}: must contain unique version names")


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"deprecationWarning": "x"}, ['"x": can only be set for deprecated versions']),
        ({"deprecated": True, "deprecationWarning": ""}, ['"": must not be an empty string']),
        ({"deprecated": True, "deprecationWarning": "ä" * 129}, [f'"{"ä" * 129}": must be <= 256 characters long']),
        ({"deprecated": True, "deprecationWarning": "é\a"}, [
            '"é\\u0007": must only contain printable UTF-8 characters; non-printable character found at index 2',
        ]),
    ],
)  # fmt: skip
def test_deprecation_warnings(fields, errors):
    assert create_errors(widget(version(**fields))) == [f"spec.versions[0].deprecationWarning: Invalid value: {error}" for error in errors]


def test_the_scale_is_told_at_the_top_where_versions_agree():
    scale = {"specReplicasPath": "spec.replicas", "statusReplicasPath": ".spec.replicas", "labelSelectorPath": ".metadata.labels"}
    assert create_errors(widget(version(subresources={"scale": scale}))) == [
        'spec.subresources.scale.specReplicasPath: Invalid value: "spec.replicas": must be a simple json path starting with .',
        'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.replicas": should be a json path under .status',
        'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.labels": should be a json path under either .spec or .status',
    ]


def test_the_scale_is_told_at_its_version_where_versions_differ():
    other = version("v2", subresources={"scale": {"specReplicasPath": "", "statusReplicasPath": ".status.n"}})
    assert create_errors(widget(version(), other)) == ["spec.versions[1].subresources.scale.specReplicasPath: Required value"]


def test_columns():
    columns = [{"name": "", "type": "", "jsonPath": ""}, {"name": "A", "type": "int", "format": "name", "jsonPath": "a"}]
    at = "spec.additionalPrinterColumns"
    assert create_errors(widget(version(additionalPrinterColumns=columns))) == [
        f"{at}[0].name: Required value",
        f"{at}[0].type: Required value: must be one of boolean,date,integer,number,string",
        f"{at}[0].JSONPath: Required value",
        f'{at}[1].type: Invalid value: "int": must be one of boolean,date,integer,number,string',
        f'{at}[1].format: Invalid value: "name": must be one of byte,date,date-time,double,float,int32,int64,password',
        f'{at}[1].JSONPath: Invalid value: "a": must be a simple json path starting with .',
    ]


def selectable(*paths, **fields):
    properties = {name: {"type": "string"} for name in "abcdefghi"} | {"m": {"type": "object", "additionalProperties": {"type": "string"}}}
    schema = {"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": properties}}}
    return version(schema={"openAPIV3Schema": schema}, selectableFields=[{"jsonPath": path} for path in paths], **fields)


def test_selectable_fields():
    found = create_errors(
        widget(selectable(".spec.a", ".spec.m.k", "", "spec.a", ".spec.m['k']", ".", ".status", ".metadata", ".spec", ".spec.a"))
    )
    of_type = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."
    at = "spec.selectableFields"
    assert found == [
        f"{at}[2].jsonPath: Required value",
        f'{at}[3].jsonPath: Invalid value: "spec.a": is an invalid path: expected [ or . but got: spec',
        f"{at}[4].jsonPath: Invalid value: \".spec.m['k']\": is an invalid path: array notation is not allowed",
        f'{at}[5].jsonPath: Invalid value: ".": is an invalid path: unexpected end of JSON path',
        f'{at}[6].jsonPath: Invalid value: ".status": is an invalid path: does not refer to a valid field',
        f'{at}[7].jsonPath: Invalid value: ".metadata": must not point to fields in metadata',
        f'{at}[7].jsonPath: Invalid value: ".metadata": {of_type}',
        f'{at}[8].jsonPath: Invalid value: ".spec": {of_type}',
        f'{at}[9].jsonPath: Duplicate value: ".spec.a"',
    ]


def test_at_most_eight_selectable_fields():
    paths = [f".spec.{name}" for name in "abcdefghi"]
    assert create_errors(widget(selectable(*paths))) == ["spec.selectableFields: Too many: 9: must have at most 8 items"]


def test_selectable_fields_need_to_differ_where_schemas_do():
    assert create_errors(widget(selectable(".spec.a"), selectable(".spec.b", name="v2", storage=False))) == [
        f'spec.versions[{index}].selectableFields: Invalid value: "": may only be set when `version.schema.openAPIV3Schema` is not included'
        for index in (0, 1)
    ]


def webhook(**config):
    reviews = config.pop("reviews", ["v1"])
    return widget(conversion={"strategy": "Webhook", "webhook": {"clientConfig": config, "conversionReviewVersions": reviews}})


@pytest.mark.parametrize(
    ("url", "errors"),
    [
        ("https://host/path", []),
        ("://x", [f'Required value: url must be a valid URL: parse "://x": missing protocol scheme{FORM}']),
        ("https://a b/", [f'Required value: url must be a valid URL: parse "https://a b/": invalid character " " in host name{FORM}']),
        ("https://[::1/x", [f'Required value: url must be a valid URL: parse "https://[::1/x": missing \']\' in host{FORM}']),
        ("https://a:b/x", [f'Required value: url must be a valid URL: parse "https://a:b/x": invalid port ":b" after host{FORM}']),
        ("https://a/%zz", [f'Required value: url must be a valid URL: parse "https://a/%zz": invalid URL escape "%zz"{FORM}']),
        ("http://u@/x?q#f", [
            f'Invalid value: "http": \'https\' is the only allowed URL scheme{FORM}',
            f'Invalid value: "": host must be specified{FORM}',
            'Invalid value: "u": user information is not permitted in the URL',
            'Invalid value: "f": fragments are not permitted in the URL',
            'Invalid value: "q": query parameters are not permitted in the URL',
        ]),
    ],
)  # fmt: skip
def test_addresses_of_webhooks(url, errors):
    assert create_errors(webhook(url=url)) == [f"spec.conversion.webhookClientConfig.url: {error}" for error in errors]


def test_a_service_without_a_name_is_told_as_one_without_a_namespace():
    at = "spec.conversion.webhookClientConfig.service"
    service = {"name": "", "namespace": "Any Text", "port": 70000, "path": "a/B"}
    assert create_errors(webhook(service=service), kube=V1_33) == [
        f"{at}.namespace: Required value: service namespace is required",
        f"{at}.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive",
        f"{at}.path: Invalid value: \"a/B\": must start with a '/'",
        f'{at}.path: Invalid value: "a/B": segment[0] may not be empty',
        (
            f'{at}.path: Invalid value: "a/B": segment[1]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,'
            " '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is"
            " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
        ),
    ]


@pytest.mark.parametrize(("kube", "value"), [(V1_36, '["v2","v2"]'), (V1_33, '[]string{"v2", "v2"}')], ids=["1.36", "1.33"])
def test_review_versions(kube, value):
    at = "spec.conversion.conversionReviewVersions"
    assert create_errors(webhook(url="https://a", reviews=["v2", "v2"]), kube=kube) == [
        f'{at}[1]: Invalid value: "v2": duplicate version',
        f"{at}: Invalid value: {value}: must include at least one of v1, v1beta1",
    ]


def test_an_unknown_strategy_wants_no_webhook():
    conversion = {"strategy": "webhook", "webhook": {"clientConfig": {}, "conversionReviewVersions": ["v1"]}}
    assert create_errors(widget(conversion=conversion)) == [
        'spec.conversion.strategy: Unsupported value: "webhook": supported values: "None", "Webhook"',
        "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
        "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
    ]


def approved(annotation):
    sent = widget(group="a.k8s.io")
    sent["metadata"]["annotations"] = {"api-approved.kubernetes.io": annotation}
    return sent


@pytest.mark.parametrize(
    ("annotation", "errors"),
    [
        ("https://github.com/kubernetes/kubernetes/pull/1", []),
        ("unapproved, experimental", []),
        ("", [
            ('metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation'
            ' "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111'),
        ]),
        ("/pull/1", [
            ('metadata.annotations[api-approved.kubernetes.io]: Invalid value: "/pull/1": protected groups must have approval annotation'
            ' "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see'
            " https://github.com/kubernetes/enhancements/pull/1111"),
        ]),
    ],
)  # fmt: skip
def test_approval(annotation, errors):
    assert create_errors(approved(annotation)) == errors


def test_only_a_change_of_the_state_of_approval_is_judged():
    old = stored(approved("unapproved"))
    assert update_errors(old, lambda new: new["metadata"].update(annotations={"api-approved.kubernetes.io": "unapproved still"})) == []
    assert len(update_errors(old, lambda new: new["metadata"].pop("annotations"))) == 1


def test_what_never_changes_and_what_does_until_established():
    def change(new):
        new["spec"] |= {"scope": "Cluster", "group": "example.org"}
        new["spec"]["names"] |= {"plural": "gadgets", "kind": "Gadget"}

    never = [
        'spec.group: Invalid value: "example.org": field is immutable',
        'spec.names.plural: Invalid value: "gadgets": field is immutable',
    ]
    assert update_errors(stored(widget()), change) == never
    assert update_errors(stored(widget(), established=True), change) == [
        'spec.scope: Invalid value: "Cluster": field is immutable',
        'spec.names.kind: Invalid value: "Gadget": field is immutable',
        *never,
    ]


def test_a_stored_version_must_stay():
    old = stored(widget())
    old["status"]["storedVersions"] = ["v1", "v7"]
    assert update_errors(old, lambda _: None) == [
        (
            'status.storedVersions[1]: Invalid value: "v7": missing from spec.versions; v7 was previously a storage version, and must remain in'
            " spec.versions until a storage migration ensures no data remains persisted in v7 and removes v7 from status.storedVersions"
        )
    ]


@pytest.mark.parametrize(
    ("kube", "value"),
    [(V1_36, '"bm90IGEgcGVt"'), (V1_33, "[]byte{0x6e, 0x6f, 0x74, 0x20, 0x61, 0x20, 0x70, 0x65, 0x6d}")],
    ids=["1.36", "1.33"],
)
def test_a_bundle_is_judged_once_the_definition_is_established(kube, value):
    good = webhook(url="https://a")
    bad = webhook(url="https://a", caBundle="bm90IGEgcGVt")
    assert create_errors(bad, kube=kube) == []
    assert update_errors(stored(bad, kube=kube, established=True), lambda _: None, kube=kube) == []
    assert update_errors(stored(good, kube=kube, established=True), lambda new: new["spec"].update(bad["spec"]), kube=kube) == [
        (
            f"spec.conversion.webhookClientConfig.caBundle: Invalid value: {value}: unable to load root certificates:"
            " unable to parse bytes as PEM block"
        )
    ]


def test_the_status_is_checked_for_its_names_only():
    old = stored(widget())
    new = created(widget()) | {"metadata": dict(old["metadata"])}
    preparing.prepare_status_update(new, old)
    new["status"] |= {"storedVersions": ["nope"], "acceptedNames": {"plural": "W", "kind": ""}, "conditions": [{"type": "", "status": "x"}]}
    found = validation.validate_status_update(new, old, kube=V1_36)
    assert [error.text() for error in found] == [f'status.acceptedNames.plural: Invalid value: "W": {LABEL}']


def test_schemas_are_judged_by_their_room_under_the_path_of_the_internal_form():
    bad = {"openAPIV3Schema": {"type": "object", "properties": {"a": {}}}}
    message = "Required value: must not be empty for specified object fields"
    assert create_errors(widget(version(schema=bad))) == [f"spec.validation.openAPIV3Schema.properties[a].type: {message}"]
    assert create_errors(widget(version(schema=bad), version("v2"))) == [
        f"spec.versions[0].schema.openAPIV3Schema.properties[a].type: {message}"
    ]


def test_defaults_need_pruning():
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}}}
    assert create_errors(widget(version(schema=schema), preserveUnknownFields=True))[0] == (
        "spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema"
    )
