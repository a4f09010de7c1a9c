"""Which requests webhooks and policies are about: rules, selectors and conditions, the same in all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from crdkit.builtin import label_selectors
from crdkit.meta import errors, golang, names
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

OPERATIONS: Final = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
MUTABLE: Final = tuple(operation for operation in OPERATIONS if operation != "DELETE")
SCOPES: Final = ("*", "Cluster", "Namespaced")
FAILURE_POLICIES: Final = ("Fail", "Ignore")
MATCH_POLICIES: Final = ("Equivalent", "Exact")
REINVOCATION_POLICIES: Final = ("IfNeeded", "Never")
_MOST_CONDITIONS: Final = 64


def default_rules(rules: Sequence[JsonObject]) -> None:
    for rule in rules:
        rule.setdefault("scope", "*")


def default_resources(matching: JsonObject) -> None:
    """Fill in what a policy's constraints leave open."""
    matching.setdefault("namespaceSelector", {})
    matching.setdefault("objectSelector", {})
    matching.setdefault("matchPolicy", "Equivalent")
    default_rules(matching.get("resourceRules") or ())
    default_rules(matching.get("excludeResourceRules") or ())


def check_choice(value: str | None, allowed: Sequence[str], at: FieldPath) -> Iterator[FieldError]:
    if value is not None and value not in allowed:
        yield errors.not_supported(at, value, allowed)


def check_rule(rule: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """Operations on resources; a wildcard stands alone."""
    operations: list[str] = rule.get("operations") or []
    if not operations:
        yield errors.required(at / "operations")
    yield from _check_alone(operations, at / "operations", "operations", operation_list)
    for index, operation in enumerate(operations):
        yield from check_choice(operation, OPERATIONS, (at / "operations").index(index))
    groups, versions = rule.get("apiGroups") or [], rule.get("apiVersions") or []
    if not groups:
        yield errors.required(at / "apiGroups")
    yield from _check_alone(groups, at / "apiGroups", "API groups", golang.strings)
    if not versions:
        yield errors.required(at / "apiVersions")
    yield from _check_alone(versions, at / "apiVersions", "API versions", golang.strings)
    yield from (errors.required((at / "apiVersions").index(index)) for index, version in enumerate(versions) if not version)
    yield from _check_resources(rule.get("resources") or [], at / "resources")
    yield from check_choice(rule.get("scope"), SCOPES, at / "scope")


def operation_list(operations: list[str]) -> golang.Typed:
    """Operations, whose Go type has a name."""
    return golang.Typed(operations, "[]admissionregistration.OperationType{" + ", ".join(map(golang.quote, operations)) + "}")


def _check_alone(values: list[str], at: FieldPath, what: str, shown: Callable[[list[str]], golang.Typed]) -> Iterator[FieldError]:
    if len(values) > 1 and "*" in values:
        yield errors.invalid(at, shown(values), f"if '*' is present, must not specify other {what}")


def _check_resources(resources: list[str], at: FieldPath) -> Iterator[FieldError]:
    if not resources:
        yield errors.required(at)
    with_all_parts: set[str] = set()
    parts_of_all: set[str] = set()
    plain = False
    for index, resource in enumerate(resources):
        if not resource:
            yield errors.required(at.index(index))
            continue
        name, slash, part = resource.partition("/")
        if not slash:
            plain = resource != "*"
            continue
        if name in with_all_parts:
            yield errors.invalid(at.index(index), resource, f"if '{name}/*' is present, must not specify {resource}")
        if part in parts_of_all:
            yield errors.invalid(at.index(index), resource, f"if '*/{part}' is present, must not specify {resource}")
        if part == "*":
            with_all_parts.add(name)
        if name == "*":
            parts_of_all.add(part)
    if len(resources) > 1 and "*/*" in resources:
        yield errors.invalid(at, golang.strings(resources), "if '*/*' is present, must not specify other resources")
    if "*" in resources and plain:
        why = "if '*' is present, must not specify other resources without subresources"
        yield errors.invalid(at, golang.strings(resources), why)


def check_resources(matching: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """A policy's constraints."""
    yield from check_choice(matching["matchPolicy"], MATCH_POLICIES, at / "matchPolicy")
    for field in ("namespaceSelector", "objectSelector"):
        yield from label_selectors.check(matching[field], at / field, kube)
    for field in ("resourceRules", "excludeResourceRules"):
        for index, rule in enumerate(matching.get(field) or ()):
            yield from _check_named_rule(rule, (at / field).index(index))


def check_mutable(matching: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    """There is nothing to change in a deletion. The real server does not tell which rule is meant."""
    for rule in matching.get("resourceRules") or ():
        for operation in rule.get("operations") or ():
            yield from check_choice(operation, MUTABLE, at / "resourceRules" / "operations")


def _check_named_rule(rule: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    known: set[str] = set()
    for index, name in enumerate(rule.get("resourceNames") or ()):
        place = (at / "resourceNames").index(index)
        yield from (errors.invalid(place, name, message) for message in names.path_segment(name))
        if name in known:
            yield errors.duplicate(place, name)
        known.add(name)
    yield from check_rule(rule, at)


def check_conditions(
    conditions: Sequence[JsonObject], at: FieldPath, kube: KubeVersion, fault: Callable[[str], str]
) -> Iterator[FieldError]:
    """Names and expressions; ``fault`` tells what is wrong with one of these, if anything is."""
    if len(conditions) > _MOST_CONDITIONS:
        yield errors.too_many(at, len(conditions), _MOST_CONDITIONS, kube)
    known: set[str] = set()
    for index, condition in enumerate(conditions):
        place, name, expression = at.index(index), condition["name"], condition["expression"].strip()
        if not expression:
            yield errors.required(place / "expression")
        elif wrong := fault(expression):
            yield errors.invalid(place / "expression", expression, wrong)
        if not name:
            yield errors.required(place / "name")
            continue
        yield from (errors.invalid(place / "name", name, message) for message in names.label_key(name, kube))
        if name in known:
            yield errors.duplicate(place / "name", name)
        known.add(name)
