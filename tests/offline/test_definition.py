"""The library: definitions loaded without a server, and what they say of objects."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

import crdkit
from tests.offline.crontabs import SPEC, crontab, definition, schema, version


@pytest.fixture
def crontabs() -> crdkit.Definition:
    return crdkit.load(definition())


def test_a_definition_is_loaded_from_a_dictionary_which_stays_as_it_is() -> None:
    raw = definition()
    before = copy.deepcopy(raw)
    loaded = crdkit.load(raw)
    assert (loaded.name, loaded.group, loaded.kind, loaded.namespaced, loaded.versions) == (
        "crontabs.example.com",
        "example.com",
        "CronTab",
        True,
        ["v1"],
    )
    assert raw == before


def test_a_definition_is_loaded_from_a_file_that_holds_others_too(tmp_path: Path) -> None:
    file = tmp_path / "all.yaml"
    file.write_text(f"kind: Namespace\napiVersion: v1\nmetadata: {{name: a}}\n---\n{json.dumps(definition())}\n")
    assert crdkit.load(file).kind == "CronTab"
    assert crdkit.load(str(file)).kind == "CronTab"


def test_a_file_with_no_definition_or_two_is_not_loaded(tmp_path: Path) -> None:
    file = tmp_path / "none.yaml"
    file.write_text("kind: Namespace\napiVersion: v1\n")
    with pytest.raises(ValueError, match=r"none.yaml holds no definition"):
        crdkit.load(file)
    file.write_text(f"{json.dumps(definition())}\n---\n{json.dumps(definition())}\n")
    with pytest.raises(ValueError, match=r"holds 2 definitions \(crontabs.example.com, crontabs.example.com\), not one"):
        crdkit.load(file)
    file.write_text("kind: A\n---\nkind: A\n  b: c\n")
    with pytest.raises(ValueError, match=r"none.yaml:4: yaml: mapping values are not allowed in this context$"):
        crdkit.load(file)


def test_a_definition_that_a_server_refuses_is_refused_in_its_words() -> None:
    with pytest.raises(crdkit.DefinitionRefused) as refused:
        crdkit.load(definition(scope="Planetary"))
    told = 'Unsupported value: "Planetary": supported values: "Cluster", "Namespaced"'
    assert [str(error) for error in refused.value.errors] == [f"spec.scope: {told}"]
    message = f'CustomResourceDefinition.apiextensions.k8s.io "crontabs.example.com" is invalid: spec.scope: {told}'
    assert str(refused.value) == message


def test_a_definition_of_old_is_refused() -> None:
    with pytest.raises(crdkit.DefinitionRefused, match=r"no kind \"CustomResourceDefinition\" is registered"):
        crdkit.load({**definition(), "apiVersion": "apiextensions.k8s.io/v1beta1"})


def test_an_unsupported_kubernetes_is_told() -> None:
    with pytest.raises(ValueError, match=r"unsupported Kubernetes version '1.5': supported versions are 1.36, 1.33"):
        crdkit.load(definition(), kube_version="1.5")
    with pytest.raises(ValueError, match=r"unsupported Kubernetes version '1.30': supported versions are 1.36, 1.33"):
        crdkit.load(definition(), kube_version=crdkit.KubeVersion(1, 30))


def test_a_good_object_has_no_problems_and_stays_as_it_is(crontabs: crdkit.Definition) -> None:
    obj = crontab(unknown=True)
    before = copy.deepcopy(obj)
    assert crontabs.validate(obj) == []
    assert obj == before


def test_problems_tell_the_field_and_the_server_s_words(crontabs: crdkit.Definition) -> None:
    problems = crontabs.validate(crontab(replicas="two", tags=["a", "a"]))
    assert [(problem.path, problem.message, problem.reason) for problem in problems] == [
        ("spec.replicas", 'Invalid value: "string": spec.replicas in body must be of type integer: "string"', "FieldValueTypeInvalid"),
        ("spec.tags[1]", 'Duplicate value: "a"', "FieldValueDuplicate"),
    ]


def test_metadata_is_judged_too(crontabs: crdkit.Definition) -> None:
    problems = crontabs.validate({**crontab(), "metadata": {"labels": {"a": "b c"}}})
    assert [problem.path for problem in problems] == ["metadata.name", "metadata.labels"]
    assert problems[0].message == "Required value: name or generateName is required"


def test_the_words_are_those_of_the_kubernetes_wanted() -> None:
    long = crontab(schedule="*" * 30, tags=[{}])
    told = {kube: crdkit.load(definition(), kube).validate(long)[0].message for kube in ("1.36", "1.33")}
    assert told == dict.fromkeys(told, "Too long: may not be more than 20 bytes")
    twice = version(openapi=schema({**SPEC, "properties": {**SPEC["properties"], "tags": MAP_LIST}}))
    told = {kube: crdkit.load(definition(twice), kube).validate(crontab(tags=[{"k": "a"}, {"k": "a"}]))[0].message for kube in told}
    assert told == {"1.36": 'Duplicate value: {"k":"a"}', "1.33": 'Duplicate value: map[string]interface {}{"k":"a"}'}


MAP_LIST = {
    "type": "array",
    "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}},
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
}


def test_the_answer_to_a_new_object_is_what_would_be_stored(crontabs: crdkit.Definition) -> None:
    verdict = crontabs.admit(crontab(unknown=True, status={"ready": 1}))
    assert verdict.accepted
    assert verdict.code == 201
    assert verdict.object == {
        "apiVersion": "example.com/v1",
        "kind": "CronTab",
        "metadata": {"name": "a", "namespace": "default", "generation": 1},
        "spec": {"schedule": "* *", "replicas": 1},
    }
    assert verdict.warnings == ['unknown field "spec.unknown"']
    assert verdict.unknown_fields == ["spec.unknown"]


def test_a_refusal_has_the_server_s_message(crontabs: crdkit.Definition) -> None:
    verdict = crontabs.admit(crontab(replicas=0))
    assert (verdict.accepted, verdict.code, verdict.object) == (False, 422, None)
    told = "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1"
    assert verdict.message == f'CronTab.example.com "a" is invalid: {told}'
    assert [str(error) for error in verdict.errors] == [told]


def test_unknown_fields_are_refused_where_that_is_wanted(crontabs: crdkit.Definition) -> None:
    verdict = crontabs.admit(crontab(unknown=1), field_validation="Strict")
    assert verdict.code == 400
    assert [(error.path, error.message) for error in verdict.errors] == [("spec.unknown", 'unknown field "spec.unknown"')]
    assert verdict.message == (
        'CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknown field "spec.unknown"'
    )
    assert crontabs.admit(crontab(unknown=1), field_validation="Ignore").warnings == []


def test_metadata_of_a_wrong_type_is_refused_as_a_whole(crontabs: crdkit.Definition) -> None:
    verdict = crontabs.admit({**crontab(), "metadata": {"name": "a", "annotations": {"a": 1}}})
    told = "json: cannot unmarshal number into Go struct field ObjectMeta.annotations of type string"
    assert verdict.message == f'CronTab in version "v1" cannot be handled as a CronTab: {told}'
    assert [str(error) for error in verdict.errors] == [verdict.message]


def test_an_object_without_kind_is_refused(crontabs: crdkit.Definition) -> None:
    obj = crontab()
    del obj["kind"]
    assert "Object 'Kind' is missing in" in crontabs.validate(obj)[0].message


def test_an_object_of_another_kind_is_refused(crontabs: crdkit.Definition) -> None:
    assert [str(problem) for problem in crontabs.validate({**crontab(), "kind": "Crontab"})] == [
        'kind: Invalid value: "Crontab": must be CronTab'
    ]


def test_a_version_that_is_not_served_has_no_match(crontabs: crdkit.Definition) -> None:
    assert [str(problem) for problem in crontabs.validate(crontab(api="example.com/v7"))] == [
        'apiVersion: no matches for kind "CronTab" in version "example.com/v7"'
    ]


def test_the_version_of_the_url_can_be_given(crontabs: crdkit.Definition) -> None:
    verdict = crontabs.admit(crontab(api="example.com/v7"), version="v1")
    assert verdict.message == "the API version in the data (example.com/v7) does not match the expected API version (example.com/v1)"


def test_a_name_may_be_generated(crontabs: crdkit.Definition) -> None:
    stored = crontabs.admit({**crontab(), "metadata": {"generateName": "job-"}}).object
    assert stored is not None
    assert stored["metadata"] == {"generateName": "job-", "namespace": "default", "generation": 1}


def test_a_deprecated_version_warns() -> None:
    old = version("v1", deprecated=True, storage=False)
    loaded = crdkit.load(definition(old, version("v2")))
    assert loaded.admit(crontab()).warnings == ["example.com/v1 CronTab is deprecated; use example.com/v2 CronTab"]


def test_an_update_keeps_what_was_wrong_before(crontabs: crdkit.Definition) -> None:
    old, new = crontab(replicas=0), crontab(replicas=0, schedule="* * *")
    assert crontabs.validate(new, old) == []
    assert [problem.path for problem in crontabs.validate(crontab(replicas=-1), old)] == ["spec.replicas"]


def test_an_update_keeps_the_status_and_counts_changes(crontabs: crdkit.Definition) -> None:
    old = {**crontab(status={"ready": 1}), "metadata": {"name": "a", "uid": "u", "resourceVersion": "7", "generation": 4}}
    verdict = crontabs.admit(crontab(schedule="*", status={"ready": 2}), old)
    assert verdict.code == 200
    assert verdict.object is not None
    assert verdict.object["status"] == {"ready": 1}
    assert verdict.object["metadata"] == {"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "7", "generation": 5}
    assert crontabs.admit(crontab(), crontab()).object == crontabs.admit(crontab()).object


def test_rules_are_run_and_transitions_on_updates() -> None:
    rules = [
        {"rule": "self.replicas < 9", "message": "too many"},
        {"rule": "self.replicas >= oldSelf.replicas", "message": "never fewer"},
    ]
    loaded = crdkit.load(definition(version(openapi=schema({**SPEC, "x-kubernetes-validations": rules}))))
    assert [str(problem) for problem in loaded.validate(crontab(replicas=9))] == ["spec: Invalid value: too many"]
    assert loaded.validate(crontab(replicas=2)) == []
    assert [str(problem) for problem in loaded.validate(crontab(replicas=2), crontab(replicas=3))] == ["spec: Invalid value: never fewer"]


def test_a_rule_that_cannot_be_compiled_refuses_its_definition() -> None:
    with pytest.raises(crdkit.DefinitionRefused, match="undefined field 'gone'"):
        crdkit.load(definition(version(openapi=schema({**SPEC, "x-kubernetes-validations": [{"rule": "self.gone"}]}))))


def test_a_name_cannot_be_changed(crontabs: crdkit.Definition) -> None:
    told = {str(problem) for problem in crontabs.validate(crontab("b"), crontab("a"))}
    assert told == {'metadata.name: Invalid value: "b": field is immutable'}


def test_only_the_status_is_written_at_its_subresource(crontabs: crdkit.Definition) -> None:
    verdict = crontabs.admit(crontab(schedule="other", status={"ready": 3}), crontab(), subresource="status")
    assert verdict.object is not None
    assert (verdict.object["spec"]["schedule"], verdict.object["status"]) == ("* *", {"ready": 3})
    refused = crontabs.admit(crontab(status={"ready": "x"}), crontab(), subresource="status")
    assert [error.path for error in refused.errors] == ["status.ready"]
    with pytest.raises(ValueError, match=r"example.com/v1 CronTab has no subresource 'scale'"):
        crontabs.admit(crontab(), crontab(), subresource="scale")


def test_what_the_storage_version_does_not_have_is_lost() -> None:
    storage = version("v2", schema({"type": "object", "properties": {"schedule": {"type": "string"}}}))
    loaded = crdkit.load(definition(version("v1", storage=False), storage))
    stored = loaded.admit(crontab(replicas=3)).object
    assert stored is not None
    assert stored["spec"] == {"schedule": "* *"}


def test_an_older_object_of_another_version_is_compared() -> None:
    loaded = crdkit.load(definition(version("v1", storage=False), version("v2")))
    assert loaded.validate(crontab(api="example.com/v2", replicas=0), crontab(replicas=0)) == []


def test_conversion_by_a_webhook_needs_one() -> None:
    hook = {"clientConfig": {"url": "https://localhost"}, "conversionReviewVersions": ["v1"]}
    converted = definition(version("v1", storage=False), version("v2"), conversion={"strategy": "Webhook", "webhook": hook})
    loaded = crdkit.load(converted)
    with pytest.raises(crdkit.NeedsWebhook, match=r"crontabs.example.com converts v1 to v2 by a webhook"):
        loaded.validate(crontab(api="example.com/v2"), crontab())
    assert loaded.validate(crontab()) == []


def test_pruning_and_defaulting_give_new_objects(crontabs: crdkit.Definition) -> None:
    obj = crontab(unknown=1)
    assert crontabs.prune(obj) == crontab()
    assert crontabs.default(obj) == crontab(unknown=1, replicas=1)
    assert obj == crontab(unknown=1)
    with pytest.raises(ValueError, match=r"crontabs.example.com serves v1, not 'v9'"):
        crontabs.prune(obj, version="v9")


def test_a_cluster_scoped_object_has_no_namespace() -> None:
    loaded = crdkit.load(definition(scope="Cluster"))
    stored = loaded.admit({**crontab(), "metadata": {"name": "a", "namespace": "b"}}).object
    assert stored is not None
    assert stored["metadata"] == {"name": "a", "generation": 1}
