"""The options of a deletion, from the body or, if there is none, the query."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from crdkit.meta import errors, objectmeta
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.records import record
from crdkit.meta.status import GroupResource, Refusal, bad_request, invalid, unknown
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import bodies
from crdkit.registry.options import check_dry_run, flag, integer
from crdkit.registry.request import Query, Request

FOREGROUND: Final = "Foreground"
BACKGROUND: Final = "Background"
ORPHAN: Final = "Orphan"

UNREADABLE_IS_A_BAD_REQUEST: Final = KubeVersion(1, 34)
"""From here on a body that cannot be read is the client's fault (400), before it was an unknown error (500)."""

_POLICY_FINALIZERS: Final = (objectmeta.ORPHAN, objectmeta.FOREGROUND_DELETION)
_KIND: Final = "DeleteOptions"
_VERSION: Final = "meta.k8s.io/v1"
"""That of a body that tells none."""
_TYPE: Final = ("kind", "apiVersion")
_SCHEME: Final = "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"
_STRUCTS: Final = StructTable(
    package="v1",
    structs={
        "DeleteOptions": {
            "kind": "string?",
            "apiVersion": "string?",
            "gracePeriodSeconds": "*int64?",
            "preconditions": "*Preconditions?",
            "orphanDependents": "*bool?",
            "propagationPolicy": "*DeletionPropagation?",
            "dryRun": "[]string?",
            "ignoreStoreReadErrorWithClusterBreakingPotential": "*bool?",
        },
        "Preconditions": {"uid": "*types.UID?", "resourceVersion": "*string?"},
    },
    aliases={"types.UID": "string", "DeletionPropagation": "string"},
)


@record(frozen=False)
class DeleteOptions:
    """None is what was not said."""

    uid: str | None = None
    resource_version: str | None = None
    orphan_dependents: bool | None = None
    propagation: str | None = None
    dry_run: bool = False
    told: JsonObject = field(default_factory=dict)
    """What was said, as it is told on."""


def delete_options(request: Request, kube: KubeVersion) -> DeleteOptions:
    """Read and check the options; a body, be it empty of options, makes the query of no account. Raises a `Refusal`."""
    raw = _from_body(request, kube) if request.body else _from_query(request.query)
    preconditions = raw.get("preconditions") or {}
    options = DeleteOptions(
        preconditions.get("uid"),
        preconditions.get("resourceVersion"),
        raw.get("orphanDependents"),
        raw.get("propagationPolicy"),
        bool(raw.get("dryRun")),
        {name: value for name, value in raw.items() if name not in _TYPE and value not in (None, [], {})},
    )
    found = [*_check_policy(options), *check_dry_run(raw.get("dryRun") or [])]
    if found:
        raise invalid(GroupResource("meta.k8s.io", _KIND), "", found, kube)
    return options


def _check_policy(options: DeleteOptions) -> list[errors.FieldError]:
    if options.propagation is None:
        return []
    found = []
    if options.orphan_dependents is not None:
        found.append(
            errors.invalid("propagationPolicy", options.propagation, "orphanDependents and deletionPropagation cannot be both set")
        )
    if options.propagation not in (FOREGROUND, BACKGROUND, ORPHAN):
        found.append(errors.not_supported("propagationPolicy", options.propagation, [FOREGROUND, BACKGROUND, ORPHAN, "nil"]))
    return found


def _from_query(query: Query) -> JsonObject:
    raw: JsonObject = {}
    if not query:
        return raw
    if (seconds := integer(query, "gracePeriodSeconds")) is not None:
        raw["gracePeriodSeconds"] = seconds
    if "orphanDependents" in query:
        raw["orphanDependents"] = flag(query, "orphanDependents")
    if "propagationPolicy" in query:
        raw["propagationPolicy"] = query.first("propagationPolicy")
    raw["dryRun"] = list(query.all("dryRun"))
    raw["preconditions"] = {name: query.first(name) for name in ("uid", "resourceVersion") if query.first(name)}
    return raw


def _from_body(request: Request, kube: KubeVersion) -> JsonObject:
    try:
        body = bodies.parse(request, strict=False)
        if body.kind not in ("", _KIND):
            msg = f'no kind "{body.kind}" is registered for version "{body.api_version or _VERSION}" in scheme "{_SCHEME}"'
            raise _unreadable(msg, kube)
        raw: JsonObject = _STRUCTS.decode(_KIND, bodies.as_object(body), kube=kube).value
    except bodies.Unreadable as error:
        raise _unreadable(str(error), kube) from error
    except DecodeError as error:
        raise _unreadable(str(error), kube) from error
    return raw


def _unreadable(message: str, kube: KubeVersion) -> Refusal:
    return bad_request(message) if kube >= UNREADABLE_IS_A_BAD_REQUEST else unknown(message)


def with_policy(finalizers: list[str], options: DeleteOptions) -> list[str]:
    """The finalizers with those that stand for the fate of the object's dependents: as asked, else as they are."""
    kept = [name for name in finalizers if name not in _POLICY_FINALIZERS]
    if options.orphan_dependents is not None:
        return [*kept, objectmeta.ORPHAN] if options.orphan_dependents else kept
    if options.propagation is not None:
        added = {ORPHAN: [objectmeta.ORPHAN], FOREGROUND: [objectmeta.FOREGROUND_DELETION]}
        return kept + added.get(options.propagation, [])
    return kept + next(([name] for name in finalizers if name in _POLICY_FINALIZERS), [])
