from __future__ import annotations

import pytest

from crdkit.meta.types import Json
from crdkit.meta.version import V1_33
from tests.schema.checks.told import told

ALLOWED = (
    "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems"
    " UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the"
    " root of the schema if the status subresource is enabled"
)
WHOLE = (
    '{"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,'
    '"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"",'
    '"MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":1,'
    '"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,'
    '"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,'
    '"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,'
    '"XValidations":null}'
)


def test_the_whole_schema_is_told() -> None:
    schema = {"type": "object", "minProperties": 1}
    assert told(schema, status=True) == [f"S: Invalid value: {WHOLE}: {ALLOWED}"]
    assert told(schema) == []


def test_old_servers_tell_it_in_go_syntax() -> None:
    (error,) = told({"type": "object", "minProperties": 1}, status=True, kube=V1_33)
    assert error.startswith(
        'S: Invalid value: apiextensions.JSONSchemaProps{ID:"", Schema:"", Ref:(*string)(nil), Description:"", Type:"object", '
    )
    assert ", MaxProperties:(*int64)(nil), MinProperties:(*int64)(0xc000000000), Required:[]string(nil), Items:" in error


@pytest.mark.parametrize(
    ("keyword", "value"),
    [("description", "d"), ("required", ["spec"]), ("x-kubernetes-validations", [{"rule": "true"}]), ("nullable", False), ("maxItems", 0)],
)
def test_what_the_root_may_have(keyword: str, value: Json) -> None:
    assert told({"type": "object", keyword: value}, status=True) == []


def test_a_wrong_type_ends_the_walk() -> None:
    assert told({"type": "array", "items": {"type": "string"}, "minProperties": 1}, status=True) == [
        'S.type: Invalid value: "array": must be object at the root',
        'S.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    ]
