"""An operator as people write them on kopf; test_kopf.py runs it as they do."""

from __future__ import annotations

import logging
from typing import Any

import kopf
from kubernetes import client, config


@kopf.on.startup()
def prepare(settings: kopf.OperatorSettings, **_: Any) -> None:
    config.load_kube_config()
    settings.posting.level = logging.INFO
    settings.persistence.finalizer = "example.com/kopf"
    settings.networking.error_backoffs = [0.1, 0.2]


@kopf.on.create("widgets")
@kopf.on.update("widgets")
def label(spec: kopf.Spec, name: str, namespace: str, patch: kopf.Patch, body: kopf.Body, **_: Any) -> dict[str, Any]:
    """Keep a ConfigMap beside each widget, and tell in its status what was done."""
    child = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"{name}-label"}, "data": {"size": str(spec.get("size"))}}
    kopf.adopt(child)
    core = client.CoreV1Api()
    try:
        core.create_namespaced_config_map(namespace, child)
    except client.ApiException as error:
        if error.status != 409:
            raise
        core.replace_namespaced_config_map(f"{name}-label", namespace, child)
    patch.status["size"] = spec.get("size")
    kopf.info(body, reason="Labelled", message=f"size {spec.get('size')}")
    return {"labelled": spec.get("size")}


@kopf.on.delete("widgets")
def unlabel(name: str, namespace: str, **_: Any) -> None:
    client.CoreV1Api().delete_namespaced_config_map(f"{name}-label", namespace)
