"""Our answers for vectors, and where they differ from those of a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crdkit.cel.environment import Environment, Expression, environment
from crdkit.cel.errors import CelError, CompileError, ProgramError
from crdkit.cel.openapi.data import Read, reader, with_resource_fields
from crdkit.cel.openapi.declared import Declarations, declare
from crdkit.cel.types import Type, TypeProvider, optional_of
from crdkit.cel.values import NONE, Optional, Value
from crdkit.meta.version import V1_33, KubeVersion
from tests.vectors.ruling import rule_differences
from tests.vectors.tagged import parse_type, tag, untag

Answer = dict[str, Any]
_NAME = "selfType0"


def load(path: Path) -> Iterator[Answer]:
    """The vectors of a file, with the schemas and values that they share put in."""
    shared = json.loads((path.parent / "shared.json").read_text(encoding="utf-8"))
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            vector = json.loads(line)
            for part in ("schema", "self", "oldSelf"):
                if (name := vector.pop(f"{part}Ref", None)) is not None:
                    vector[part] = shared[name]
            yield vector


def wanted(vector: Answer, kube: KubeVersion) -> Answer:
    """What a server of that version answers."""
    answer: Answer = vector["want"]
    return vector.get("1.33", answer) if kube == V1_33 else answer


@dataclass(frozen=True, slots=True)
class Setting:
    """What an expression is compiled with and evaluated over."""

    variables: Mapping[str, Type]
    bindings: Mapping[str, Value]
    declarations: Declarations | None

    @property
    def provider(self) -> TypeProvider | None:
        """Who knows the object types."""
        return self.declarations


def setting(vector: Answer, kube: KubeVersion) -> Setting:
    """The setting of a vector."""
    variables: dict[str, Type] = {}
    bindings: dict[str, Value] = {}
    declarations = None
    if (schema := vector.get("schema")) is not None:
        root = bool(vector.get("isRoot"))
        declared = declare(schema, _NAME, resource=root)
        assert declared is not None
        declarations = Declarations(declared)
        read = reader(with_resource_fields(schema) if root else schema, kube)
        _bind_self(vector, declared.type, read, variables, bindings)
    for name, given in vector.get("vars", {}).items():
        variables[name] = parse_type(given["type"])
        if "value" in given:
            bindings[name] = untag(given["value"])
    return Setting(variables, bindings, declarations)


def _bind_self(vector: Answer, type_: Type, read: Read, variables: dict[str, Type], bindings: dict[str, Value]) -> None:
    optional = bool(vector.get("optionalOldSelf"))
    variables["self"] = type_
    variables["oldSelf"] = optional_of(type_) if optional else type_
    if "self" in vector:
        bindings["self"] = _read(read, vector["self"])
    has_old = vector.get("hasOldSelf", "oldSelf" in vector)
    if optional:
        bindings["oldSelf"] = Optional(_read(read, vector["oldSelf"])) if has_old else NONE
    elif has_old:
        bindings["oldSelf"] = _read(read, vector["oldSelf"])


def _read(read: Read, raw: Any) -> Value:
    try:
        return read(raw)
    except CelError as error:
        return error


def answer(vector: Answer, kube: KubeVersion) -> Answer:
    """Our answer for an expression."""
    given = setting(vector, kube)
    compiled = _compile(environment(kube), vector["expr"], given)
    if isinstance(compiled, str):
        return {"compileError": compiled}
    low, high = compiled.estimate(given.declarations)
    result: Answer = {"type": str(compiled.type), "est": {"min": low, "max": high}}
    return result if vector.get("hasSelf") is False else result | _evaluate(compiled, given)


def _compile(env: Environment, text: str, given: Setting) -> Expression | str:
    try:
        return env.compile(text, given.variables, given.provider)
    except CompileError as error:
        return str(error)


def _evaluate(compiled: Expression, given: Setting) -> Answer:
    try:
        program = compiled.program()
    except ProgramError as error:
        return {"programError": str(error)}
    try:
        value, cost = program.evaluate(given.bindings)
    except CelError as error:
        return {"error": str(error), "cost": error.cost}
    return {"value": tag(value), "cost": cost}


def rule_value(vector: Answer, kube: KubeVersion) -> Answer:
    """What a rule itself gives for a value, and at what cost; nothing if it is not evaluated."""
    given = setting(vector, kube)
    compiled = _compile(environment(kube), vector["rule"], given) if "self" in vector and vector["rule"].strip() else ""
    if isinstance(compiled, str):
        return {}
    evaluated = _evaluate(compiled, given)
    if evaluated.get("value", {}).get("t") == "bool":
        evaluated["value"] = evaluated["value"]["v"]
    return evaluated


def differences(vector: Answer, kube: KubeVersion) -> dict[str, tuple[Any, Any]]:
    """The parts of the answer that differ: what a real server says, and what we say."""
    want = wanted(vector, kube)
    if vector["mode"] == "expr":
        return _differing(want, answer(vector, kube))
    found = rule_differences(vector, want, kube)
    if vector["mode"] == "rule" and want.keys() & {"value", "error"}:
        found |= _differing({name: want[name] for name in ("value", "error", "cost") if name in want}, rule_value(vector, kube))
    return found


def _differing(want: Answer, got: Answer) -> dict[str, tuple[Any, Any]]:
    names = want.keys() | got.keys()
    if "costVaries" in want:
        names -= {"cost", "costVaries"}
    if "panic" in want:
        # The real server crashes where we answer.
        names -= {"panic", "programError", "value", "error", "cost"}
    return {name: (want.get(name), got.get(name)) for name in sorted(names) if want.get(name) != got.get(name)}
