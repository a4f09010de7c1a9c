"""The messages of apiextensions.k8s.io/v1."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.protobuf.meta import META
from crdkit.builtin.protobuf.webhooks import WEBHOOK_CLIENTS
from crdkit.meta.goprotobuf import MessageTable
from crdkit.meta.types import Json, JsonObject


def _from_schema_or_list(value: Json) -> JsonObject:
    return {"jSONSchemas": value} if isinstance(value, list) else {"schema": value}


def _to_schema_or_list(message: JsonObject) -> Json:
    return message.get("jSONSchemas") or message.get("schema")


def _from_schema_or_bool(value: Json) -> JsonObject:
    return {"allows": value} if isinstance(value, bool) else {"allows": True, "schema": value}


def _to_schema_or_bool(message: JsonObject) -> Json:
    schema = message.get("schema")
    return message.get("allows", False) if schema is None else schema


def _from_schema_or_strings(value: Json) -> JsonObject:
    return {"property": value} if isinstance(value, list) else {"schema": value}


def _to_schema_or_strings(message: JsonObject) -> Json:
    return message.get("property") or message.get("schema")


V1: Final = MessageTable(
    {
        "CustomResourceDefinition": {
            "metadata": "1 ObjectMeta",
            "spec": "2 CustomResourceDefinitionSpec",
            "status": "3 CustomResourceDefinitionStatus",
        },
        "CustomResourceDefinitionList": {"metadata": "1 ListMeta", "items": "2 []CustomResourceDefinition"},
        "CustomResourceDefinitionSpec": {
            "group": "1 string",
            "names": "3 CustomResourceDefinitionNames",
            "scope": "4 string",
            "versions": "7 []CustomResourceDefinitionVersion",
            "conversion": "9 *CustomResourceConversion",
            "preserveUnknownFields": "10 bool",
        },
        "CustomResourceDefinitionNames": {
            "plural": "1 string",
            "singular": "2 string",
            "shortNames": "3 []string",
            "kind": "4 string",
            "listKind": "5 string",
            "categories": "6 []string",
        },
        "CustomResourceConversion": {"strategy": "1 string", "webhook": "2 *WebhookConversion"},
        "WebhookConversion": {"clientConfig": "2 *WebhookClientConfig", "conversionReviewVersions": "3 []string"},
        "CustomResourceDefinitionVersion": {
            "name": "1 string",
            "served": "2 bool",
            "storage": "3 bool",
            "schema": "4 *CustomResourceValidation",
            "subresources": "5 *CustomResourceSubresources",
            "additionalPrinterColumns": "6 []CustomResourceColumnDefinition",
            "deprecated": "7 bool",
            "deprecationWarning": "8 *string",
            "selectableFields": "9 []SelectableField",
        },
        "CustomResourceValidation": {"openAPIV3Schema": "1 *JSONSchemaProps"},
        "CustomResourceSubresources": {"status": "1 *CustomResourceSubresourceStatus", "scale": "2 *CustomResourceSubresourceScale"},
        "CustomResourceSubresourceStatus": {},
        "CustomResourceSubresourceScale": {
            "specReplicasPath": "1 string",
            "statusReplicasPath": "2 string",
            "labelSelectorPath": "3 *string",
        },
        "CustomResourceColumnDefinition": {
            "name": "1 string",
            "type": "2 string",
            "format": "3 string",
            "description": "4 string",
            "priority": "5 int32",
            "jsonPath": "6 string",
        },
        "SelectableField": {"jsonPath": "1 string"},
        "CustomResourceDefinitionStatus": {
            "conditions": "1 []CustomResourceDefinitionCondition",
            "acceptedNames": "2 CustomResourceDefinitionNames",
            "storedVersions": "3 []string",
            "observedGeneration": "4 int64",
        },
        "CustomResourceDefinitionCondition": {
            "type": "1 string",
            "status": "2 string",
            "lastTransitionTime": "3 Time",
            "reason": "4 string",
            "message": "5 string",
            "observedGeneration": "6 int64",
        },
        "JSONSchemaProps": {
            "id": "1 string",
            "$schema": "2 string",
            "$ref": "3 *string",
            "description": "4 string",
            "type": "5 string",
            "format": "6 string",
            "title": "7 string",
            "default": "8 *json",
            "maximum": "9 *float64",
            "exclusiveMaximum": "10 bool",
            "minimum": "11 *float64",
            "exclusiveMinimum": "12 bool",
            "maxLength": "13 *int64",
            "minLength": "14 *int64",
            "pattern": "15 string",
            "maxItems": "16 *int64",
            "minItems": "17 *int64",
            "uniqueItems": "18 bool",
            "multipleOf": "19 *float64",
            "enum": "20 []json",
            "maxProperties": "21 *int64",
            "minProperties": "22 *int64",
            "required": "23 []string",
            "items": "24 *JSONSchemaPropsOrArray",
            "allOf": "25 []JSONSchemaProps",
            "oneOf": "26 []JSONSchemaProps",
            "anyOf": "27 []JSONSchemaProps",
            "not": "28 *JSONSchemaProps",
            "properties": "29 map[string]JSONSchemaProps",
            "additionalProperties": "30 *JSONSchemaPropsOrBool",
            "patternProperties": "31 map[string]JSONSchemaProps",
            "dependencies": "32 map[string]JSONSchemaPropsOrStringArray",
            "additionalItems": "33 *JSONSchemaPropsOrBool",
            "definitions": "34 map[string]JSONSchemaProps",
            "externalDocs": "35 *ExternalDocumentation",
            "example": "36 *json",
            "nullable": "37 bool",
            "x-kubernetes-preserve-unknown-fields": "38 *bool",
            "x-kubernetes-embedded-resource": "39 bool",
            "x-kubernetes-int-or-string": "40 bool",
            "x-kubernetes-list-map-keys": "41 []string",
            "x-kubernetes-list-type": "42 *string",
            "x-kubernetes-map-type": "43 *string",
            "x-kubernetes-validations": "44 []ValidationRule",
        },
        "JSONSchemaPropsOrArray": {"schema": "1 *JSONSchemaProps", "jSONSchemas": "2 []JSONSchemaProps"},
        "JSONSchemaPropsOrBool": {"allows": "1 bool", "schema": "2 *JSONSchemaProps"},
        "JSONSchemaPropsOrStringArray": {"schema": "1 *JSONSchemaProps", "property": "2 []string"},
        "ExternalDocumentation": {"description": "1 string", "url": "2 string"},
        "ValidationRule": {
            "rule": "1 string",
            "message": "2 string",
            "messageExpression": "3 string",
            "reason": "4 *string",
            "fieldPath": "5 string",
            "optionalOldSelf": "6 *bool",
        },
    },
    includes=(META, WEBHOOK_CLIENTS),
    special={
        "JSONSchemaPropsOrArray": (_from_schema_or_list, _to_schema_or_list),
        "JSONSchemaPropsOrBool": (_from_schema_or_bool, _to_schema_or_bool),
        "JSONSchemaPropsOrStringArray": (_from_schema_or_strings, _to_schema_or_strings),
    },
)
