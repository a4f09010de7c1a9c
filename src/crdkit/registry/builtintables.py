"""The columns in which kubectl shows built-in kinds, and how their cells are filled (kubernetes' printers/internalversion)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from crdkit.builtin import events, migrations
from crdkit.meta.types import Json, JsonObject
from crdkit.registry.columns import age, elapsed
from crdkit.registry.tables import AGE, CREATED_DESCRIPTION, NAME, Column, Table

Cell = Callable[[JsonObject], Json]
_RBAC: Final = "rbac.authorization.k8s.io"
_ADMISSION: Final = "admissionregistration.k8s.io"
_UNSET: Final = "<unset>"


def table_of(group: str, kind: str) -> Table:
    """The table of a kind: name and age where it has no columns of its own."""
    return _TABLES.get((group, kind)) or _table((NAME, _name), (AGE, age))


def _table(*columns: tuple[Column, Cell]) -> Table:
    cells = [cell for _, cell in columns]
    return Table([column for column, _ in columns], lambda obj: [cell(obj) for cell in cells])


def _name(obj: JsonObject) -> Json:
    return obj["metadata"].get("name", "")


def _count(*fields: str) -> Cell:
    return lambda obj: sum(len(obj.get(field) or ()) for field in fields)


def _count_in_spec(field: str) -> Cell:
    return lambda obj: len(obj["spec"].get(field) or ())


def _migrated(migration: JsonObject) -> Json:
    resource = migration["spec"]["resource"]
    return f"{resource['resource']}.{resource['group']}" if resource["group"] else resource["resource"]


def _param_kind(obj: JsonObject) -> Json:
    param = obj["spec"].get("paramKind")
    return _UNSET if param is None else f"{param.get('apiVersion', '')}/{param.get('kind', '')}"


def _param_ref(obj: JsonObject) -> Json:
    param = obj["spec"].get("paramRef")
    return _UNSET if param is None else f"{param.get('namespace') or '*'}/{param.get('name', '')}"


def _role(obj: JsonObject) -> Json:
    return f"{obj['roleRef']['kind']}/{obj['roleRef']['name']}"


def _subjects(kind: str) -> Cell:
    def cell(obj: JsonObject) -> Json:
        chosen = [subject for subject in obj.get("subjects") or () if subject["kind"] == kind]
        if kind == "ServiceAccount":
            return ", ".join(f"{subject.get('namespace', '')}/{subject['name']}" for subject in chosen)
        return ", ".join(subject["name"] for subject in chosen)

    return cell


def _first_seen(event: JsonObject) -> str:
    return elapsed(event.get("firstTimestamp") or event.get("eventTime") or "")


def _last_seen(event: JsonObject) -> str:
    if (series := event.get("series")) is not None:
        return elapsed(series.get("lastObservedTime") or "")
    return elapsed(event["lastTimestamp"]) if event.get("lastTimestamp") else _first_seen(event)


def _times_seen(event: JsonObject) -> int:
    if (series := event.get("series")) is not None:
        return int(series.get("count", 0))
    return int(event.get("count") or 1)


def _target(event: JsonObject) -> str:
    involved = event["involvedObject"]
    kind = involved.get("kind", "").lower()
    return f"{kind}/{involved['name']}" if involved.get("name") else kind


def _source(event: JsonObject) -> str:
    source = event.get("source") or {}
    component = source.get("component") or event.get("reportingComponent", "")
    instance = source.get("host") or event.get("reportingInstance", "")
    return f"{component}, {instance}" if instance else component


def _event_cells(event: JsonObject) -> list[Json]:
    """The cells of a stored event."""
    return [
        _last_seen(event),
        event.get("type", ""),
        event.get("reason", ""),
        _target(event),
        event["involvedObject"].get("fieldPath", ""),
        _source(event),
        event.get("message", "").strip(),
        _first_seen(event),
        _times_seen(event),
        _name(event),
    ]


_EVENT_COLUMNS: Final = (
    Column("Last Seen", "string", "", "The time at which the most recent occurrence of this event was recorded."),
    Column("Type", "string", "", "Type of this event (Normal, Warning), new types could be added in the future"),
    Column(
        "Reason",
        "string",
        "",
        "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    ),
    Column("Object", "string", "", "The object that this event is about."),
    Column(
        "Subobject",
        "string",
        "",
        "If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access"
        " statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this"
        ' would take on a value like: "spec.containers{name}" (where "name" refers to the name of the container that triggered the event)'
        ' or if no container name is specified "spec.containers[2]" (container with index 2 in this pod). This syntax is chosen only to'
        " have some well-defined way of referencing a part of an object.",
        1,
    ),
    Column("Source", "string", "", "The component reporting this event. Should be a short machine understandable string.", 1),
    Column("Message", "string", "", "A human-readable description of the status of this operation."),
    Column("First Seen", "string", "", "The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)", 1),
    Column("Count", "string", "", "The number of times this event has occurred.", 1),
    Column(NAME.name, NAME.type, NAME.format, NAME.description, 1),
)
_CREATED: Final = (
    Column("Created At", "date", "", CREATED_DESCRIPTION),
    lambda obj: obj["metadata"].get("creationTimestamp"),
)


def _binding_table(role: str, noun: str) -> Table:
    kinds = (("Users", "User"), ("Groups", "Group"), ("ServiceAccounts", "ServiceAccount"))
    subjects: Sequence[tuple[Column, Cell]] = [
        (Column(title, "string", "", f"{title} in the {noun}", 1), _subjects(kind)) for title, kind in kinds
    ]
    return _table((NAME, _name), (Column("Role", "string", "", role), _role), (AGE, age), *subjects)


def _webhooks_table() -> Table:
    description = "Webhooks indicates the number of webhooks registered in this configuration"
    return _table((NAME, _name), (Column("Webhooks", "integer", "", description), _count("webhooks")), (AGE, age))


def _policy_table(title: str, field: str, noun: str) -> Table:
    counted = Column(title, "integer", "", f"{title} indicates the number of {noun} rules defined in this configuration")
    param = Column("ParamKind", "string", "", "ParamKind specifies the kind of resources used to parameterize this policy")
    return _table((NAME, _name), (counted, _count_in_spec(field)), (param, _param_kind), (AGE, age))


def _policy_binding_table() -> Table:
    policy = Column("PolicyName", "string", "", "PolicyName indicates the policy definition which the policy binding binded to")
    param = Column("ParamRef", "string", "", "ParamRef indicates the param resource which sets the configration param")
    return _table((NAME, _name), (policy, lambda obj: obj["spec"].get("policyName", "")), (param, _param_ref), (AGE, age))


_TABLES: Final = {
    ("", "ConfigMap"): _table(
        (NAME, _name),
        (
            Column(
                "Data",
                "string",
                "",
                "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with"
                " non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the"
                " BinaryData field, this is enforced during validation process.",
            ),
            _count("data", "binaryData"),
        ),
        (AGE, age),
    ),
    ("", "Event"): Table(_EVENT_COLUMNS, _event_cells),
    ("events.k8s.io", "Event"): Table(_EVENT_COLUMNS, lambda obj: _event_cells(events.to_core(obj))),
    ("", "Secret"): _table(
        (NAME, _name),
        (
            Column(
                "Type",
                "string",
                "",
                "Used to facilitate programmatic handling of secret data. More info:"
                " https://kubernetes.io/docs/concepts/configuration/secret/#secret-types",
            ),
            lambda obj: obj.get("type", ""),
        ),
        (
            Column(
                "Data",
                "string",
                "",
                "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of"
                " the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described"
                " in https://tools.ietf.org/html/rfc4648#section-4",
            ),
            _count("data"),
        ),
        (AGE, age),
    ),
    ("", "ServiceAccount"): _table(
        (NAME, _name),
        (
            Column(
                "Secrets",
                "string",
                "",
                "Secrets is a list of the secrets in the same namespace that pods running using this ServiceAccount are allowed to use."
                ' Pods are only limited to this list if this service account has a "kubernetes.io/enforce-mountable-secrets" annotation'
                ' set to "true". The "kubernetes.io/enforce-mountable-secrets" annotation is deprecated since v1.32. Prefer separate'
                " namespaces to isolate access to mounted secrets. This field should not be used to find auto-generated service account"
                " token secrets for use outside of pods. Instead, tokens can be requested directly using the TokenRequest API, or service"
                " account token secrets can be manually created. More info: https://kubernetes.io/docs/concepts/configuration/secret",
            ),
            _count("secrets"),
        ),
        (AGE, age),
    ),
    ("coordination.k8s.io", "Lease"): _table(
        (NAME, _name),
        (
            Column(
                "Holder",
                "string",
                "",
                "holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder"
                " identity must be equal to the elected LeaseCandidate.metadata.name field.",
            ),
            lambda obj: obj["spec"].get("holderIdentity", ""),
        ),
        (AGE, age),
    ),
    (_RBAC, "Role"): _table((NAME, _name), _CREATED),
    (_RBAC, "ClusterRole"): _table((NAME, _name), _CREATED),
    (_RBAC, "RoleBinding"): _binding_table(
        "RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved,"
        " the Authorizer must return an error. This field is immutable.",
        "roleBinding",
    ),
    (_RBAC, "ClusterRoleBinding"): _binding_table(
        "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an"
        " error. This field is immutable.",
        "clusterRoleBinding",
    ),
    ("storagemigration.k8s.io", "StorageVersionMigration"): _table(
        (Column(NAME.name, NAME.type, "", NAME.description), _name),
        (Column("Resource", "string", "", "GroupResource to migrate"), _migrated),
        (Column("Status", "string", "", "Status of the migration"), migrations.state_of),
    ),
    (_ADMISSION, "MutatingWebhookConfiguration"): _webhooks_table(),
    (_ADMISSION, "ValidatingWebhookConfiguration"): _webhooks_table(),
    (_ADMISSION, "ValidatingAdmissionPolicy"): _policy_table("Validations", "validations", "validation"),
    (_ADMISSION, "MutatingAdmissionPolicy"): _policy_table("Mutations", "mutations", "mutation"),
    (_ADMISSION, "ValidatingAdmissionPolicyBinding"): _policy_binding_table(),
    (_ADMISSION, "MutatingAdmissionPolicyBinding"): _policy_binding_table(),
}
