"""ValidatingAdmissionPolicies: what they see, what they say, and what becomes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crdkit.access.authorization import Decision
from crdkit.access.gate import Gate
from crdkit.meta.version import V1_36
from crdkit.registry.request import Request
from tests.admission.conftest import Admitting, admitting, version
from tests.admission.doubles import KILNS, binding, policy
from tests.registry.conftest import MERGE, kiln

Json = Any
DENIED = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: "
CONFIG_MAPS = ("", "v1", "configmaps")


def forbidden(told: str, name: str = "a") -> str:
    return f'kilns.example.com "{name}" is forbidden: {told}'


async def bound(api: Admitting, *validations: Json, **spec: Json) -> None:
    await api.put_up(policy(*validations, **spec), binding())


async def test_a_validation_that_is_false_denies_the_request(api: Admitting) -> None:
    await bound(api, {"expression": "object.spec.heat < 10", "message": " too hot "})
    assert (await api.create(spec={"heat": 1})).code == 201
    assert (await api.create("b", spec={"heat": 20})).body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": forbidden(f"{DENIED}too hot", "b"),
        "reason": "Invalid",
        "details": {"name": "b", "group": "example.com", "kind": "kilns", "causes": [{"message": f"{DENIED}too hot"}]},
        "code": 422,
    }


@pytest.mark.parametrize(
    ("validation", "told"),
    [
        ({}, "failed expression: object.spec.heat < 10"),
        ({"messageExpression": "'heat is ' + string(object.spec.heat)", "message": "m"}, "heat is 20"),
        ({"messageExpression": "string(object.spec.none)", "message": "m"}, "m"),
        ({"messageExpression": "' '", "message": "m"}, "m"),
        ({"messageExpression": "'two\\nlines'"}, "failed expression: object.spec.heat < 10"),
    ],
)
async def test_what_is_told_of_a_validation(api: Admitting, validation: Json, told: str) -> None:
    await bound(api, {"expression": " object.spec.heat < 10 ", **validation})
    assert (await api.create(spec={"heat": 20})).message == forbidden(DENIED + told)


@pytest.mark.parametrize(("reason", "code"), [("Forbidden", 403), ("Invalid", 422), ("RequestEntityTooLarge", 413)])
async def test_a_reason_makes_the_code(api: Admitting, reason: str, code: int) -> None:
    await bound(api, {"expression": "false", "reason": reason})
    answer = await api.create()
    assert (answer.code, answer.body["reason"]) == (code, reason)


async def test_an_expression_without_a_value_denies_unless_failures_are_ignored(api: Admitting) -> None:
    await bound(api, "object.spec.heat < 10")
    told = "expression 'object.spec.heat < 10' resulted in error: no such key: heat"
    assert (await api.create(spec={})).message == forbidden(DENIED + told)
    ignoring = {"spec": {"failurePolicy": "Ignore"}}
    await api.ask("patch", "p", ignoring, type=MERGE, of=("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies"))
    assert (await api.create(spec={})).code == 201


async def test_variables_are_worked_out_from_each_other_when_they_are_needed(api: Admitting) -> None:
    variables = [
        {"name": "heat", "expression": "object.spec.heat"},
        {"name": "double", "expression": "variables.heat * 2"},
        {"name": "boom", "expression": "1 / (variables.heat - variables.heat)"},
    ]
    told = {"expression": "variables.double < 20", "messageExpression": "'double is ' + string(variables.double)"}
    await bound(api, told, variables=variables)
    assert (await api.create(spec={"heat": 20})).message == forbidden(f"{DENIED}double is 40")
    assert (await api.create(spec={"heat": 2})).code == 201


async def test_a_variable_without_a_value_is_told_by_name(api: Admitting) -> None:
    await bound(api, "variables.boom > 1", variables=[{"name": "boom", "expression": "1 / int(object.spec.glaze)"}])
    told = """expression 'variables.boom > 1' resulted in error: composited variable "boom" fails to evaluate: division by zero"""
    assert (await api.create(spec={"glaze": "0"})).message == forbidden(DENIED + told)


async def test_expressions_see_the_request_and_the_namespace(api: Admitting) -> None:
    seen = (
        "[request.operation, request.name, request.namespace, request.kind.kind, request.resource.resource, request.userInfo.username,"
        " string(request.dryRun), namespaceObject.metadata.name, string(oldObject == null), string(has(request.subResource))].join('|')"
    )
    await bound(api, {"expression": "false", "messageExpression": seen})
    told = "CREATE|a|default|Kiln|kilns|system:anonymous|true|default|true|false"
    assert (await api.create(query="dryRun=All")).message == forbidden(DENIED + told)


async def test_a_delete_has_no_object(api: Admitting) -> None:
    await api.create(spec={"heat": 1})
    await bound(api, {"expression": "object != null || oldObject.spec.heat > 5", "message": "keep it"})
    assert (await api.ask("delete", "a")).message == forbidden(f"{DENIED}keep it")


async def test_warnings_are_given_for_all_that_fails(api: Admitting) -> None:
    await api.put_up(
        policy({"expression": "false", "message": "one"}, "object.spec.none == 1"), binding(validationActions=["Warn", "Audit"])
    )
    answer = await api.create(spec={})
    head = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': "
    failed = "expression 'object.spec.none == 1' resulted in error: no such key: none"
    assert (answer.code, answer.warnings) == (201, [f"{head}one", f"{head}{failed}"])


async def test_a_binding_narrows_a_policy_down(api: Admitting) -> None:
    await api.put_up(policy("false"), binding(matchResources={"objectSelector": {"matchLabels": {"check": "yes"}}}))
    assert (await api.create()).code == 201
    assert (await api.create("b", metadata={"labels": {"check": "yes"}})).code == 422


async def test_a_policy_without_a_binding_does_nothing(api: Admitting) -> None:
    await api.put_up(policy("false"))
    assert (await api.create()).code == 201


@pytest.mark.parametrize(
    ("constraints", "code"),
    [
        ({"excludeResourceRules": [{**KILNS, "operations": ["CREATE"]}]}, 201),
        ({"resourceRules": [{**KILNS, "resourceNames": ["b"]}]}, 201),
        ({"resourceRules": [{**KILNS, "resourceNames": ["a"]}]}, 422),
        ({"matchPolicy": "Exact", "resourceRules": [{**KILNS, "apiVersions": ["v2"]}]}, 201),
        ({"resourceRules": [{**KILNS, "apiVersions": ["v2"]}]}, 422),
    ],
)
async def test_constraints(api: Admitting, constraints: Json, code: int) -> None:
    await bound(api, "false", matchConstraints={"resourceRules": [KILNS], **constraints})
    assert (await api.create()).code == code


async def test_conditions_decide_whether_a_policy_is_followed(api: Admitting) -> None:
    await bound(api, "false", matchConditions=[{"name": "hot", "expression": "object.spec.heat > 5"}])
    assert (await api.create(spec={"heat": 1})).code == 201
    told = "expression 'object.spec.heat > 5' resulted in error: no such key: heat"
    assert (await api.create(spec={})).message == forbidden(DENIED + told)


async def test_an_annotation_without_a_value_denies(api: Admitting) -> None:
    await bound(api, auditAnnotations=[{"key": "k", "valueExpression": "string(object.spec.none)"}])
    told = "expression 'string(object.spec.none)' resulted in error: no such key: none"
    assert (await api.create(spec={})).message == forbidden(DENIED + told)


async def test_a_policy_may_not_cost_too_much(api: Admitting) -> None:
    squares = "object.spec.trace.all(a, object.spec.trace.all(b, object.spec.trace.all(c, a + b + c != 'x')))"
    await bound(api, squares)
    told = f"expression '{squares}' resulted in error: operation cancelled: actual cost limit exceeded"
    assert (await api.create(spec={"trace": ["a"] * 100})).message == forbidden(DENIED + told)


class Guests:
    """Everybody may look."""

    def decide(self, user: object, action: Any) -> Decision:
        return Decision(action.verb in ("get", "create"), "guests may look")

    def permissions(self, user: object, namespace: str) -> Any:
        raise NotImplementedError


async def test_expressions_ask_for_rights() -> None:
    async for api in admitting(V1_36, [version("v1", storage=True)], gate=Gate(Guests())):
        await bound(
            api,
            "authorizer.group('').resource('pods').check('get').allowed()",
            "!authorizer.requestResource.check('delete').allowed()",
            "authorizer.path('/healthz').check('get').reason() == 'guests may look'",
            "!authorizer.serviceAccount('default', 'x').group('').resource('pods').check('delete').errored()",
        )
        assert (await api.create()).code == 201


# Parameters


async def limit(api: Admitting, name: str, most: int, namespace: str = "default") -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": {"limits": "yes"}}, "data": {"most": str(most)}}
    assert (await api.ask("create", body=body, of=CONFIG_MAPS, namespace=namespace)).code == 201


async def limited(api: Admitting, **ref: Json) -> None:
    told = {"expression": "object.spec.heat <= int(params.data.most)", "messageExpression": "'at most ' + params.data.most"}
    await api.put_up(
        policy(told, paramKind={"apiVersion": "v1", "kind": "ConfigMap"}),
        binding(paramRef={"parameterNotFoundAction": "Deny", **ref}),
    )


async def test_a_parameter_is_named_in_a_namespace_or_that_of_the_object(api: Admitting) -> None:
    await limit(api, "m", 5)
    await limited(api, name="m")
    assert (await api.create(spec={"heat": 6})).message == forbidden(f"{DENIED}at most 5")
    assert (await api.create(spec={"heat": 5})).code == 201


async def test_each_of_several_parameters_must_be_met(api: Admitting) -> None:
    await limit(api, "one", 5)
    await limit(api, "two", 50)
    await limited(api, selector={"matchLabels": {"limits": "yes"}}, namespace="default")
    assert (await api.create(spec={"heat": 6})).message == forbidden(f"{DENIED}at most 5")
    assert (await api.create(spec={"heat": 5})).code == 201


async def test_a_parameter_that_is_missing_denies_if_the_binding_says_so(api: Admitting) -> None:
    await limited(api, name="gone")
    why = "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"
    assert (await api.create()).message == forbidden(DENIED + why)


async def test_a_parameter_that_is_missing_may_be_allowed(api: Admitting) -> None:
    await limited(api, name="gone", parameterNotFoundAction="Allow")
    assert (await api.create()).code == 201


async def test_without_a_reference_there_is_no_parameter(api: Admitting) -> None:
    await bound(api, "params == null", paramKind={"apiVersion": "v1", "kind": "ConfigMap"})
    assert (await api.create()).code == 201


async def test_a_kind_of_parameters_must_exist(api: Admitting) -> None:
    await bound(api, "true", paramKind={"apiVersion": "example.com/v1", "kind": "Nothing"})
    why = "failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Nothing'"
    assert (await api.create()).message == forbidden(f"ValidatingAdmissionPolicy 'p' denied request: {why}")


async def test_custom_objects_are_parameters_too(api: Admitting) -> None:
    await api.create("most", spec={"heat": 3})
    await api.put_up(
        policy("object.spec.heat <= params.spec.heat", paramKind={"apiVersion": "example.com/v1", "kind": "Kiln"}),
        binding(paramRef={"name": "most", "parameterNotFoundAction": "Deny"}),
    )
    assert (await api.create(spec={"heat": 4})).code == 422
    assert (await api.create(spec={"heat": 3})).code == 201


# What a policy may say


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (
            {"validations": [{"expression": "object.spec.heat"}]},
            'spec.validations[0].expression: Invalid value: "object.spec.heat": must evaluate to bool but got dyn',
        ),
        (
            {"validations": [{"expression": "true", "messageExpression": "authorizer.path('/')"}]},
            (
                "spec.validations[0].messageExpression: Invalid value: \"authorizer.path('/')\": compilation failed: "
                "ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')\n | authorizer.path('/')\n | ^"
            ),
        ),
        (
            {"validations": [{"expression": "params == null"}]},
            (
                'spec.validations[0].expression: Invalid value: "params == null": compilation failed: '
                "ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^"
            ),
        ),
        (
            {"validations": [{"expression": "true"}], "variables": [{"name": "a", "expression": "variables.b"}]},
            (
                'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: '
                "ERROR: <input>:1:10: undefined field 'b'\n | variables.b\n | .........^"
            ),
        ),
        (
            {"auditAnnotations": [{"key": "k", "valueExpression": "1"}]},
            'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
        ),
    ],
)
async def test_expressions_are_checked_when_they_are_written(api: Admitting, spec: Json, told: str) -> None:
    answer = await api.configure(policy(**spec))
    assert answer.message == f'ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: {told}'


async def test_conditions_that_stay_as_they_are_are_not_checked_again(api: Admitting) -> None:
    await api.put_up(policy("true", matchConditions=[{"name": "c", "expression": "true"}]))
    key = "/registry/validatingadmissionpolicies/p"
    entry = api.registry.cache.get(key)
    assert entry is not None
    odd = entry.value.replace(b'"name":"c","expression":"true"', b'"name":"c","expression":"nobody"')
    await api.registry.cache.put(key, odd, expected=entry.revision)
    policies = ("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies")
    assert (await api.ask("patch", "p", {"spec": {"failurePolicy": "Ignore"}}, type=MERGE, of=policies)).code == 200
    more = {"spec": {"matchConditions": [{"name": "c", "expression": "nobody"}, {"name": "d", "expression": "true"}]}}
    assert (await api.ask("patch", "p", more, type=MERGE, of=policies)).code == 422


async def test_audits_are_told_what_policies_note(api: Admitting) -> None:
    annotations = [{"key": "heat", "valueExpression": "string(object.spec.heat)"}, {"key": "none", "valueExpression": "null"}]
    await api.put_up(policy({"expression": "false", "message": "no"}, auditAnnotations=annotations), binding(validationActions=["Audit"]))
    request = Request("create", "example.com", "v1", "kilns", namespace="default", content_type="application/json")
    request.body = json.dumps(kiln(spec={"heat": 5})).encode()
    await api.registry.handle(request)
    failures = request.annotations.pop("validation.policy.admission.k8s.io/validation_failure")
    assert request.annotations == {"p/heat": "5"}
    assert json.loads(failures) == [{"message": "no", "policy": "p", "binding": "b", "expressionIndex": 0, "validationActions": ["Audit"]}]
