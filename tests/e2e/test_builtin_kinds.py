"""Built-in kinds through the real kubectl."""

from __future__ import annotations

from tests.e2e.kubectl import Kubectl


def test_a_namespace_is_created_filled_and_deleted(kubectl: Kubectl) -> None:
    assert kubectl("create", "namespace", "orchard") == "namespace/orchard created\n"
    assert kubectl("create", "configmap", "settings", "--from-literal=colour=red", "-n", "orchard") == "configmap/settings created\n"
    assert kubectl("create", "secret", "generic", "key", "--from-literal=pin=1234", "-n", "orchard") == "secret/key created\n"
    assert kubectl("create", "sa", "gardener", "-n", "orchard") == "serviceaccount/gardener created\n"
    assert kubectl.get("configmap", "settings", "-n", "orchard")["data"] == {"colour": "red"}
    assert kubectl.get("secret", "key", "-n", "orchard")["data"] == {"pin": "MTIzNA=="}
    assert "gardener" in kubectl("get", "sa", "-n", "orchard")
    kubectl("delete", "namespace", "orchard")
    assert "not found" in kubectl.refused("get", "namespace", "orchard")


def test_what_is_there_already_is_not_created(kubectl: Kubectl) -> None:
    kubectl("create", "configmap", "once")
    assert kubectl.refused("create", "configmap", "once") == 'error: failed to create configmap: configmaps "once" already exists\n'
