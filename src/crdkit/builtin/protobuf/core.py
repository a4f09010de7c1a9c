"""The messages of core/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable

V1: Final = MessageTable(
    {
        "Namespace": {"metadata": "1 ObjectMeta", "spec": "2 NamespaceSpec", "status": "3 NamespaceStatus"},
        "NamespaceList": {"metadata": "1 ListMeta", "items": "2 []Namespace"},
        "NamespaceSpec": {"finalizers": "1 []string"},
        "NamespaceStatus": {"phase": "1 string", "conditions": "2 []NamespaceCondition"},
        "NamespaceCondition": {
            "type": "1 string",
            "status": "2 string",
            "lastTransitionTime": "4 Time",
            "reason": "5 string",
            "message": "6 string",
        },
        "ConfigMap": {
            "metadata": "1 ObjectMeta",
            "data": "2 map[string]string",
            "binaryData": "3 map[string][]byte",
            "immutable": "4 *bool",
        },
        "ConfigMapList": {"metadata": "1 ListMeta", "items": "2 []ConfigMap"},
        "Secret": {
            "metadata": "1 ObjectMeta",
            "data": "2 map[string][]byte",
            "type": "3 string",
            "stringData": "4 map[string]string",
            "immutable": "5 *bool",
        },
        "SecretList": {"metadata": "1 ListMeta", "items": "2 []Secret"},
        "ServiceAccount": {
            "metadata": "1 ObjectMeta",
            "secrets": "2 []ObjectReference",
            "imagePullSecrets": "3 []LocalObjectReference",
            "automountServiceAccountToken": "4 *bool",
        },
        "ServiceAccountList": {"metadata": "1 ListMeta", "items": "2 []ServiceAccount"},
        "ObjectReference": {
            "kind": "1 string",
            "namespace": "2 string",
            "name": "3 string",
            "uid": "4 string",
            "apiVersion": "5 string",
            "resourceVersion": "6 string",
            "fieldPath": "7 string",
        },
        "LocalObjectReference": {"name": "1 string"},
        "Event": {
            "metadata": "1 ObjectMeta",
            "involvedObject": "2 ObjectReference",
            "reason": "3 string",
            "message": "4 string",
            "source": "5 EventSource",
            "firstTimestamp": "6 Time",
            "lastTimestamp": "7 Time",
            "count": "8 int32",
            "type": "9 string",
            "eventTime": "10 MicroTime",
            "series": "11 *EventSeries",
            "action": "12 string",
            "related": "13 *ObjectReference",
            "reportingComponent": "14 string",
            "reportingInstance": "15 string",
        },
        "EventList": {"metadata": "1 ListMeta", "items": "2 []Event"},
        "EventSeries": {"count": "1 int32", "lastObservedTime": "2 MicroTime"},
        "EventSource": {"component": "1 string", "host": "2 string"},
    },
    includes=(META,),
)
