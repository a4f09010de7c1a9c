"""Whether the defaults of a schema are values that the schema itself lets pass."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors
from crdkit.meta.errors import FieldError, invalid
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema import embedded, pruning
from crdkit.schema.checks.places import RuleChecks
from crdkit.schema.structural import Structural
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.reading import Reading

_OF_EVERY_OBJECT: Final = frozenset(("metadata", "kind", "apiVersion"))
_STAND_IN: Final = {"apiVersion": "validation/v1", "kind": "Validation"}
"""What an object is taken to be that has a default in its metadata and nothing else."""


@record
class _Resource:
    """The object that a node is part of: the whole one, or an embedded one."""

    root: Structural
    steps: tuple[str | None, ...] = ()
    """The way from the root to the node: the names of fields, None for a list's items."""
    inside_metadata: bool = False

    def below(self, step: str | None) -> _Resource:
        inside = self.inside_metadata or (not self.steps and step in _OF_EVERY_OBJECT)
        return _Resource(self.root, (*self.steps, step), inside)

    def around(self, value: Json) -> JsonObject:
        """The smallest object of this kind that has ``value`` at the node."""
        for step in reversed(self.steps):
            value = [value] if step is None else {step: value}
        return {**_STAND_IN, **value}


def check_defaults(root: Structural, at: FieldPath, *, kube: KubeVersion, rules: RuleChecks | None) -> list[FieldError]:
    """Check all defaults but those of and below the values of maps, which no one looks at.

    The metadata of a resource within a default is rewritten in place: unknown and empty fields go.
    """
    root = dataclasses.replace(root, embedded_resource=True)
    return list(_Checks(kube, rules).check_node(root, at, _Resource(root)))


class _Checks:
    def __init__(self, kube: KubeVersion, rules: RuleChecks | None) -> None:
        self._kube = kube
        self._rules = rules
        self._reading = Reading(kube, declared=True)

    def check_node(self, node: Structural, at: FieldPath, resource: _Resource) -> Iterator[FieldError]:
        if node.embedded_resource:
            resource = _Resource(node)
        if node.has_default:
            yield from self._check_default(node, at / "default", resource)
        if node.items is not None:
            yield from self.check_node(node.items, at / "items", resource.below(None))
        for name, child in node.properties.items():
            yield from self.check_node(child, (at / "properties").key(name), resource.below(name))

    def _check_default(self, node: Structural, at: FieldPath, resource: _Resource) -> list[FieldError]:
        if resource.inside_metadata:
            return self._faults_in_metadata(node.default, at, resource) or self._value_faults(node, at, resource)
        unknown = pruning.prune(node, copy.deepcopy(node.default), is_resource=node.embedded_resource)
        found = [invalid(at, copy.deepcopy(node.default), "must not have unknown fields")] if unknown else []
        return [*found, *(self._resource_faults(node, node.default, at) or self._value_faults(node, at, resource))]

    def _faults_in_metadata(self, default: Json, at: FieldPath, resource: _Resource) -> list[FieldError]:
        found = self._resource_faults(resource.root, resource.around(copy.deepcopy(default)), ROOT)
        return [invalid(at, default, f"must result in valid metadata: {errors.aggregate(found, self._kube)}")] if found else []

    def _value_faults(self, node: Structural, at: FieldPath, resource: _Resource) -> list[FieldError]:
        found = [fault.at(at) for fault in examine(node, node.default, "", self._reading).faults.values()]
        if found or self._rules is None:
            return found
        return self._rules.run_on_default(node, node.default, at, is_root=node is resource.root)

    def _resource_faults(self, node: Structural, value: Json, at: FieldPath) -> list[FieldError]:
        try:
            embedded.coerce(node, value, at, kube=self._kube)
        except embedded.CoercionError as refused:
            return [refused.error]
        return list(embedded.check_embedded(node, value, at, self._kube))
