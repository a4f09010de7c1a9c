"""What the Kubernetes page "Extend the Kubernetes API with CustomResourceDefinitions" shows, done with the real kubectl."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.kubectl import Kubectl

GROUP = "stable.example.com"


def crontabs(
    spec: dict[str, Any], *, version: dict[str, Any] | None = None, names: dict[str, Any] | None = None, **root: Any
) -> dict[str, Any]:
    """The page's definition of CronTabs, with what a step of it adds."""
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}, **root.pop("properties", {})}, **root}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"crontabs.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": "crontabs", "singular": "crontab", "kind": "CronTab", "shortNames": ["ct"], **(names or {})},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **(version or {})}],
        },
    }


PLAIN = {"cronSpec": {"type": "string"}, "image": {"type": "string"}, "replicas": {"type": "integer"}}


def crontab(name: str = "my-new-cron-object", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "CronTab",
        "metadata": {"name": name},
        "spec": {"cronSpec": "* * * * */5", "image": "my-awesome-cron-image", **spec},
    }


def test_an_object_is_created_and_found_by_every_name(kubectl: Kubectl) -> None:
    assert kubectl("apply", "-f", "-", given=crontabs(PLAIN)) == f"customresourcedefinition.apiextensions.k8s.io/crontabs.{GROUP} created\n"
    assert kubectl("apply", "-f", "-", given=crontab()) == f"crontab.{GROUP}/my-new-cron-object created\n"
    for name in ("crontab", "crontabs", "ct", "CronTab", f"crontabs.v1.{GROUP}", f"ct.{GROUP}"):
        assert kubectl("get", name, "-o", "name") == f"crontab.{GROUP}/my-new-cron-object\n"
    assert kubectl.get("ct", "my-new-cron-object")["spec"] == {"cronSpec": "* * * * */5", "image": "my-awesome-cron-image"}


def test_deleting_a_definition_deletes_its_objects_and_it_comes_back_empty(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=crontabs(PLAIN))
    kubectl("apply", "-f", "-", given=crontab())
    assert (
        kubectl("delete", "-f", "-", given=crontabs(PLAIN)) == f'customresourcedefinition.apiextensions.k8s.io "crontabs.{GROUP}" deleted\n'
    )
    assert "the server could not find the requested resource (get crontabs.stable.example.com)" in kubectl.refused("get", "crontabs")
    kubectl("apply", "-f", "-", given=crontabs(PLAIN))
    assert kubectl.get("crontabs")["items"] == []


def test_unknown_fields_are_pruned_and_told(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=crontabs(PLAIN))
    done = kubectl.run("create", "--validate=warn", "-f", "-", given=crontab(someRandomField=42))
    assert done.stdout == f"crontab.{GROUP}/my-new-cron-object created\n"
    assert done.stderr == 'Warning: unknown field "spec.someRandomField"\n'
    assert "someRandomField" not in kubectl.get("ct", "my-new-cron-object")["spec"]
    refused = kubectl.refused("create", "--validate=strict", "-f", "-", given=crontab("other", someRandomField=42))
    assert 'strict decoding error: unknown field "spec.someRandomField"' in refused


