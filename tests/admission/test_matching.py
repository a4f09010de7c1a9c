"""Which webhooks are asked about which requests."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission.conftest import Admitting
from tests.admission.doubles import KILNS, add, allow, configuration, deny, patch, policy, webhook
from tests.registry.conftest import MERGE

Json = Any


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({}, True),
        ({"operations": ["CREATE"]}, True),
        ({"operations": ["UPDATE", "DELETE"]}, False),
        ({"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}, True),
        ({"apiGroups": ["other.com"]}, False),
        ({"apiVersions": ["v9"]}, False),
        ({"resources": ["*/*"]}, True),
        ({"resources": ["kilns/*"]}, True),
        ({"resources": ["*/status"]}, False),
        ({"resources": ["ovens"]}, False),
        ({"scope": "Namespaced"}, True),
        ({"scope": "Cluster"}, False),
    ],
)
async def test_rules(api: Admitting, changed: Json, asked: bool) -> None:
    await api.hook(allow, rules=[{**KILNS, **changed}])
    await api.create()
    assert bool(api.hooks.asked) is asked


async def test_without_rules_nobody_is_asked(api: Admitting) -> None:
    await api.hook(allow, rules=[])
    assert (await api.create()).code == 201
    assert api.hooks.asked == []


async def test_a_rule_without_subresources_is_about_none(api: Admitting) -> None:
    await api.create()
    await api.hook(allow)
    await api.ask("patch", "a", {"status": {"phase": "Hot"}}, type=MERGE, subresource="status")
    assert api.hooks.asked == []


async def test_an_object_is_chosen_by_what_it_was_or_is(api: Admitting) -> None:
    await api.create(metadata={"labels": {"check": "yes"}})
    await api.create("b")
    await api.hook(deny(), objectSelector={"matchLabels": {"check": "yes"}})
    unlabelled = {"metadata": {"labels": {"check": None}}}
    assert (await api.ask("patch", "a", unlabelled, type=MERGE)).code == 400
    assert (await api.ask("patch", "b", unlabelled, type=MERGE)).code == 200


@pytest.mark.parametrize(
    ("selector", "asked"),
    [
        ({"matchLabels": {"kubernetes.io/metadata.name": "default"}}, True),
        ({"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["default"]}]}, False),
        ({"matchExpressions": [{"key": "team", "operator": "Exists"}]}, False),
    ],
)
async def test_namespaces_are_chosen_by_their_labels(api: Admitting, selector: Json, asked: bool) -> None:
    await api.hook(allow, namespaceSelector=selector)
    await api.create()
    assert bool(api.hooks.asked) is asked


async def test_a_rule_for_one_version_catches_the_others(api: Admitting) -> None:
    await api.hook(lambda request: patch(add("/spec/glaze", request["object"]["apiVersion"]))(request), kind="Mutating")
    answer = await api.create(version="v2", spec={})
    assert (answer.body["apiVersion"], answer.body["spec"]["glaze"]) == ("example.com/v2", "example.com/v1")
    (request,) = api.hooks.requests
    assert (request["kind"]["version"], request["resource"]["version"]) == ("v1", "v1")
    assert (request["requestKind"]["version"], request["requestResource"]["version"]) == ("v2", "v2")


async def test_a_rule_for_exactly_one_version_does_not(api: Admitting) -> None:
    await api.hook(allow, matchPolicy="Exact")
    await api.create(version="v2")
    assert api.hooks.asked == []


async def test_a_rule_that_matches_as_it_is_goes_before_others(api: Admitting) -> None:
    await api.hook(allow, rules=[KILNS, {**KILNS, "apiVersions": ["v2"]}])
    await api.create(version="v2")
    assert api.hooks.requests[0]["kind"]["version"] == "v2"


async def test_conditions_must_all_be_true(api: Admitting) -> None:
    conditions = [{"name": "hot", "expression": "object.spec.heat > 5"}, {"name": "open", "expression": "request.operation == 'CREATE'"}]
    await api.hook(deny("asked"), matchConditions=conditions)
    assert (await api.create(spec={"heat": 1})).code == 201
    assert (await api.create("b", spec={"heat": 9})).code == 400


async def test_a_condition_without_a_value_forbids_the_request(api: Admitting) -> None:
    conditions = [{"name": "hot", "expression": "object.spec.heat > 5"}]
    await api.hook(allow, matchConditions=conditions)
    answer = await api.create(spec={"glaze": "red"})
    told = "expression 'object.spec.heat > 5' resulted in error: no such key: heat"
    assert (answer.code, answer.message) == (403, f'kilns.example.com "a" is forbidden: {told}')
    assert answer.body["details"] == {"name": "a", "group": "example.com", "kind": "kilns"}


async def test_a_condition_that_is_false_decides_whatever_becomes_of_others(api: Admitting) -> None:
    conditions = [{"name": "hot", "expression": "object.spec.heat > 5"}, {"name": "never", "expression": "false"}]
    await api.hook(deny(), matchConditions=conditions)
    assert (await api.create(spec={})).code == 201


async def test_a_condition_of_a_webhook_that_may_fail_may_have_no_value(api: Admitting) -> None:
    conditions = [{"name": "hot", "expression": "object.spec.heat > 5"}]
    await api.hook(deny(), matchConditions=conditions, failurePolicy="Ignore")
    assert (await api.create(spec={})).code == 201


async def test_nobody_is_asked_about_those_who_are_asked(api: Admitting) -> None:
    everything = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*/*"]}
    await api.hook(deny(), rules=[everything])
    await api.put_up(configuration(webhook(), kind="Mutating", name="d"), policy("true"))
    assert api.hooks.asked == []


async def test_a_configuration_that_is_gone_is_forgotten(api: Admitting) -> None:
    await api.hook(deny())
    assert (await api.create()).code == 400
    await api.ask("delete", "c", of=("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations"))
    assert api.registry.store.admission.configurations.idle
    assert (await api.create()).code == 201
