"""The types of the core group, ``v1``, as far as their kinds are served."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, boolean, integer, kind, list_of, many, mapping, one, ref, string, struct

V1: Final = "io.k8s.api.core.v1."

TYPES: Final = {
    V1 + "ConfigMap": kind(
        "ConfigMap holds settings for others to read.",
        {
            "binaryData": mapping(
                string(form="byte"), "binaryData is data that need not be text, in base64. A key may be here or in data, not in both."
            ),
            "data": mapping(string(), "data is the settings. Keys are made of letters, digits, `-`, `_` and `.`."),
            "immutable": boolean("immutable, once true, forbids every change of the data, and of itself."),
        },
    ),
    V1 + "ConfigMapList": list_of(V1 + "ConfigMap", "ConfigMapList is a list of config maps.", "items are the config maps."),
    V1 + "Event": kind(
        "Event tells of something that happened to an object. Events are kept for a while only.",
        {
            "action": string("action is what was done, or was tried."),
            "count": integer("count is how often this happened."),
            "eventTime": one(META + "MicroTime", "eventTime is when it was first seen.", optional=True),
            "firstTimestamp": one(META + "Time", "firstTimestamp is when it was first reported.", optional=True),
            "involvedObject": one(V1 + "ObjectReference", "involvedObject is the object that the event is about."),
            "lastTimestamp": one(META + "Time", "lastTimestamp is when it last happened.", optional=True),
            "message": string("message tells people what happened."),
            "reason": string("reason is one word, in CamelCase, for what happened."),
            "related": one(V1 + "ObjectReference", "related is a second object that has to do with it.", optional=True),
            "reportingComponent": string(
                "reportingComponent is the controller that reports, such as `example.com/controller`.", default=""
            ),
            "reportingInstance": string("reportingInstance is which of its processes reports.", default=""),
            "series": one(V1 + "EventSeries", "series is about further events like this one; there are none without it.", optional=True),
            "source": one(V1 + "EventSource", "source is the component that reports."),
            "type": string("type is Normal or Warning, or one of those to come."),
        },
        required=("metadata", "involvedObject"),
    ),
    V1 + "EventList": list_of(V1 + "Event", "EventList is a list of events.", "items are the events."),
    V1 + "EventSeries": struct(
        "EventSeries sums up events that go on happening.",
        {
            "count": integer("count is how many there were up to the last report."),
            "lastObservedTime": one(META + "MicroTime", "lastObservedTime is when the last was seen.", optional=True),
        },
    ),
    V1 + "EventSource": struct(
        "EventSource is who reports an event.",
        {
            "component": string("component is the program that reports."),
            "host": string("host is the node it runs on."),
        },
    ),
    V1 + "LocalObjectReference": struct(
        "LocalObjectReference names an object of the same namespace.",
        {"name": string("name is the name of the object.", default="")},
        atomic=True,
    ),
    V1 + "Namespace": kind(
        "Namespace is a scope for names: objects of namespaced kinds live in one.",
        {
            "spec": one(V1 + "NamespaceSpec", "spec is how the namespace is to behave."),
            "status": one(V1 + "NamespaceStatus", "status is where the namespace stands in its life."),
        },
    ),
    V1 + "NamespaceCondition": struct(
        "NamespaceCondition tells how far the deletion of a namespace has come.",
        {
            "lastTransitionTime": one(META + "Time", "lastTransitionTime is when the status last changed.", optional=True),
            "message": string("message tells people more about the last change."),
            "reason": string("reason is one word, in CamelCase, for why the status changed."),
            "status": string("status is True, False or Unknown.", default=""),
            "type": string("type is what the condition is about, such as NamespaceContentRemaining.", default=""),
        },
        required=("type", "status"),
    ),
    V1 + "NamespaceList": list_of(V1 + "Namespace", "NamespaceList is a list of namespaces.", "items are the namespaces."),
    V1 + "NamespaceSpec": struct(
        "NamespaceSpec is how a namespace is to behave.",
        {
            "finalizers": many(
                string(),
                "finalizers have to be gone before the namespace goes; `kubernetes` stands for the deletion of what lives in it.",
                list_type="atomic",
            )
        },
    ),
    V1 + "NamespaceStatus": struct(
        "NamespaceStatus is where a namespace stands in its life.",
        {
            "conditions": many(
                ref(V1 + "NamespaceCondition"),
                "conditions tell how far a deletion has come.",
                list_type="map",
                keys=("type",),
                merge_key="type",
            ),
            "phase": string("phase is Active, or Terminating once the namespace is being deleted."),
        },
    ),
    V1 + "ObjectReference": struct(
        "ObjectReference points to an object, or to a part of one.",
        {
            "apiVersion": string("apiVersion is the group and version of the object."),
            "fieldPath": string("fieldPath is the part that is meant, such as spec.containers{name}."),
            "kind": string("kind is the kind of the object."),
            "name": string("name is the name of the object."),
            "namespace": string("namespace is the namespace of the object."),
            "resourceVersion": string("resourceVersion is the state of the object that is meant."),
            "uid": string("uid is the uid of the object."),
        },
        atomic=True,
    ),
    V1 + "Secret": kind(
        "Secret holds data that not everybody should see, such as passwords and keys.",
        {
            "data": mapping(string(form="byte"), "data is the data, in base64. Keys are made of letters, digits, `-`, `_` and `.`."),
            "immutable": boolean("immutable, once true, forbids every change of the data, and of itself."),
            "stringData": mapping(
                string(), "stringData is data as plain text, for writing: it is put into data, wins over what is there, and is never shown."
            ),
            "type": string("type says what the data is for, and with that which keys there must be; Opaque by default."),
        },
    ),
    V1 + "SecretList": list_of(V1 + "Secret", "SecretList is a list of secrets.", "items are the secrets."),
    V1 + "ServiceAccount": kind(
        "ServiceAccount is an identity for programs.",
        {
            "automountServiceAccountToken": boolean(
                "automountServiceAccountToken says whether pods of this account find a token in their file system; a pod may say otherwise."
            ),
            "imagePullSecrets": many(
                ref(V1 + "LocalObjectReference"),
                "imagePullSecrets are the secrets that images are fetched with for pods of this account.",
                list_type="atomic",
            ),
            "secrets": many(
                ref(V1 + "ObjectReference"),
                "secrets are those that pods of this account may use, where that is enforced.",
                list_type="map",
                keys=("name",),
                merge_key="name",
            ),
        },
    ),
    V1 + "ServiceAccountList": list_of(
        V1 + "ServiceAccount", "ServiceAccountList is a list of service accounts.", "items are the service accounts."
    ),
}