def test_unknown_fields_are_kept_where_the_schema_says_so(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=crontabs({**PLAIN, "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}))
    kubectl("apply", "-f", "-", given=crontab(any={"thing": [1, {"goes": True}]}))
    assert kubectl.get("ct", "my-new-cron-object")["spec"]["any"] == {"thing": [1, {"goes": True}]}


def test_values_are_validated(kubectl: Kubectl) -> None:
    spec = {
        "cronSpec": {"type": "string", "pattern": r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$"},
        "image": {"type": "string"},
        "replicas": {"type": "integer", "minimum": 1, "maximum": 10},
    }
    kubectl("apply", "-f", "-", given=crontabs(spec))
    refused = kubectl.refused("apply", "-f", "-", given=crontab(cronSpec="* * * *", replicas=15))
    assert refused.splitlines()[0] == 'The CronTab "my-new-cron-object" is invalid: '
    assert set(refused.splitlines()[1:]) == {
        r"""* spec.cronSpec: Invalid value: "* * * *": spec.cronSpec in body should match '^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$'""",
        "* spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10",
    }
    kubectl("apply", "-f", "-", given=crontab(replicas=5))


def test_defaults_and_nulls(kubectl: Kubectl) -> None:
    spec = {
        "cronSpec": {"type": "string", "default": "5 0 * * *"},
        "image": {"type": "string"},
        "foo": {"type": "string", "nullable": False, "default": "default"},
        "bar": {"type": "string", "nullable": True},
        "baz": {"type": "string"},
    }
    kubectl("apply", "-f", "-", given=crontabs(spec))
    made = crontab(foo=None, bar=None, baz=None)
    del made["spec"]["cronSpec"]
    kubectl("create", "-f", "-", given=made)
    assert kubectl.get("ct", "my-new-cron-object")["spec"] == {
        "cronSpec": "5 0 * * *",
        "image": "my-awesome-cron-image",
        "foo": "default",
        "bar": None,
    }


def test_explain_shows_the_schema(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=crontabs({**PLAIN, "replicas": {"type": "integer", "description": "How many run."}}))
    told = kubectl("explain", "crontabs.spec.replicas")
    assert "FIELD: replicas <integer>" in told
    assert "How many run." in told


def test_columns(kubectl: Kubectl) -> None:
    columns = [
        {"name": "Spec", "type": "string", "description": "The cron spec", "jsonPath": ".spec.cronSpec"},
        {"name": "Replicas", "type": "integer", "description": "How many jobs", "jsonPath": ".spec.replicas"},
        {"name": "Image", "type": "string", "jsonPath": ".spec.image", "priority": 1},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]
    kubectl("apply", "-f", "-", given=crontabs(PLAIN, version={"additionalPrinterColumns": columns}))
    kubectl("apply", "-f", "-", given=crontab(replicas=1))
    head, row = (line.split("  ") for line in kubectl("get", "crontab", "my-new-cron-object").splitlines())
    assert [cell.strip() for cell in head if cell] == ["NAME", "SPEC", "REPLICAS", "AGE"]
    assert [cell.strip() for cell in row if cell][:3] == ["my-new-cron-object", "* * * * */5", "1"]
    assert "IMAGE" in kubectl("get", "ct", "-o", "wide")


def test_selectable_fields(kubectl: Kubectl) -> None:
    spec = {"color": {"type": "string"}, "size": {"type": "string"}}
    definition = crontabs(spec, version={"selectableFields": [{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.size"}]})
    kubectl("apply", "-f", "-", given=definition)
    for name, color, size in (("example1", "blue", "S"), ("example2", "blue", "M"), ("example3", "green", "M")):
        made = {"apiVersion": f"{GROUP}/v1", "kind": "CronTab", "metadata": {"name": name}, "spec": {"color": color, "size": size}}
        kubectl("apply", "-f", "-", given=made)
    assert kubectl("get", "ct", "--field-selector", "spec.color=blue", "-o", "name").split() == [
        f"crontab.{GROUP}/example1",
        f"crontab.{GROUP}/example2",
    ]
    assert kubectl("get", "ct", "--field-selector", "spec.color=green,spec.size=M", "-o", "name").split() == [f"crontab.{GROUP}/example3"]
    assert "field label not supported: spec.image" in kubectl.refused("get", "ct", "--field-selector", "spec.image=x")


def test_status_and_scale(kubectl: Kubectl) -> None:
    status = {"type": "object", "properties": {"replicas": {"type": "integer"}, "labelSelector": {"type": "string"}}}
    scale = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.labelSelector"}
    definition = crontabs(PLAIN, version={"subresources": {"status": {}, "scale": scale}}, properties={"status": status})
    kubectl("apply", "-f", "-", given=definition)
    kubectl("apply", "-f", "-", given=crontab(replicas=3))
    assert kubectl("scale", "--replicas=5", "crontabs/my-new-cron-object") == f"crontab.{GROUP}/my-new-cron-object scaled\n"
    assert kubectl("get", "crontabs", "my-new-cron-object", "-o", "jsonpath={.spec.replicas}") == "5"
    kubectl(
        "patch", "ct", "my-new-cron-object", "--subresource=status", "--type=merge", "-p", '{"status":{"replicas":5},"spec":{"replicas":9}}'
    )
    got = kubectl.get("ct", "my-new-cron-object")
    assert (got["spec"]["replicas"], got["status"], got["metadata"]["generation"]) == (5, {"replicas": 5}, 2)


def test_categories(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=crontabs(PLAIN, names={"categories": ["all"]}))
    kubectl("apply", "-f", "-", given=crontab())
    assert f"crontab.{GROUP}/my-new-cron-object" in kubectl("get", "all", "-o", "name")


def test_finalizers_hold_an_object_back(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=crontabs(PLAIN))
    made = crontab()
    made["metadata"]["finalizers"] = [f"{GROUP}/finalizer"]
    kubectl("create", "-f", "-", given=made)
    kubectl("delete", "ct", "my-new-cron-object", "--wait=false")
    assert kubectl.get("ct", "my-new-cron-object")["metadata"]["deletionTimestamp"]
    kubectl("patch", "ct", "my-new-cron-object", "--type=json", "-p", '[{"op":"remove","path":"/metadata/finalizers"}]')
    assert kubectl.get("ct")["items"] == []


@pytest.mark.parametrize("scope", ["Namespaced", "Cluster"])
def test_scopes(kubectl: Kubectl, scope: str) -> None:
    definition = crontabs(PLAIN)
    definition["spec"]["scope"] = scope
    kubectl("apply", "-f", "-", given=definition)
    kubectl("create", "namespace", "somewhere")
    kubectl("-n", "somewhere", "apply", "-f", "-", given=crontab())
    got = kubectl.get("ct", "-A")["items"]
    assert [item["metadata"].get("namespace") for item in got] == ["somewhere" if scope == "Namespaced" else None]
