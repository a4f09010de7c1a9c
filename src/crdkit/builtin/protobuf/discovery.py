"""Discovery documents (``apimachinery``: meta/v1; ``api``: apidiscovery/v2)."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.meta.goprotobuf import MessageTable

DISCOVERY: Final = MessageTable(
    {
        "APIVersions": {"versions": "1 []string", "serverAddressByClientCIDRs": "2 []ServerAddressByClientCIDR"},
        "ServerAddressByClientCIDR": {"clientCIDR": "1 string", "serverAddress": "2 string"},
        "APIGroupList": {"groups": "1 []APIGroup"},
        "APIGroup": {
            "name": "1 string",
            "versions": "2 []GroupVersionForDiscovery",
            "preferredVersion": "3 GroupVersionForDiscovery",
            "serverAddressByClientCIDRs": "4 []ServerAddressByClientCIDR",
        },
        "GroupVersionForDiscovery": {"groupVersion": "1 string", "version": "2 string"},
        "APIResourceList": {"groupVersion": "1 string", "resources": "2 []APIResource"},
        "APIResource": {
            "name": "1 string",
            "namespaced": "2 bool",
            "kind": "3 string",
            "verbs": "4 *Verbs",
            "shortNames": "5 []string",
            "singularName": "6 string",
            "categories": "7 []string",
            "group": "8 string",
            "version": "9 string",
            "storageVersionHash": "10 string",
        },
        "Verbs": {"items": "1 []string"},
    },
    special={"Verbs": (lambda verbs: {"items": verbs}, lambda message: message.get("items", []))},
)

AGGREGATED: Final = MessageTable(
    {
        "APIGroupDiscoveryList": {"metadata": "1 ListMeta", "items": "2 []APIGroupDiscovery"},
        "APIGroupDiscovery": {"metadata": "1 ObjectMeta", "versions": "2 []APIVersionDiscovery"},
        "APIVersionDiscovery": {"version": "1 string", "resources": "2 []APIResourceDiscovery", "freshness": "3 string"},
        "APIResourceDiscovery": {
            "resource": "1 string",
            "responseKind": "2 *GroupVersionKind",
            "scope": "3 string",
            "singularResource": "4 string",
            "verbs": "5 []string",
            "shortNames": "6 []string",
            "categories": "7 []string",
            "subresources": "8 []APISubresourceDiscovery",
        },
        "APISubresourceDiscovery": {
            "subresource": "1 string",
            "responseKind": "2 *GroupVersionKind",
            "acceptedTypes": "3 []GroupVersionKind",
            "verbs": "4 []string",
        },
        "GroupVersionKind": {"group": "1 string", "version": "2 string", "kind": "3 string"},
    },
    includes=(META,),
)
