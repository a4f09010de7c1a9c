"""The types of ``apiextensions.k8s.io/v1``: the definition of a custom resource, down to the schemas it carries."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import (
    META,
    anything,
    boolean,
    integer,
    kind,
    list_of,
    many,
    mapping,
    number,
    one,
    ref,
    string,
    struct,
)

V1: Final = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
SCHEMA: Final = V1 + "JSONSchemaProps"
TEXTS: Final = string()

REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")

TYPES: Final = {
    V1 + "CustomResourceColumnDefinition": struct(
        "CustomResourceColumnDefinition is one column of the tables that clients such as kubectl show.",
        {
            "description": string("description tells people what the column shows."),
            "format": string("format refines the type, as OpenAPI's formats do; `name` marks the column that holds the object's name."),
            "jsonPath": string("jsonPath is a simple JSON path, taken from each object's root, to the value of the cell.", default=""),
            "name": string("name is the heading of the column.", default=""),
            "priority": integer(
                "priority says how important the column is: 0 is always shown, a greater number only where there is room (`kubectl get -o wide`)."
            ),
            "type": string("type is the OpenAPI type of the cells: integer, number, string, boolean or date.", default=""),
        },
        required=("name", "type", "jsonPath"),
    ),
    V1 + "CustomResourceConversion": struct(
        "CustomResourceConversion says how objects are converted between the versions of a definition.",
        {
            "strategy": string(
                "strategy is how objects are converted: `None` changes the apiVersion and nothing else, `Webhook` asks a webhook, which"
                " webhook.clientConfig then has to name.",
                default="",
            ),
            "webhook": one(V1 + "WebhookConversion", "webhook says how to call the webhook, if that is the strategy.", optional=True),
        },
        required=("strategy",),
    ),
    V1 + "CustomResourceDefinition": kind(
        "CustomResourceDefinition defines a resource of your own. Its name must be <.spec.names.plural>.<.spec.group>.",
        {
            "spec": one(V1 + "CustomResourceDefinitionSpec", "spec is the resource as its author wants it."),
            "status": one(V1 + "CustomResourceDefinitionStatus", "status is what the API server made of it."),
        },
        required=("spec",),
    ),
    V1 + "CustomResourceDefinitionCondition": struct(
        "CustomResourceDefinitionCondition is one thing the API server says of a definition's state.",
        {
            "lastTransitionTime": one(META + "Time", "lastTransitionTime is when the status last changed.", optional=True),
            "message": string("message tells people more about the last change."),
            "observedGeneration": integer(
                "observedGeneration is the metadata.generation the condition was set for; if that has grown, the condition is out of date.",
                bits=64,
            ),
            "reason": string("reason is one word, in CamelCase, for why the status changed."),
            "status": string("status is True, False or Unknown.", default=""),
            "type": string(
                "type is what the condition is about, such as Established, NamesAccepted, NonStructuralSchema or Terminating.", default=""
            ),
        },
        required=("type", "status"),
    ),
    V1 + "CustomResourceDefinitionList": list_of(
        V1 + "CustomResourceDefinition", "CustomResourceDefinitionList is a list of definitions.", "items are the definitions."
    ),
    V1 + "CustomResourceDefinitionNames": struct(
        "CustomResourceDefinitionNames indicates the names to serve this CustomResourceDefinition",
        {
            "categories": many(
                TEXTS,
                "categories is a list of grouped resources this custom resource belongs to (e.g. 'all'). This is published in API discovery"
                " documents, and used by clients to support invocations like `kubectl get all`.",
                list_type="atomic",
            ),
            "kind": string(
                "kind is the serialized kind of the resource. It is normally CamelCase and singular. Custom resource instances will use this"
                " value as the `kind` attribute in API calls.",
                default="",
            ),
            "listKind": string('listKind is the serialized kind of the list for this resource. Defaults to "`kind`List".'),
            "plural": string(
                "plural is the plural name of the resource to serve. The custom resources are served under"
                " `/apis/<group>/<version>/.../<plural>`. Must match the name of the CustomResourceDefinition (in the form"
                " `<names.plural>.<group>`). Must be all lowercase.",
                default="",
            ),
            "shortNames": many(
                TEXTS,
                "shortNames are short names for the resource, exposed in API discovery documents, and used by clients to support invocations"
                " like `kubectl get <shortname>`. It must be all lowercase.",
                list_type="atomic",
            ),
            "singular": string("singular is the singular name of the resource. It must be all lowercase. Defaults to lowercased `kind`."),
        },
        required=("plural", "kind"),
    ),
    V1 + "CustomResourceDefinitionSpec": struct(
        "CustomResourceDefinitionSpec is how a custom resource is to look.",
        {
            "conversion": one(
                V1 + "CustomResourceConversion",
                "conversion says how objects are converted between versions; by default they are not.",
                optional=True,
            ),
            "group": string(
                "group is the API group of the resource, a DNS subdomain: objects are served under `/apis/<group>/...`. The definition's name"
                " ends in it.",
                default="",
            ),
            "names": one(V1 + "CustomResourceDefinitionNames", "names specify the resource and kind names for the custom resource."),
            "preserveUnknownFields": boolean(
                "preserveUnknownFields is a relic of v1beta1: fields that the schema does not name were kept. New definitions say"
                " x-kubernetes-preserve-unknown-fields in their schemas instead."
            ),
            "scope": string(
                "scope indicates whether the defined custom resource is cluster- or namespace-scoped. Allowed values are `Cluster` and"
                " `Namespaced`.",
                default="",
            ),
            "versions": many(
                ref(V1 + "CustomResourceDefinitionVersion"),
                "versions is the list of all API versions of the defined custom resource. Version names are used to compute the order in which"
                ' served versions are listed in API discovery. If the version string is "kube-like", it will sort above non "kube-like" version'
                ' strings, which are ordered lexicographically. "Kube-like" versions start with a "v", then are followed by a number (the major'
                ' version), then optionally the string "alpha" or "beta" and another number (the minor version). These are sorted first by GA >'
                " beta > alpha (where GA is a version with no suffix such as beta or alpha), and then by comparing major version, then minor"
                " version. An example sorted list of versions: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10.",
                list_type="atomic",
            ),
        },
        required=("group", "names", "scope", "versions"),
    ),
    V1 + "CustomResourceDefinitionStatus": struct(
        "CustomResourceDefinitionStatus is what the API server made of a definition.",
        {
            "acceptedNames": one(
                V1 + "CustomResourceDefinitionNames",
                "acceptedNames are the names that are served. They are those of the spec unless another definition of the group has one of them.",
            ),
            "conditions": many(
                ref(V1 + "CustomResourceDefinitionCondition"),
                "conditions tell whether the names are accepted, whether the resource is served, and what is wrong with it.",
                list_type="map",
                keys=("type",),
            ),
            "observedGeneration": integer(
                "observedGeneration is the newest metadata.generation that the API server has looked at.", bits=64
            ),
            "storedVersions": many(
                TEXTS,
                "storedVersions are the versions that objects may still be stored in. Take a version away here once its objects are migrated;"
                " before that it cannot be taken from spec.versions.",
                list_type="atomic",
            ),
        },
    ),
    V1 + "CustomResourceDefinitionVersion": struct(
        "CustomResourceDefinitionVersion describes a version for CRD.",
        {
            "additionalPrinterColumns": many(
                ref(V1 + "CustomResourceColumnDefinition"),
                "additionalPrinterColumns are the columns of tables, after the name. Without any, there is one: the age.",
                list_type="atomic",
            ),
            "deprecated": boolean("deprecated makes every request to this version come with a warning."),
            "deprecationWarning": string(
                "deprecationWarning is the text of that warning, if the usual one does not do; only with deprecated."
            ),
            "name": string("name is the version in paths and apiVersions, such as v1 or v2beta1: `/apis/<group>/<name>/...`", default=""),
            "schema": one(
                V1 + "CustomResourceValidation",
                "schema is what objects of this version look like: it prunes, fills defaults and validates them.",
                optional=True,
            ),
            "selectableFields": many(
                ref(V1 + "SelectableField"),
                "selectableFields are the fields that field selectors may name, eight at most, beside metadata.name and metadata.namespace.",
                list_type="atomic",
            ),
            "served": boolean("served says whether the version is offered at all.", default=False),
            "storage": boolean("storage marks the version that objects are stored in. Exactly one version has it.", default=False),
            "subresources": one(
                V1 + "CustomResourceSubresources",
                "subresources are the parts that have paths of their own: status and scale.",
                optional=True,
            ),
        },
        required=("name", "served", "storage"),
    ),
    V1 + "CustomResourceSubresourceScale": struct(
        "CustomResourceSubresourceScale says where /scale finds its numbers in an object.",
        {
            "labelSelectorPath": string(
                "labelSelectorPath is the path, below .status or .spec, to the label selector in text form, which autoscalers need."
            ),
            "specReplicasPath": string(
                "specReplicasPath is the path, below .spec, to the number of replicas wanted. It is dots and names, no lists.", default=""
            ),
            "statusReplicasPath": string(
                "statusReplicasPath is the path, below .status, to the number of replicas there are; a missing value reads as 0.",
                default="",
            ),
        },
        required=("specReplicasPath", "statusReplicasPath"),
    ),
    V1 + "CustomResourceSubresourceStatus": struct(
        "CustomResourceSubresourceStatus turns the status subresource on: /status then takes changes of .status alone, and other writes take"
        " everything but .status."
    ),
    V1 + "CustomResourceSubresources": struct(
        "CustomResourceSubresources are the parts of an object that have paths of their own.",
        {
            "scale": one(V1 + "CustomResourceSubresourceScale", "scale offers /scale, in the form of autoscaling/v1 Scale.", optional=True),
            "status": one(
                V1 + "CustomResourceSubresourceStatus",
                "status offers /status and keeps .status apart from the rest of the object.",
                optional=True,
            ),
        },
    ),
    V1 + "CustomResourceValidation": struct(
        "CustomResourceValidation holds the schema of one version.",
        {"openAPIV3Schema": one(SCHEMA, "openAPIV3Schema is a structural OpenAPI v3 schema.", optional=True)},
    ),
    V1 + "ExternalDocumentation": struct(
        "ExternalDocumentation points to documentation elsewhere.", {"description": string(), "url": string()}
    ),
    V1 + "JSON": anything("JSON is any JSON value: an object, list, text, number, boolean or null."),
    SCHEMA: struct(
        "JSONSchemaProps is a schema: JSON Schema of draft 4 as far as OpenAPI v3 knows it, with Kubernetes' extensions.",
        {
            "$ref": string(),
            "$schema": string(),
            "additionalItems": one(V1 + "JSONSchemaPropsOrBool", optional=True),
            "additionalProperties": one(V1 + "JSONSchemaPropsOrBool", optional=True),
            "allOf": many(ref(SCHEMA), list_type="atomic"),
            "anyOf": many(ref(SCHEMA), list_type="atomic"),
            "default": one(
                V1 + "JSON",
                "default is put where the field is missing: in requests, in what is read from storage, and in what webhooks return. It must be"
                " valid itself.",
                optional=True,
            ),
            "definitions": mapping(ref(SCHEMA)),
            "dependencies": mapping(ref(V1 + "JSONSchemaPropsOrStringArray")),
            "description": string(),
            "enum": many(ref(V1 + "JSON"), list_type="atomic"),
            "example": one(V1 + "JSON", optional=True),
            "exclusiveMaximum": boolean(),
            "exclusiveMinimum": boolean(),
            "externalDocs": one(V1 + "ExternalDocumentation", optional=True),
            "format": string(
                "format narrows a text or number down. Unknown formats are ignored. Among those checked are: date, date-time, duration, email,"
                " hostname, ipv4, ipv6, cidr, mac, uri, uuid, uuid3, uuid4, uuid5, byte, password, bsonobjectid, isbn, isbn10, isbn13,"
                " creditcard, ssn, hexcolor, rgbcolor, int32 and int64."
            ),
            "id": string(),
            "items": one(V1 + "JSONSchemaPropsOrArray", optional=True),
            "maxItems": integer(bits=64),
            "maxLength": integer(bits=64),
            "maxProperties": integer(bits=64),
            "maximum": number(),
            "minItems": integer(bits=64),
            "minLength": integer(bits=64),
            "minProperties": integer(bits=64),
            "minimum": number(),
            "multipleOf": number(),
            "not": one(SCHEMA, optional=True),
            "nullable": boolean(),
            "oneOf": many(ref(SCHEMA), list_type="atomic"),
            "pattern": string(),
            "patternProperties": mapping(ref(SCHEMA)),
            "properties": mapping(ref(SCHEMA)),
            "required": many(TEXTS, list_type="atomic"),
            "title": string(),
            "type": string(),
            "uniqueItems": boolean(),
            "x-kubernetes-embedded-resource": boolean(
                "x-kubernetes-embedded-resource says that the value is a Kubernetes object with apiVersion, kind and metadata, which are then"
                " validated. The type must be object."
            ),
            "x-kubernetes-int-or-string": boolean(
                "x-kubernetes-int-or-string allows a number or a text. No type may stand beside it; anyOf may list the two types."
            ),
            "x-kubernetes-list-map-keys": many(
                TEXTS,
                "x-kubernetes-list-map-keys are the fields that tell the items of a list of type map apart. Each is a scalar that is required or"
                " has a default.",
                list_type="atomic",
            ),
            "x-kubernetes-list-type": string(
                "x-kubernetes-list-type says how a list is merged by server-side apply: `atomic` as a whole (the default), `set` by its distinct"
                " scalar items, `map` by the keys that x-kubernetes-list-map-keys names."
            ),
            "x-kubernetes-map-type": string(
                "x-kubernetes-map-type says how an object is merged by server-side apply: `granular` field by field (the default), `atomic` as"
                " a whole."
            ),
            "x-kubernetes-preserve-unknown-fields": boolean(
                "x-kubernetes-preserve-unknown-fields keeps fields that the schema does not name. Below named properties pruning begins again."
                " The value is true or left out."
            ),
            "x-kubernetes-validations": many(
                ref(V1 + "ValidationRule"),
                "x-kubernetes-validations are rules in the expression language CEL.",
                list_type="map",
                keys=("rule",),
                merge_key="rule",
            ),
        },
    ),
    V1 + "JSONSchemaPropsOrArray": anything("JSONSchemaPropsOrArray is a schema, or a list of schemas."),
    V1 + "JSONSchemaPropsOrBool": anything("JSONSchemaPropsOrBool is a schema, or a boolean; true where nothing is said."),
    V1 + "JSONSchemaPropsOrStringArray": anything("JSONSchemaPropsOrStringArray is a schema, or a list of texts."),
    V1 + "SelectableField": struct(
        "SelectableField is a field that field selectors may name.",
        {
            "jsonPath": string(
                "jsonPath is the path from the object's root, such as .spec.color, to a text, integer or boolean. It is dots and names, no lists.",
                default="",
            )
        },
        required=("jsonPath",),
    ),
    V1 + "ServiceReference": struct(
        "ServiceReference names a service of the cluster.",
        {
            "name": string("name is the name of the service.", default=""),
            "namespace": string("namespace is the namespace of the service.", default=""),
            "path": string("path is the path of the URL that is called."),
            "port": integer("port is the port of the service, 443 unless said otherwise."),
        },
        required=("namespace", "name"),
    ),
    V1 + "ValidationRule": struct(
        "ValidationRule is one rule in CEL.",
        {
            "fieldPath": string(
                "fieldPath is the field that an error is reported for, relative to the rule's place: `.spec.replicas`, `['x-y']`. It must exist in"
                " the schema."
            ),
            "message": string("message is what an error says. It is required if the rule has line breaks, and may have none itself."),
            "messageExpression": string(
                "messageExpression is an expression that gives the message, and wins over message unless it fails. It sees what the rule sees."
            ),
            "optionalOldSelf": boolean(
                "optionalOldSelf makes a rule that uses oldSelf be evaluated for new values as well: oldSelf is then an optional value."
            ),
            "reason": string("reason is the machine-readable kind of the error, FieldValueInvalid by default.", enum=REASONS),
            "rule": string(
                "rule is a CEL expression that must be true. `self` is the value at the rule's place in the schema, `oldSelf` what it was before an"
                " update: a rule that speaks of it is skipped where there was nothing. Fields are selected by name, `has(self.field)` asks"
                " whether one is set.",
                default="",
            ),
        },
        required=("rule",),
    ),
    V1 + "WebhookClientConfig": struct(
        "WebhookClientConfig says where a webhook is: at a URL, or behind a service.",
        {
            "caBundle": string(
                "caBundle is the PEM text of the authorities that the webhook's certificate is checked against.", form="byte"
            ),
            "service": one(V1 + "ServiceReference", "service is the service that answers, if url is not given.", optional=True),
            "url": string("url is the address, `https://host:port/path`, if service is not given. It has no user, query or fragment."),
        },
    ),
    V1 + "WebhookConversion": struct(
        "WebhookConversion says how the webhook that converts objects is called.",
        {
            "clientConfig": one(V1 + "WebhookClientConfig", "clientConfig says where the webhook is.", optional=True),
            "conversionReviewVersions": many(
                TEXTS,
                "conversionReviewVersions are the versions of ConversionReview the webhook understands, the preferred first. One must be known to"
                " the API server (v1, v1beta1).",
                list_type="atomic",
            ),
        },
        required=("conversionReviewVersions",),
    ),
}
