"""The definition and the object that are measured: the size and the features of a usual public one.

Nested objects, lists that are maps and sets, defaults, patterns, formats, enums, rules that look at the object before, status and scale.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any, Final

GROUP: Final = "bench.crdkit.dev"
NAME: Final = f"parcels.{GROUP}"
DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
PARCELS: Final = f"/apis/{GROUP}/v1/namespaces/default/parcels"

Schema = dict[str, Any]


def _object(properties: Schema, **more: Any) -> Schema:
    return {"type": "object", "properties": properties, **more}


def _map_list(keys: list[str], item: Schema, **more: Any) -> Schema:
    return {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": item, **more}


def _text(longest: int, **more: Any) -> Schema:
    return {"type": "string", "maxLength": longest, **more}


def _whole(least: int, most: int, **more: Any) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, **more}


def _amounts() -> Schema:
    amount = {"x-kubernetes-int-or-string": True, "pattern": "^[0-9.]+[a-zA-Z]*$"}
    return {"type": "object", "maxProperties": 8, "additionalProperties": amount}


def _spec() -> Schema:
    fields = {
        "service": {"type": "string", "enum": ["letter", "standard", "express"], "default": "letter"},
        "carrier": _text(253, minLength=1, pattern="^[a-z0-9./:@_-]+$"),
        "pieces": _whole(0, 1000, format="int32"),
        "fewest": {"type": "integer", "default": 0},
        "most": {"type": "integer", "default": 100},
        "pickups": _text(64, pattern=r"^(\S+\s+){4}\S+$"),
        "due": {"type": "string", "format": "date-time"},
        "patience": {"type": "string", "format": "duration", "default": "30s"},
        "gate": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        "insurance": _object({"share": _whole(0, 100, default=10), "policy": _text(64)}),
        "notes": _map_list(
            ["name"],
            _object(
                {"name": _text(63), "text": _text(1024), "private": {"type": "boolean", "default": False}},
                required=["name"],
            ),
            maxItems=64,
            **{"x-kubernetes-validations": [{"rule": "self.all(n, !n.name.startsWith('INTERNAL_'))"}]},
        ),
        "stops": _map_list(
            ["number", "mode"],
            _object(
                {
                    "number": _whole(1, 65535),
                    "mode": {"type": "string", "default": "ROAD", "enum": ["ROAD", "RAIL", "AIR"]},
                    "name": _text(15),
                },
                required=["number"],
            ),
            maxItems=16,
        ),
        "regions": {"type": "array", "maxItems": 32, "x-kubernetes-list-type": "set", "items": _text(32)},
        "handling": {"type": "object", "maxProperties": 32, "additionalProperties": _text(63)},
        "size": _object({"limits": _amounts(), "actual": _amounts()}),
        "extra": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    }
    rules = [
        {"rule": "self.fewest <= self.pieces && self.pieces <= self.most", "message": "pieces must lie between fewest and most"},
        {
            "rule": "!has(self.insurance) || self.insurance.share < 50 || self.service != 'express'",
            "message": "express takes no such share",
        },
        {"rule": "self.service == oldSelf.service || oldSelf.service != 'express'", "message": "express stays express"},
    ]
    return _object(fields, required=["carrier", "pieces"], **{"x-kubernetes-validations": rules})


def _status() -> Schema:
    condition = _object(
        {
            "type": _text(316),
            "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
            "reason": _text(1024),
            "message": _text(32768),
            "lastTransitionTime": {"type": "string", "format": "date-time"},
        },
        required=["type", "status"],
    )
    return _object(
        {
            "pieces": {"type": "integer"},
            "selector": {"type": "string"},
            "observedGeneration": {"type": "integer", "format": "int64"},
            "conditions": _map_list(["type"], condition, maxItems=16),
        }
    )


@cache
def _schema_text() -> str:
    rules = [{"rule": "!has(self.status) || !has(self.status.pieces) || self.status.pieces >= 0"}]
    return json.dumps(_object({"spec": _spec(), "status": _status()}, required=["spec"], **{"x-kubernetes-validations": rules}))


def schema() -> Schema:
    """The schema of parcels."""
    found: Schema = json.loads(_schema_text())
    return found


def definition() -> Schema:
    """The definition of parcels."""
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": {
            "status": {},
            "scale": {"specReplicasPath": ".spec.pieces", "statusReplicasPath": ".status.pieces", "labelSelectorPath": ".status.selector"},
        },
        "selectableFields": [{"jsonPath": ".spec.service"}],
        "additionalPrinterColumns": [
            {"name": "Service", "type": "string", "jsonPath": ".spec.service"},
            {"name": "Pieces", "type": "integer", "jsonPath": ".spec.pieces"},
            {"name": "Ready", "type": "string", "jsonPath": '.status.conditions[?(@.type=="Ready")].status'},
            {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
        ],
        "schema": {"openAPIV3Schema": schema()},
    }
    names = {"plural": "parcels", "singular": "parcel", "kind": "Parcel", "shortNames": ["prc"], "categories": ["all"]}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": NAME},
        "spec": {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]},
    }


_PARCEL: Final[Schema] = {
    "apiVersion": f"{GROUP}/v1",
    "kind": "Parcel",
    "metadata": {
        "name": "NAME",
        "namespace": "default",
        "labels": {"app": "bench", "shelf": "a"},
        "annotations": {"bench.crdkit.dev/note": "made by the benchmark"},
    },
    "spec": {
        "service": "standard",
        "carrier": "carriers.example.com/north/lorry:1.2.3",
        "pieces": 3,
        "most": 10,
        "pickups": "*/5 * * * *",
        "due": "2031-01-01T00:00:00Z",
        "gate": 8080,
        "insurance": {"policy": "x-parcel"},
        "notes": [
            {"name": "FRAGILE", "text": "glass"},
            {"name": "SENDER", "text": "warehouse-1"},
            {"name": "CUSTOMS", "text": "none", "private": True},
            {"name": "CONTACT", "text": "desk.example.com"},
            {"name": "FLOOR", "text": "5432"},
        ],
        "stops": [{"number": 80, "name": "port"}, {"number": 443, "name": "hub"}, {"number": 53, "mode": "AIR", "name": "abc"}],
        "regions": ["a", "b", "c"],
        "handling": {"temperature": "cold", "side": "up"},
        "size": {"limits": {"weight": "500g", "volume": "256l"}, "actual": {"weight": 1, "volume": "128l"}},
        "extra": {"any": {"thing": [1, 2, {"goes": True}]}, "level": 5},
        "unknown": "pruned",
    },
}


def parcel(name: str = "a-parcel") -> Schema:
    """A new parcel, with a field that is dropped."""
    made = copy.deepcopy(_PARCEL)
    made["metadata"]["name"] = name
    return made


def parcel_text(name: str = "NAME", *, pieces: int = 3) -> str:
    """The same as JSON; ``pieces`` beyond 10 are against the rules."""
    made = parcel(name)
    made["spec"]["pieces"] = pieces
    return json.dumps(made, separators=(",", ":"))
