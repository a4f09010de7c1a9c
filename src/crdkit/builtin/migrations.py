"""StorageVersionMigrations (storagemigration.k8s.io/v1beta1): having a resource's objects written anew in their storage version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crdkit.builtin.behaviour import CORE_RULES, Behaviour
from crdkit.builtin.common_fields import HEAD, META
from crdkit.builtin.conditions import check_conditions
from crdkit.meta import errors, golang, names
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

RUNNING: Final = "Running"
SUCCEEDED: Final = "Succeeded"
FAILED: Final = "Failed"

_SPEC: Final = ROOT / "spec"
_STATUS: Final = ROOT / "status"
_REVISION: Final = re.compile(r"[1-9][0-9]*")
_CONDITION_ORDER: Final = ("type", "status", "observedGeneration", "lastTransitionTime", "reason", "message")

FIELDS: Final = StructTable(
    package="v1beta1",
    structs={
        "StorageVersionMigration": {**HEAD, "spec": "StorageVersionMigrationSpec?", "status": "StorageVersionMigrationStatus?"},
        "StorageVersionMigrationSpec": {"resource": "v1.GroupResource"},
        "StorageVersionMigrationStatus": {"conditions": "[]Condition?", "resourceVersion": "string?"},
        "v1.GroupResource": {"group": "string", "resource": "string"},
    },
    includes=(META,),
)


def is_true(migration: JsonObject, kind: str) -> bool:
    """Whether a migration's condition of that type is true."""
    conditions = (migration.get("status") or {}).get("conditions") or ()
    return any(condition["type"] == kind and condition["status"] == "True" for condition in conditions)


def state_of(migration: JsonObject) -> str:
    """What kubectl shows of a migration: its last condition that is true."""
    conditions = (migration.get("status") or {}).get("conditions") or ()
    return next((str(condition["type"]) for condition in reversed(conditions) if condition["status"] == "True"), "Unknown")


def check(migration: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    del kube
    at, resource = _SPEC / "resource", migration["spec"]["resource"]
    if not resource["resource"]:
        yield errors.required(at / "resource", "resource is required to be set")
    else:
        yield from (errors.invalid(at / "resource", resource["resource"], fault) for fault in names.dns1035_label(resource["resource"]))
    if group := resource["group"]:
        yield from (errors.invalid(at / "group", group, fault) for fault in names.dns1123_subdomain(group))


def check_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    yield from check(new, kube)
    if new["spec"] != old["spec"]:
        yield errors.invalid(_SPEC, {"Resource": new["spec"]["resource"]}, "field is immutable")


def check_status(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a changed status."""
    status, before = new["status"], old["status"]
    conditions, at = status.get("conditions"), _STATUS / "conditions"
    revision = status.get("resourceVersion", "")
    if revision and not _REVISION.fullmatch(revision):
        yield errors.invalid(_STATUS / "resourceVersion", revision, f"resource version is not well formed: {revision}")
    yield from check_conditions(conditions or [], at, kube)
    if before.get("resourceVersion", "") not in ("", revision):
        yield errors.invalid(_STATUS / "resourceVersion", revision, "field is immutable")
    yield from (errors.invalid(at, _in_order(conditions), fault) for fault in _contradictions(new, old))


def _contradictions(new: JsonObject, old: JsonObject) -> Iterator[str]:
    succeeded, failed, running = (is_true(new, kind) for kind in (SUCCEEDED, FAILED, RUNNING))
    if succeeded and failed:
        yield "Both success and failed conditions cannot be true at the same time"
    if succeeded and running:
        yield "Running condition cannot be true when success condition is true"
    if failed and running:
        yield "Running condition cannot be true when failed condition is true"
    if is_true(old, SUCCEEDED) and not succeeded:
        yield "Success condition cannot be set to false once it is true"
    if is_true(old, FAILED) and not failed:
        yield "Failed condition cannot be set to false once it is true"


def _in_order(conditions: list[JsonObject] | None) -> list[golang.Ordered] | None:
    if conditions is None:
        return None
    return [golang.Ordered({field: condition[field] for field in _CONDITION_ORDER if field in condition}) for condition in conditions]


def _begin(migration: JsonObject) -> None:
    migration["status"] = {}


def _keep_status(new: JsonObject, old: JsonObject) -> None:
    new["status"] = old["status"]


MIGRATION: Final = Behaviour(
    fields=FIELDS,
    metadata=CORE_RULES,
    prepare_create=_begin,
    prepare_update=_keep_status,
    check=check,
    check_change=check_change,
    change_is_whole=True,
    unconditional_update=False,
)
