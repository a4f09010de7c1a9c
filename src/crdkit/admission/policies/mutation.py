"""What one MutatingAdmissionPolicy makes of an object (apiserver's policy/mutating/patch)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from crdkit.admission.evaluation import Compiled, Evaluation, Failed, OutOfBudget, Sight
from crdkit.admission.policies.natives import Natives, Unkeyed, in_protobuf
from crdkit.admission.policies.policy import Policy
from crdkit.builtin.admission.expressions import MUTATIONS, Scope
from crdkit.builtin.admission.messages import NotJson, ObjectValue, Operation
from crdkit.cel.values import Value
from crdkit.meta import jsonpatch
from crdkit.meta.copying import copied
from crdkit.meta.jsonpatch import PatchFailed, TestFailed
from crdkit.meta.types import Json, JsonObject
from crdkit.ownership.conformity import NotOfType, explain, require
from crdkit.ownership.items import Unnameable
from crdkit.ownership.merging import merge
from crdkit.ownership.types import Type

_FIELDS: Final = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}


class MutationFailed(Exception):
    """A mutation has no outcome: the policy's failure policy decides what that means. ``str()`` is the real server's text."""


@dataclass(frozen=True)
class Mutation:
    """One mutation of a policy."""

    compiled: Compiled
    patch: Callable[[Value, JsonObject, Type, Sequence[Value]], JsonObject]
    """What the value of the expression makes of an object; the last are what the expression could take values from."""

    def apply(self, sight: Sight, policy: Policy, type_: Type) -> JsonObject:
        """The object as the mutation makes it. Raises `MutationFailed`."""
        obj = sight.obj
        assert obj is not None
        if self.compiled.program is None:
            raise MutationFailed(self.compiled.fault)
        try:
            evaluation = Evaluation(sight, policy.variables)
            return self.patch(evaluation.evaluate(self.compiled), obj, type_, evaluation.roots())
        except (Failed, OutOfBudget) as error:
            raise MutationFailed(str(error)) from error


@dataclass(frozen=True)
class MutatingPolicy(Policy):
    """A policy that changes objects."""

    @property
    def is_reinvoked(self) -> bool:
        """Whether it wants to be followed again if others changed the object."""
        return self.spec.get("reinvocationPolicy") == "IfNeeded"

    @cached_property
    def mutations(self) -> list[Mutation]:
        return [self._mutation(raw) for raw in self.spec.get("mutations") or ()]

    def _mutation(self, raw: JsonObject) -> Mutation:
        kind = raw["patchType"]
        scope = Scope(self.has_params, mutates=True, variables=self.variables.types)
        compiled = Compiled.of(raw[_FIELDS[kind]]["expression"], scope, MUTATIONS[kind], self.kube)
        return Mutation(compiled, _merged if kind == "ApplyConfiguration" else _patched)


def _patched(value: Value, obj: JsonObject, type_: Type, roots: Sequence[Value]) -> JsonObject:
    """A JSON patch whose test fails changes nothing."""
    del type_
    operations: list[JsonObject] = []
    for operation in value:
        if not isinstance(operation, Operation):
            msg = "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch"
            raise MutationFailed(msg)
        written = operation.fields.get("value")
        if isinstance(written, ObjectValue):
            _check_places(written)
        operations.append(_json(operation, roots))
    try:
        return jsonpatch.patched(copied(obj), operations)
    except TestFailed:
        return obj
    except PatchFailed as error:
        msg = f"JSON Patch: {error}"
        raise MutationFailed(msg) from error


def _merged(value: Value, obj: JsonObject, type_: Type, roots: Sequence[Value]) -> JsonObject:
    """An object that names some fields is merged into the one that has all."""
    if not isinstance(value, ObjectValue):
        msg = f"unsupported return type from ApplyConfiguration expression: {value}"
        raise MutationFailed(msg)
    _check_places(value)
    natives = Natives(roots)
    try:
        patch = {**natives.object(value), "apiVersion": obj["apiVersion"], "kind": obj["kind"]}
    except Unkeyed as error:
        msg = "invalid return type: *dynamic.ObjectVal"
        raise MutationFailed(msg) from error
    try:
        if natives.foreign and (wrong := list(explain(type_, patch, duplicates=False))):
            raise NotOfType(wrong)  # noqa: TRY301 (told like all that does not fit)
        require(type_, patch, duplicates=False)
    except NotOfType as error:
        msg = f"error applying patch: failed to convert patch object to typed object: {error}"
        raise MutationFailed(msg) from error
    if wholes := list(_wholes(type_, patch, "")):
        msg = f"error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {', '.join(wholes)}"
        raise MutationFailed(msg)
    try:
        require(type_, obj, duplicates=True)
    except NotOfType as error:
        msg = f"error applying patch: failed to convert original object to typed object: {error}"
        raise MutationFailed(msg) from error
    try:
        merged: JsonObject = copied(merge(type_, obj, patch))
    except Unnameable as error:
        msg = f"error applying patch: failed to merge patch: {error}"
        raise MutationFailed(msg) from error
    return merged


def _json(operation: Operation, roots: Sequence[Value]) -> JsonObject:
    written = operation.fields.get("value")
    try:
        if not isinstance(written, ObjectValue):
            return operation.json()
        rest = Operation({name: value for name, value in operation.fields.items() if name != "value"})
        return {**rest.json(), "value": in_protobuf(Natives(roots).object(written))}
    except (NotJson, Unkeyed) as error:
        msg = f"JSONPath valueExpression evaluated to a type that could not marshal to JSON: {error}"
        raise MutationFailed(msg) from error


def _check_places(value: ObjectValue) -> None:
    if faults := list(value.misplaced()):
        told = "\n".join(faults)
        msg = f"type mismatch: {told}"
        raise MutationFailed(msg)


def _wholes(type_: Type, value: Json, path: str) -> Iterator[str]:
    """The paths of what a value names that has no parts to be merged."""
    if isinstance(value, dict) and (map_ := type_.map) is not None:
        if map_.atomic:
            yield path
        for name, child in value.items():
            if (below := map_.fields.get(name)) is not None:
                yield from _wholes(below, child, f"{path}.{name}")
    elif isinstance(value, list) and (list_ := type_.list) is not None:
        if list_.atomic:
            yield path
        for index, child in enumerate(value):
            yield from _wholes(list_.items, child, f"{path}[{index}]")
