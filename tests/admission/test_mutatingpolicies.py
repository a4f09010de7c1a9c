"""MutatingAdmissionPolicies: objects merged, patches applied, and what is said when neither works."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission.conftest import Admitting
from tests.admission.doubles import add, binding, configuration, mutating, patch, trace, webhook

Json = Any
DENIED = "policy 'p' with binding 'b' denied request: "


async def bound(api: Admitting, *mutations: Json, **spec: Json) -> None:
    await api.put_up(mutating(*mutations, **spec), binding("Mutating"))


@pytest.mark.parametrize(
    ("mutation", "spec"),
    [
        ("Object{spec: Object.spec{glaze: 'red'}}", {"heat": 1, "glaze": "red"}),
        ("Object{spec: Object.spec{heat: object.spec.heat * 2}}", {"heat": 2}),
        (
            "Object{spec: Object.spec{ware: [Object.spec.ware{name: 'a', height: 2}, Object.spec.ware{name: 'b'}]}}",
            {"heat": 1, "ware": [{"name": "a", "height": 2}, {"name": "b"}]},
        ),
        ("[JSONPatch{op: 'add', path: '/spec/glaze', value: 'red'}]", {"heat": 1, "glaze": "red"}),
        ("[JSONPatch{op: 'add', path: '/spec/ware', value: [Object.spec.ware{name: 'a'}]}]", {"heat": 1, "ware": [{"name": "a"}]}),
        (
            "[JSONPatch{op: 'add', path: '/spec', value: Object.spec{heat: 2, ware: [Object.spec.ware{name: 'a'}]}}]",
            {"heat": 2, "ware": [{"name": "a"}]},
        ),
        ("[JSONPatch{op: 'test', path: '/spec/heat', value: 7}, JSONPatch{op: 'remove', path: '/spec/heat'}]", {"heat": 1}),
        ("object.spec.heat > 5 ? [JSONPatch{op: 'remove', path: '/spec/heat'}] : []", {"heat": 1}),
    ],
)
async def test_mutations(api: Admitting, mutation: str, spec: Json) -> None:
    if "?" in mutation:
        raw = mutating("[]")
        raw["spec"]["mutations"] = [{"patchType": "JSONPatch", "jsonPatch": {"expression": mutation}}]
        await api.put_up(raw, binding("Mutating"))
    else:
        await bound(api, mutation)
    answer = await api.create(spec={"heat": 1})
    assert (answer.code, answer.body["spec"]) == (201, {"lid": "on", **spec})


@pytest.mark.parametrize(
    ("value", "glaze"),
    [
        ("timestamp('2020-01-02T03:04:05Z')", "2020-01-02T03:04:05Z"),
        ("duration('90m')", "5400s"),
        ("b'abc'", "YWJj"),
        ("9007199254740993", "9007199254740993"),
        ("optional.of('red')", "red"),
    ],
)
async def test_a_patch_has_texts_for_what_json_has_no_form_for(api: Admitting, value: str, glaze: str) -> None:
    await bound(api, f"[JSONPatch{{op: 'add', path: '/spec/glaze', value: {value}}}]")
    assert (await api.create(spec={})).body["spec"]["glaze"] == glaze


async def test_a_whole_number_of_a_patch_is_an_integer(api: Admitting) -> None:
    await bound(api, "[JSONPatch{op: 'add', path: '/spec/heat', value: 5.0}]")
    assert (await api.create(spec={})).body["spec"]["heat"] == 5


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("optional.none()", "optional.none() dereference"),
        ("string", "type conversion not supported for 'type'"),
        ("Object.spec.glaze{a: [{'b': 1}]}", "proto: invalid type: map[ref.Val]ref.Val"),
        ("Object.spec.glaze{a: null}", "proto: invalid type: structpb.NullValue"),
        ("Object.spec.glaze{a: {1: 'b'}}", "fail to convert field \"a\": map key '\\x01' is of type types.Int, not string"),
        (
            "double('NaN')",
            "json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid NaN value",
        ),
        ("{1: 2}", "unsupported type conversion from 'int' to string"),
        ("{2u: 2}", "unsupported type conversion from 'uint' to string"),
        ("{true: 2}", "type conversion error from bool to 'string'"),
    ],
)
async def test_not_everything_can_be_a_patch(api: Admitting, value: str, why: str) -> None:
    await bound(api, f"[JSONPatch{{op: 'add', path: '/spec/glaze', value: {value}}}]")
    answer = await api.create(spec={})
    told = "JSONPath valueExpression evaluated to a type that could not marshal to JSON"
    assert (answer.code, answer.message.partition("denied request: ")[2]) == (403, f"{told}: {why}")


async def test_maps_of_a_merged_object_have_texts_as_keys(api: Admitting) -> None:
    await bound(api, "Object{metadata: Object.metadata{labels: {1: 'a'}}}")
    answer = await api.create(spec={})
    told = "error applying patch: failed to convert patch object to typed object"
    why = "expected map, got &{fail to convert field \"labels\": map key '\\x01' is of type types.Int, not string}"
    assert answer.message.partition("denied request: ")[2] == f"{told}: .metadata: {why}"


async def test_fields_of_a_merged_object_have_texts_as_names(api: Admitting) -> None:
    await bound(api, "Object{spec: {1: 'a'}}")
    answer = await api.create(spec={})
    assert answer.message.partition("denied request: ")[2] == "invalid return type: *dynamic.ObjectVal"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ("glaze: null", ".spec.glaze: expected string, got &value.valueUnstructured{Value:0}"),
        ("heat: null", ".spec.heat: expected numeric (int or float), got structpb.NullValue"),
        ("ware: null", ".spec.ware: expected list, got &{NULL_VALUE}"),
        ("heat: 5u", ".spec.heat: expected numeric (int or float), got uint64"),
        ("glaze: 5u", ".spec.glaze: expected string, got &value.valueUnstructured{Value:0x5}"),
        ("glaze: b'hi'", ".spec.glaze: expected string, got &value.valueUnstructured{Value:[]uint8{0x68, 0x69}}"),
        ("heat: duration('90s')", ".spec.heat: expected numeric (int or float), got time.Duration"),
        ("ware: duration('90s')", ".spec.ware: expected list, got &{1m30s}"),
        ("ware: duration('-1500us')", ".spec.ware: expected list, got &{-1.5ms}"),
        ("ware: timestamp('2020-03-04T05:06:07.5-01:30')", ".spec.ware: expected list, got &{2020-03-04 05:06:07.5 -0130 -0130}"),
        (
            "glaze: timestamp('2020-03-04T05:06:07Z')",
            ".spec.glaze: expected string, got &value.valueUnstructured{Value:time.Date(2020, time.March, 4, 5, 6, 7, 0, time.UTC)}",
        ),
        ("ware: [{'name': 'a'}]", ".spec.ware: element 0: associative list with keys may not have non-map elements"),
        (
            "ware: [Object.spec.ware{name: b''}]",
            ".spec.ware[name={{undefined}}].name: expected string, got &value.valueUnstructured{Value:[]uint8{}}",
        ),
        ("glaze: ['a', 'b']", '.spec.glaze: expected string, got &value.valueUnstructured{Value:[]interface {}{"a", "b"}}'),
        ("ware: 'a b'.split(' ')", ".spec.ware: expected list, got &{[a b]}"),
        ("glaze: 'ab'.findAll('.')", '.spec.glaze: expected string, got &value.valueUnstructured{Value:[]string{"a", "b"}}'),
    ],
)
async def test_what_has_no_form_in_json_is_not_merged(api: Admitting, fields: str, why: str) -> None:
    await bound(api, f"Object{{spec: Object.spec{{{fields}}}}}")
    answer = await api.create(spec={})
    told = "error applying patch: failed to convert patch object to typed object"
    assert answer.message.partition("denied request: ")[2] == f"{told}: {why}"


@pytest.mark.parametrize(
    ("fields", "spec"),
    [
        ("glaze: optional.of('red')", {"glaze": "red"}),
        ("glaze: type(1)", {"glaze": "int"}),
        ("ware: [object.spec.ware[0]]", {"ware": [{"name": "a", "height": 1}]}),
        ("glaze: 'red'.split('')[0]", {"glaze": "r"}),
    ],
)
async def test_what_has_another_form_in_json_is_merged(api: Admitting, fields: str, spec: Json) -> None:
    await bound(api, f"Object{{spec: Object.spec{{{fields}}}}}")
    answer = await api.create(spec={"ware": [{"name": "a", "height": 1}]})
    assert answer.body["spec"] == {"lid": "on", "ware": [{"name": "a", "height": 1}], **spec}


async def test_items_of_a_list_are_merged_by_their_keys(api: Admitting) -> None:
    await bound(api, "Object{spec: Object.spec{ware: [Object.spec.ware{name: 'b', height: 9}]}}")
    answer = await api.create(spec={"ware": [{"name": "a", "height": 1}, {"name": "b", "height": 2}]})
    assert answer.body["spec"]["ware"] == [{"name": "a", "height": 1}, {"name": "b", "height": 9}]


async def test_labels_are_set_with_keys_escaped(api: Admitting) -> None:
    key = "jsonpatch.escapeKey('example.com/by')"
    await bound(api, f"[JSONPatch{{op: 'add', path: '/metadata/labels/' + {key}, value: 'policy'}}]")
    assert (await api.create(metadata={"labels": {"a": "b"}})).body["metadata"]["labels"] == {"a": "b", "example.com/by": "policy"}


@pytest.mark.parametrize(
    ("mutation", "told"),
    [
        (
            "Object{spec: Object.spec{heat: object.spec.heat / 0}}",
            "expression 'Object{spec: Object.spec{heat: object.spec.heat / 0}}' resulted in error: division by zero",
        ),
        (
            "Object{spec: Object.spec{trace: ['a']}}",
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.trace",
        ),
        (
            "Object{spec: Object.spec{nothing: 1}}",
            "error applying patch: failed to convert patch object to typed object: .spec.nothing: field not declared in schema",
        ),
        (
            "Object{spec: Object.status{phase: 'x'}}",
            (
                'type mismatch: unexpected type name "Object.status", expected "Object.spec", '
                "which matches field name path from root Object type"
            ),
        ),
        (
            "[JSONPatch{op: 'remove', path: '/spec/nothing'}]",
            "JSON Patch: error in remove for path: '/spec/nothing': Unable to remove nonexistent key: nothing: missing value",
        ),
    ],
)
async def test_a_mutation_that_fails_refuses_the_request(api: Admitting, mutation: str, told: str) -> None:
    await bound(api, mutation)
    assert (await api.create(spec={"heat": 1})).body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": DENIED + told,
        "reason": "Invalid",
        "details": {"name": "a", "group": "example.com", "kind": "kilns", "causes": [{"message": DENIED + told}]},
        "code": 403,
    }


async def test_a_mutation_that_may_fail_is_left_out(api: Admitting) -> None:
    await bound(api, "Object{spec: Object.spec{heat: 1 / 0}}", "Object{spec: Object.spec{glaze: 'red'}}", failurePolicy="Ignore")
    assert (await api.create(spec={})).body["spec"] == {"lid": "on", "glaze": "red"}


async def test_variables_and_conditions(api: Admitting) -> None:
    await bound(
        api,
        "Object{spec: Object.spec{heat: variables.twice}}",
        variables=[{"name": "twice", "expression": "object.spec.heat * 2"}],
        matchConditions=[{"name": "hot", "expression": "object.spec.heat > 5"}],
    )
    assert (await api.create(spec={"heat": 1})).body["spec"]["heat"] == 1
    assert (await api.create("b", spec={"heat": 6})).body["spec"]["heat"] == 12


async def test_parameters(api: Admitting) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {"glaze": "blue"}}
    await api.ask("create", body=body, of=("", "v1", "configmaps"), namespace="default")
    mutation = "Object{spec: Object.spec{glaze: params.data.glaze}}"
    await api.put_up(
        mutating(mutation, paramKind={"apiVersion": "v1", "kind": "ConfigMap"}),
        binding("Mutating", paramRef={"name": "m", "parameterNotFoundAction": "Deny"}),
    )
    assert (await api.create(spec={})).body["spec"]["glaze"] == "blue"


async def test_a_rule_for_another_version_sees_and_changes_that(api: Admitting) -> None:
    await bound(api, "Object{spec: Object.spec{glaze: object.apiVersion}}")
    answer = await api.create(version="v2", spec={})
    assert (answer.body["apiVersion"], answer.body["spec"]["glaze"]) == ("example.com/v2", "example.com/v1")


async def test_a_policy_goes_before_webhooks_and_again_after_them_if_it_wants(api: Admitting) -> None:
    grow = "[JSONPatch{op: 'add', path: '/spec/trace', value: object.spec.?trace.orValue([]) + ['policy']}]"
    api.hooks.responses["/check"] = trace("webhook")
    await bound(api, grow, reinvocationPolicy="IfNeeded")
    await api.put_up(configuration(webhook(), kind="Mutating"))
    assert (await api.create(spec={})).body["spec"]["trace"] == ["policy", "webhook", "policy"]


@pytest.mark.parametrize(
    ("wants", "trace"),
    [({"reinvocationPolicy": "IfNeeded"}, ["policy", "policy"]), ({}, ["policy"])],
)
async def test_a_policy_that_wants_follows_itself(api: Admitting, wants: Json, trace: Json) -> None:
    await bound(api, "[JSONPatch{op: 'add', path: '/spec/trace', value: object.spec.?trace.orValue([]) + ['policy']}]", **wants)
    assert (await api.create(spec={})).body["spec"]["trace"] == trace


async def test_what_the_last_policy_makes_in_its_version_counts(api: Admitting) -> None:
    await bound(api, "Object{spec: Object.spec{glaze: 'red'}}")
    rule = {"operations": ["*"], "apiGroups": ["example.com"], "apiVersions": ["v2"], "resources": ["kilns"]}
    second = mutating("Object{spec: Object.spec{lid: object.spec.lid}}", name="q", matchConstraints={"resourceRules": [rule]})
    await api.put_up(second, binding("Mutating", name="c", of="q"))
    assert "glaze" not in (await api.create(spec={})).body["spec"]


async def test_a_policy_that_does_not_want_is_not_followed_again(api: Admitting) -> None:
    grow = "[JSONPatch{op: 'add', path: '/spec/trace', value: object.spec.?trace.orValue([]) + ['policy']}]"
    api.hooks.responses["/check"] = patch(add("/spec/heat", 1))
    await bound(api, grow)
    await api.put_up(configuration(webhook(), kind="Mutating"))
    assert (await api.create(spec={})).body["spec"]["trace"] == ["policy"]


@pytest.mark.parametrize(
    ("mutation", "told"),
    [
        ("object", 'applyConfiguration.expression: Invalid value: "object": must evaluate to Object but got dyn'),
        ("[1]", 'jsonPatch.expression: Invalid value: "[1]": must evaluate to list(JSONPatch) but got list(int)'),
    ],
)
async def test_mutations_are_checked_when_they_are_written(api: Admitting, mutation: str, told: str) -> None:
    answer = await api.configure(mutating(mutation))
    assert answer.message == f'MutatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.mutations[0].{told}'
