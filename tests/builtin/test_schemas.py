"""The types of the built-in kinds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crdkit.builtin.kinds import BuiltinKind, kinds
from crdkit.builtin.schemas.notation import META, PREFIX
from crdkit.builtin.schemas.tables import type_name, types
from crdkit.meta.types import Json
from crdkit.meta.version import SUPPORTED, V1_33, V1_36, KubeVersion


def references(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, child in value.items():
            if key == "$ref" and isinstance(child, str):
                yield child.removeprefix(PREFIX)
            else:
                yield from references(child)
    elif isinstance(value, list):
        for child in value:
            yield from references(child)


@pytest.mark.parametrize("kube", SUPPORTED, ids=str)
def test_every_reference_leads_somewhere(kube: KubeVersion) -> None:
    known = types(kube)
    assert set(references(dict(known))) <= known.keys()


@pytest.mark.parametrize("kind", kinds(V1_36), ids=lambda kind: f"{kind.plural}.{kind.group}")
def test_a_kind_and_its_list_have_types_that_name_them(kind: BuiltinKind) -> None:
    told = {"group": kind.group, "version": kind.version, "kind": kind.kind}
    assert types(V1_36)[type_name(kind)]["x-kubernetes-group-version-kind"] == [told]
    if "list" in kind.verbs:
        told = {**told, "kind": kind.list_kind}
        assert types(V1_36)[type_name(kind) + "List"]["x-kubernetes-group-version-kind"] == [told]


def test_required_fields_exist() -> None:
    for name, schema in types(V1_36).items():
        missing = set(schema.get("required", ())) - set(schema.get("properties", ()))
        assert not missing, name


def test_elements_have_defaults_in_1_33_alone() -> None:
    def finalizers(kube: KubeVersion) -> Json:
        return types(kube)[META + "ObjectMeta"]["properties"]["finalizers"]["items"]

    def owners(kube: KubeVersion) -> Json:
        return types(kube)[META + "ObjectMeta"]["properties"]["ownerReferences"]["items"]

    owner = {"$ref": f"{PREFIX}{META}OwnerReference"}
    assert (finalizers(V1_36), finalizers(V1_33)) == ({"type": "string"}, {"type": "string", "default": ""})
    assert (owners(V1_36), owners(V1_33)) == (owner, {"allOf": [owner], "default": {}})


def test_lists_are_sharded_since_1_36() -> None:
    assert META + "ShardInfo" in types(V1_36)
    assert META + "ShardInfo" not in types(V1_33)
    assert "shardInfo" not in types(V1_33)[META + "ListMeta"]["properties"]
