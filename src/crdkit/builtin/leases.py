"""Leases (coordination.k8s.io/v1): who leads, and until when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.builtin.behaviour import Behaviour
from crdkit.builtin.common_fields import HEAD, META
from crdkit.meta import errors
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.paths import ROOT
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

_SPEC: Final = ROOT / "spec"
_COORDINATED: Final = ("strategy", "preferredHolder")
"""Fields of coordinated leader election, which is not switched on."""

FIELDS: Final = StructTable(
    package="v1",
    structs={
        "Lease": {**HEAD, "spec": "LeaseSpec?"},
        "LeaseSpec": {
            "holderIdentity": "*string?",
            "leaseDurationSeconds": "*int32?",
            "acquireTime": "*MicroTime?",
            "renewTime": "*MicroTime?",
            "leaseTransitions": "*int32?",
            "strategy": "*CoordinatedLeaseStrategy?",
            "preferredHolder": "*string?",
        },
    },
    aliases={"CoordinatedLeaseStrategy": "string"},
    includes=(META,),
)


def drop_coordination(obj: JsonObject) -> None:
    for field in _COORDINATED:
        obj["spec"].pop(field, None)


def check(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    del kube
    spec = obj["spec"]
    seconds, transitions = spec.get("leaseDurationSeconds"), spec.get("leaseTransitions")
    if seconds is not None and seconds <= 0:
        yield errors.invalid(_SPEC / "leaseDurationSeconds", seconds, "must be greater than 0")
    if transitions is not None and transitions < 0:
        yield errors.invalid(_SPEC / "leaseTransitions", transitions, "must be greater than or equal to 0")


LEASE: Final = Behaviour(
    fields=FIELDS,
    prepare_create=drop_coordination,
    prepare_update=lambda new, _: drop_coordination(new),
    check=check,
    unconditional_update=False,
    creates_on_update=True,
)
