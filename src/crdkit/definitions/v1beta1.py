"""Definitions as apiextensions.k8s.io/v1beta1 has them: no API of today, but the form in which a real server stores them."""

from __future__ import annotations

from typing import Final

from crdkit.meta.types import JsonObject

API_VERSION: Final = "apiextensions.k8s.io/v1beta1"
_V1: Final = "apiextensions.k8s.io/v1"
_SHARED: Final = (
    ("validation", "schema"),
    ("subresources", "subresources"),
    ("additionalPrinterColumns", "additionalPrinterColumns"),
    ("selectableFields", "selectableFields"),
)
"""What the spec may say for all versions at once, and what each version calls it."""


def to_v1(definition: JsonObject) -> JsonObject:
    """A definition of v1beta1, as it is stored, as one of v1. The one given stays as it is, but parts are shared."""
    spec = definition["spec"]
    shared = {own: spec[name] for name, own in _SHARED if spec.get(name)}
    versions = spec.get("versions") or [{"name": spec.get("version", ""), "served": True, "storage": True}]
    new_spec: JsonObject = {
        "group": spec.get("group"),
        "names": spec.get("names"),
        "scope": spec.get("scope") or "Namespaced",
        "versions": [_version({**version, **shared}) for version in versions],
        "conversion": _conversion(spec.get("conversion") or {"strategy": "None"}),
    }
    if spec.get("preserveUnknownFields") is not False:  # which it is only if that is said
        new_spec["preserveUnknownFields"] = True
    return {**definition, "apiVersion": _V1, "spec": new_spec}


def _version(version: JsonObject) -> JsonObject:
    columns = version.get("additionalPrinterColumns")
    return {**version, "additionalPrinterColumns": [_column(column) for column in columns]} if columns else version


def _column(column: JsonObject) -> JsonObject:
    return {("jsonPath" if name == "JSONPath" else name): value for name, value in column.items()}


def _conversion(conversion: JsonObject) -> JsonObject:
    strategy = conversion.get("strategy")
    client, versions = conversion.get("webhookClientConfig"), conversion.get("conversionReviewVersions")
    if strategy == "Webhook" and not versions:
        versions = ["v1beta1"]
    if not client and not versions:
        return {"strategy": strategy}
    webhook = {"clientConfig": client} if client else {}
    return {"strategy": strategy, "webhook": {**webhook, "conversionReviewVersions": versions}}
