"""The Go structs of a CustomResourceDefinition (apiextensions.k8s.io/v1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crdkit.meta.godecoding import DecodeError, Decoding
from crdkit.meta.gostruct import StructTable
from crdkit.meta.objectmeta_fields import OBJECT_META
from crdkit.meta.types import Json
from crdkit.meta.version import KubeVersion


def _schema_or_bool(table: StructTable, value: Json, run: Decoding) -> Json:
    """JSONSchemaPropsOrBool: a schema or a boolean."""
    if isinstance(value, bool):
        return value
    if isinstance(value, dict):
        return run.nested(table.kind("JSONSchemaProps"), value)
    msg = "boolean or JSON schema expected"
    raise DecodeError(msg)


def _schema_or_list(table: StructTable, value: Json, run: Decoding) -> Json:
    """JSONSchemaPropsOrArray: a schema or a list of them; anything else is taken for nothing, though there it is."""
    if isinstance(value, dict):
        return run.nested(table.kind("JSONSchemaProps"), value)
    found = run.nested(table.kind("[]JSONSchemaProps"), value) if isinstance(value, list) else True
    return found if run.keep_empty or found not in ([], True) else None


def _schema_or_names(table: StructTable, value: Json, run: Decoding) -> Json:
    """JSONSchemaPropsOrStringArray: a schema or a list of property names; anything else is taken for nothing."""
    if isinstance(value, dict):
        return run.nested(table.kind("JSONSchemaProps"), value)
    if isinstance(value, list):
        return run.nested(table.kind("[]string"), value) or None
    return None


_STRUCTS: Final[Mapping[str, Mapping[str, str]]] = {
    "CustomResourceDefinition": {
        "kind": "string?",
        "apiVersion": "string?",
        "metadata": "ObjectMeta",
        "spec": "CustomResourceDefinitionSpec",
        "status": "CustomResourceDefinitionStatus",
    },
    "CustomResourceDefinitionSpec": {
        "group": "string",
        "names": "CustomResourceDefinitionNames",
        "scope": "ResourceScope",
        "versions": "[]CustomResourceDefinitionVersion",
        "conversion": "*CustomResourceConversion?",
        "preserveUnknownFields": "bool?",
    },
    "CustomResourceDefinitionNames": {
        "plural": "string",
        "singular": "string?",
        "shortNames": "[]string?",
        "kind": "string",
        "listKind": "string?",
        "categories": "[]string?",
    },
    "CustomResourceDefinitionVersion": {
        "name": "string",
        "served": "bool",
        "storage": "bool",
        "deprecated": "bool?",
        "deprecationWarning": "*string?",
        "schema": "*CustomResourceValidation?",
        "subresources": "*CustomResourceSubresources?",
        "additionalPrinterColumns": "[]CustomResourceColumnDefinition?",
        "selectableFields": "[]SelectableField?",
    },
    "CustomResourceValidation": {"openAPIV3Schema": "*JSONSchemaProps?"},
    "CustomResourceSubresources": {
        "status": "*CustomResourceSubresourceStatus?",
        "scale": "*CustomResourceSubresourceScale?",
    },
    "CustomResourceSubresourceStatus": {},
    "CustomResourceSubresourceScale": {
        "specReplicasPath": "string",
        "statusReplicasPath": "string",
        "labelSelectorPath": "*string?",
    },
    "CustomResourceColumnDefinition": {
        "name": "string",
        "type": "string",
        "format": "string?",
        "description": "string?",
        "priority": "int32?",
        "jsonPath": "string",
    },
    "SelectableField": {"jsonPath": "string"},
    "CustomResourceConversion": {
        "strategy": "ConversionStrategyType",
        "webhook": "*WebhookConversion?",
    },
    "WebhookConversion": {
        "clientConfig": "*WebhookClientConfig?",
        "conversionReviewVersions": "[]string",
    },
    "WebhookClientConfig": {
        "url": "*string?",
        "service": "*ServiceReference?",
        "caBundle": "[]byte?",
    },
    "ServiceReference": {
        "namespace": "string",
        "name": "string",
        "path": "*string?",
        "port": "*int32?",
    },
    "CustomResourceDefinitionStatus": {
        "conditions": "[]CustomResourceDefinitionCondition",
        "acceptedNames": "CustomResourceDefinitionNames",
        "storedVersions": "[]string",
        "observedGeneration": "int64?",
    },
    "CustomResourceDefinitionCondition": {
        "type": "CustomResourceDefinitionConditionType",
        "status": "ConditionStatus",
        "lastTransitionTime": "Time?",
        "reason": "string?",
        "message": "string?",
        "observedGeneration": "int64?",
    },
    "JSONSchemaProps": {
        "id": "string?",
        "$schema": "JSONSchemaURL?",
        "$ref": "*string?",
        "description": "string?",
        "type": "string?",
        "format": "string?",
        "title": "string?",
        "default": "*JSON?",
        "maximum": "*float64?",
        "exclusiveMaximum": "bool?",
        "minimum": "*float64?",
        "exclusiveMinimum": "bool?",
        "maxLength": "*int64?",
        "minLength": "*int64?",
        "pattern": "string?",
        "maxItems": "*int64?",
        "minItems": "*int64?",
        "uniqueItems": "bool?",
        "multipleOf": "*float64?",
        "enum": "[]JSON?",
        "maxProperties": "*int64?",
        "minProperties": "*int64?",
        "required": "[]string?",
        "items": "*JSONSchemaPropsOrArray?",
        "allOf": "[]JSONSchemaProps?",
        "oneOf": "[]JSONSchemaProps?",
        "anyOf": "[]JSONSchemaProps?",
        "not": "*JSONSchemaProps?",
        "properties": "map[string]JSONSchemaProps?",
        "additionalProperties": "*JSONSchemaPropsOrBool?",
        "patternProperties": "map[string]JSONSchemaProps?",
        "dependencies": "JSONSchemaDependencies?",
        "additionalItems": "*JSONSchemaPropsOrBool?",
        "definitions": "JSONSchemaDefinitions?",
        "externalDocs": "*ExternalDocumentation?",
        "example": "*JSON?",
        "nullable": "bool?",
        "x-kubernetes-preserve-unknown-fields": "*bool?",
        "x-kubernetes-embedded-resource": "bool?",
        "x-kubernetes-int-or-string": "bool?",
        "x-kubernetes-list-map-keys": "[]string?",
        "x-kubernetes-list-type": "*string?",
        "x-kubernetes-map-type": "*string?",
        "x-kubernetes-validations": "ValidationRules?",
    },
    "ExternalDocumentation": {"description": "string?", "url": "string?"},
    "ValidationRule": {
        "rule": "string",
        "message": "string?",
        "messageExpression": "string?",
        "reason": "*FieldValueErrorReason?",
        "fieldPath": "string?",
        "optionalOldSelf": "*bool?",
    },
}

_ALIASES: Final = {
    "ResourceScope": "string",
    "ConversionStrategyType": "string",
    "CustomResourceDefinitionConditionType": "string",
    "ConditionStatus": "string",
    "FieldValueErrorReason": "string",
    "JSONSchemaURL": "string",
    "ValidationRules": "[]ValidationRule",
    "JSONSchemaDependencies": "map[string]JSONSchemaPropsOrStringArray",
    "JSONSchemaDefinitions": "map[string]JSONSchemaProps",
    "JSON": "any",
}

_SPECIAL: Final = {
    "JSONSchemaPropsOrBool": _schema_or_bool,
    "JSONSchemaPropsOrArray": _schema_or_list,
    "JSONSchemaPropsOrStringArray": _schema_or_names,
}

_OBSERVED_GENERATION: Final = KubeVersion(1, 34)
"""Since then status and conditions have an observedGeneration."""


def _without(field: str, structs: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    return {name: {known: kind for known, kind in fields.items() if known != field} for name, fields in structs.items()}


def _table(structs: Mapping[str, Mapping[str, str]]) -> StructTable:
    return StructTable("v1", structs, aliases=_ALIASES, special=_SPECIAL, includes=(OBJECT_META,))


_TABLES: Final = (
    (_OBSERVED_GENERATION, _table(_STRUCTS)),
    (KubeVersion(1, 0), _table(_without("observedGeneration", _STRUCTS))),
)


def table(kube: KubeVersion) -> StructTable:
    """The types as that version knows them."""
    return next(table for first, table in _TABLES if kube >= first)
