"""The branches of allOf, anyOf, oneOf and not: they validate values and shape nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Final

from crdkit.meta.errors import FieldError, forbidden, invalid
from crdkit.meta.goregexp import fault_of
from crdkit.meta.paths import FieldPath
from crdkit.meta.version import KubeVersion
from crdkit.schema.checks.documentation import without_overlooked
from crdkit.schema.structural import Structural

_INT_OR_STRING: Final = (Structural(type="integer"), Structural(type="string"))


def check_value_validation(node: Structural, at: FieldPath, *, kube: KubeVersion) -> Iterator[FieldError]:
    """Check the junctors and the pattern of a node.

    An int-or-string spelled out is let pass, as the anyOf of the node or of its first allOf branch.
    """
    in_first_branch = bool(node.all_of) and _is_int_or_string(node.all_of[0].any_of, kube)
    yield from _check_junctors(node, at, kube, skip=_is_int_or_string(node.any_of, kube), skip_in_first=in_first_branch)


def _check_junctors(node: Structural, at: FieldPath, kube: KubeVersion, *, skip: bool, skip_in_first: bool = False) -> Iterator[FieldError]:
    """``skip`` tells that the node's anyOf spells int-or-string out, ``skip_in_first`` that the one of its first allOf branch does."""
    if not skip:
        yield from _check_branches(node.any_of, at / "anyOf", kube)
    yield from _check_branches(node.all_of, at / "allOf", kube, skip_in_first=skip_in_first)
    yield from _check_branches(node.one_of, at / "oneOf", kube)
    if node.not_ is not None:
        yield from _check_branch(node.not_, at / "not", kube)
    if node.pattern and (fault := fault_of(node.pattern)):
        yield invalid(at / "pattern", node.pattern, f"must be a valid regular expression, but isn't: {fault}")


def _is_int_or_string(branches: Sequence[Structural], kube: KubeVersion) -> bool:
    return len(branches) == len(_INT_OR_STRING) and tuple(_as_compared(branch, kube) for branch in branches) == _INT_OR_STRING


def _as_compared(branch: Structural, kube: KubeVersion) -> Structural:
    branch = without_overlooked(branch, kube)
    # false is the same as undefined here
    return dataclasses.replace(branch, additional_properties=None) if branch.additional_properties is False else branch


def _check_branches(
    branches: Sequence[Structural], at: FieldPath, kube: KubeVersion, *, skip_in_first: bool = False
) -> Iterator[FieldError]:
    for index, branch in enumerate(branches):
        yield from _check_branch(branch, at.index(index), kube, skip=skip_in_first and index == 0)


def _check_branch(branch: Structural, at: FieldPath, kube: KubeVersion, *, skip: bool = False) -> Iterator[FieldError]:
    yield from _check_junctors(branch, at, kube, skip=skip)
    if branch.items is not None:
        yield from _check_branch(branch.items, at / "items", kube)
    for name, child in branch.properties.items():
        yield from _check_branch(child, (at / "properties").key(name), kube)
    yield from _check_shapes_nothing(branch, at)
    if "metadata" in branch.properties:
        yield forbidden((at / "properties").key("metadata"), "must not be specified in a nested context")


def _check_shapes_nothing(branch: Structural, at: FieldPath) -> Iterator[FieldError]:
    for keyword, is_set, wanted in (
        ("type", branch.type, "empty"),
        ("title", branch.title, "empty"),
        ("description", branch.description, "empty"),
        ("default", branch.has_default, "undefined"),
        ("nullable", branch.nullable, "false"),
        # false is the same as undefined here
        ("additionalProperties", branch.additional_properties not in (None, False), "undefined"),
        ("x-kubernetes-preserve-unknown-fields", branch.preserve_unknown_fields, "false"),
        ("x-kubernetes-embedded-resource", branch.embedded_resource, "false"),
        ("x-kubernetes-int-or-string", branch.int_or_string, "false"),
        ("x-kubernetes-list-map-keys", branch.list_map_keys, "empty"),
        ("x-kubernetes-list-type", branch.list_type is not None, "undefined"),
        ("x-kubernetes-map-type", branch.map_type is not None, "undefined"),
        ("x-kubernetes-validations", branch.validations, "empty"),
    ):
        if is_set:
            yield forbidden(at / keyword, f"must be {wanted} to be structural")
