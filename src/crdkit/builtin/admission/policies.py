"""ValidatingAdmissionPolicies, MutatingAdmissionPolicies, and their bindings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from crdkit.builtin import label_selectors
from crdkit.builtin.admission import matching
from crdkit.builtin.admission.configuring import configuring
from crdkit.builtin.conditions import check_conditions
from crdkit.meta import errors, golang, names
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

if TYPE_CHECKING:
    from crdkit.builtin.admission.expressions import Compilation
    from crdkit.cel.types import Type

_REASONS: Final = ("Forbidden", "Invalid", "RequestEntityTooLarge")
_ACTIONS: Final = ("Audit", "Deny", "Warn")
_NOT_FOUND_ACTIONS: Final = ("Deny", "Allow")
_PATCH_FIELDS: Final[Mapping[str, str]] = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
_MOST_ANNOTATIONS: Final = 20
_LONGEST_ANNOTATION: Final = 5 * 1024
_NEW_WORDS: Final = KubeVersion(1, 34)
"""From here on messages do not begin with the name of their field."""
_IDENTIFIER: Final = re.compile("[_a-zA-Z][_a-zA-Z0-9]*", re.ASCII)
_RESERVED: Final = frozenset(
    (
        *("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function"),
        *("if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"),
    )
)
_SPEC: Final = ROOT / "spec"


def default_policy(obj: JsonObject) -> None:
    spec = obj["spec"]
    spec.setdefault("failurePolicy", "Fail")
    if (constraints := spec.get("matchConstraints")) is not None:
        matching.default_resources(constraints)


def default_binding(obj: JsonObject) -> None:
    if (constraints := obj["spec"].get("matchResources")) is not None:
        matching.default_resources(constraints)


def drop_status(obj: JsonObject) -> None:
    """Of a new policy the server itself tells the status."""
    obj["status"] = {}


def keep_status(new: JsonObject, old: JsonObject) -> None:
    new["status"] = old["status"]


@record
class _Checking:
    """One look at a policy: what its expressions are compiled with, and what of it stays as it was."""

    kube: KubeVersion
    compilation: Compilation
    params: bool
    mutates: bool
    same_conditions: bool = False

    @classmethod
    def of(cls, new: JsonObject, old: JsonObject | None, kube: KubeVersion, *, mutates: bool = False) -> _Checking:
        from crdkit.builtin.admission.expressions import Compilation, expressions_of  # noqa: PLC0415 (most servers see no policy)

        spec = new["spec"]
        params = spec.get("paramKind") is not None
        # what mutates may speak of variables even where there are none
        composed: dict[str, Type] | None = {} if mutates or spec.get("variables") else None
        if old is None:
            return cls(kube, Compilation(kube, variables=composed), params, mutates)
        before = old["spec"]
        same = all((spec.get(field) or None) == (before.get(field) or None) for field in ("paramKind", "matchConditions"))
        return cls(kube, Compilation(kube, expressions_of(before), composed), params, mutates, same)


def check_validating(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a new ValidatingAdmissionPolicy."""
    return _check_validating(obj, _Checking.of(obj, None, kube))


def check_validating_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a changed one."""
    return _check_validating(new, _Checking.of(new, old, kube))


def _check_validating(obj: JsonObject, checking: _Checking) -> Iterator[FieldError]:
    spec = obj["spec"]
    yield from _check_common(spec, checking)
    yield from _check_variables(spec, checking)
    validations, annotations = spec.get("validations") or (), spec.get("auditAnnotations") or ()
    if not validations and not annotations:
        why = "validations or auditAnnotations must contain at least one item"
        yield errors.required(_SPEC / "validations", why)
        yield errors.required(_SPEC / "auditAnnotations", why)
    for index, validation in enumerate(validations):
        yield from _check_validation(validation, (_SPEC / "validations").index(index), checking)
    if len(annotations) > _MOST_ANNOTATIONS:
        yield errors.invalid(_SPEC / "auditAnnotations", annotations, f"must not have more than {_MOST_ANNOTATIONS} auditAnnotations")
    known: set[str] = set()
    for index, annotation in enumerate(annotations):
        at = (_SPEC / "auditAnnotations").index(index)
        yield from _check_annotation(annotation, obj["metadata"].get("name", ""), at, checking)
        if annotation["key"] in known:
            yield errors.duplicate(at / "key", annotation["key"])
        known.add(annotation["key"])


def _check_common(spec: JsonObject, checking: _Checking) -> Iterator[FieldError]:
    kube = checking.kube
    yield from matching.check_choice(spec["failurePolicy"], matching.FAILURE_POLICIES, _SPEC / "failurePolicy")
    if (param := spec.get("paramKind")) is not None:
        yield from _check_param_kind(param, _SPEC / "paramKind")
    constraints = spec.get("matchConstraints")
    if constraints is None:
        yield errors.required(_SPEC / "matchConstraints")
    else:
        at = _SPEC / "matchConstraints"
        yield from matching.check_resources(constraints, at, kube)
        if not constraints.get("resourceRules"):
            yield errors.required(at / "resourceRules")
        if checking.mutates:
            yield from matching.check_mutable(constraints, at)
    if not checking.same_conditions:

        def fault(expression: str) -> str:
            return checking.compilation.check_condition(expression, params=checking.params)

        yield from matching.check_conditions(spec.get("matchConditions") or (), _SPEC / "matchConditions", kube, fault)


def _check_param_kind(param: JsonObject, at: FieldPath) -> Iterator[FieldError]:
    api_version, kind = param.get("apiVersion", ""), param.get("kind", "")
    group, _, version = api_version.rpartition("/")
    if not api_version:
        yield errors.required(at / "apiVersion")
    elif api_version.count("/") > 1:
        yield errors.invalid(at / "apiVersion", api_version, f"unexpected GroupVersion string: {api_version}")
    else:
        if group and (found := names.dns1123_subdomain(group)):
            yield errors.invalid(at / "apiVersion", group, ",".join(found))
        if not version:
            yield errors.invalid(at / "apiVersion", api_version, "version must be specified")
        elif found := names.dns1035_label(version):
            yield errors.invalid(at / "apiVersion", version, ",".join(found))
    if not kind:
        yield errors.required(at / "kind")
    elif found := names.dns1035_label(kind.lower()):
        yield errors.invalid(at / "kind", kind, f"may have mixed case, but should otherwise match: {','.join(found)}")


def _check_variables(spec: JsonObject, checking: _Checking) -> Iterator[FieldError]:
    for index, variable in enumerate(spec.get("variables") or ()):
        at = (_SPEC / "variables").index(index)
        name: str = variable["name"]
        if not name.strip():
            yield errors.required(at / "name", "name is not specified")
        elif not _IDENTIFIER.fullmatch(name) or name in _RESERVED:
            why = "must be a valid CEL identifier" if checking.kube >= _NEW_WORDS else "name is not a valid CEL identifier"
            yield errors.invalid(at / "name", name, why)
        expression = variable["expression"]
        if not expression.strip():
            yield errors.required(at / "expression", "expression is not specified")
        elif wrong := checking.compilation.check_variable(name, expression, params=checking.params):
            yield errors.invalid(at / "expression", expression, wrong)


def _check_validation(validation: JsonObject, at: FieldPath, checking: _Checking) -> Iterator[FieldError]:
    compilation, params = checking.compilation, checking.params
    expression, message = validation["expression"], validation.get("message", "")
    message_expression = validation.get("messageExpression", "")
    who = "" if checking.kube >= _NEW_WORDS else "message "
    if not expression.strip():
        yield errors.required(at / "expression", "expression is not specified")
    elif wrong := compilation.check_condition_of_policy(expression, params=params):
        yield errors.invalid(at / "expression", expression, wrong)
    if message_expression and not message_expression.strip():
        yield errors.invalid(at / "messageExpression", message_expression, "must be non-empty if specified")
    elif message_expression and (wrong := compilation.check_message(message_expression, params=params)):
        yield errors.invalid(at / "messageExpression", message_expression, wrong)
    if message and not message.strip():
        yield errors.invalid(at / "message", message, f"{who}must be non-empty if specified")
    elif {"\n", "\r"} & set(message.strip()):
        yield errors.invalid(at / "message", message, f"{who}must not contain line breaks")
    yield from matching.check_choice(validation.get("reason"), _REASONS, at / "reason")


def _check_annotation(annotation: JsonObject, policy: str, at: FieldPath, checking: _Checking) -> Iterator[FieldError]:
    key, given = annotation["key"], annotation["valueExpression"]
    expression = given.strip()
    full = f"{policy}/{key}"
    if not policy:
        yield errors.invalid(at / "key", key, "requires metadata.name be non-empty")
    else:
        yield from (errors.invalid(at / "key", full, message) for message in names.label_key(full, checking.kube))
    if not expression:
        yield errors.required(at / "valueExpression", "valueExpression is not specified")
    elif len(expression.encode("utf-8", "surrogatepass")) > _LONGEST_ANNOTATION:
        yield errors.required(at / "valueExpression", f"must not exceed {_LONGEST_ANNOTATION} bytes in length")
    elif wrong := checking.compilation.check_annotation(expression, params=checking.params):
        yield errors.invalid(at / "valueExpression", given, wrong)


def check_status(status: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with what is told about a ValidatingAdmissionPolicy."""
    at = ROOT / "status"
    for index, warning in enumerate((status.get("typeChecking") or {}).get("expressionWarnings") or ()):
        place = (at / "typeChecking" / "expressionWarnings").index(index)
        if not warning["warning"]:
            yield errors.required(place / "warning")
        if not warning["fieldRef"].strip():
            yield errors.required(place / "fieldRef")
    yield from check_conditions(status.get("conditions") or [], at / "conditions", kube)


def check_mutating(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a new MutatingAdmissionPolicy."""
    return _check_mutating(obj, _Checking.of(obj, None, kube, mutates=True))


def check_mutating_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a changed one."""
    return _check_mutating(new, _Checking.of(new, old, kube, mutates=True))


def _check_mutating(obj: JsonObject, checking: _Checking) -> Iterator[FieldError]:
    spec = obj["spec"]
    yield from _check_common(spec, checking)
    yield from _check_variables(spec, checking)
    mutations = spec.get("mutations") or ()
    if not mutations:
        yield errors.required(_SPEC / "mutations", "mutations must contain at least one item")
    for index, mutation in enumerate(mutations):
        yield from _check_mutation(mutation, (_SPEC / "mutations").index(index), checking)
    policy = spec.get("reinvocationPolicy", "")
    if not policy:
        yield errors.required(_SPEC / "reinvocationPolicy")
    else:
        yield from matching.check_choice(policy, matching.REINVOCATION_POLICIES, _SPEC / "reinvocationPolicy")


def _check_mutation(mutation: JsonObject, at: FieldPath, checking: _Checking) -> Iterator[FieldError]:
    """A mutation has the field that its type names, and not the other."""
    kind = mutation["patchType"]
    if not kind:
        yield errors.required(at / "patchType")
        return
    if kind not in _PATCH_FIELDS:
        yield errors.not_supported(at / "patchType", kind, tuple(_PATCH_FIELDS))
        return
    field = _PATCH_FIELDS[kind]
    given = mutation.get(field)
    if given is None:
        yield errors.required(at / field, f"must be specified when patchType is {kind}")
    elif not (expression := given.get("expression", "").strip()):
        yield errors.required(at / field / "expression")
    elif wrong := checking.compilation.check_mutation(expression, kind, params=checking.params):
        yield errors.invalid(at / field / "expression", expression, wrong)
    for other in _PATCH_FIELDS.values():
        if other != field and mutation.get(other) is not None:
            yield errors.invalid(at / other, f"{{{other}}}", f"must not be specified when patchType is {kind}")


def check_validating_binding(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    yield from _check_binding(obj["spec"], kube)
    yield from _check_actions(obj["spec"].get("validationActions") or [], _SPEC / "validationActions")


def check_mutating_binding(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    yield from _check_binding(obj["spec"], kube)
    if (constraints := obj["spec"].get("matchResources")) is not None:
        yield from matching.check_mutable(constraints, _SPEC / "matchResources")


def _check_binding(spec: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    policy = spec.get("policyName", "")
    if not policy:
        yield errors.required(_SPEC / "policyName")
    else:
        yield from (errors.invalid(_SPEC / "policyName", policy, message) for message in names.dns1123_subdomain(policy))
    if (param := spec.get("paramRef")) is not None:
        yield from _check_param_ref(param, _SPEC / "paramRef", kube)
    if (constraints := spec.get("matchResources")) is not None:
        yield from matching.check_resources(constraints, _SPEC / "matchResources", kube)


def _check_param_ref(param: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    name, selector, action = param.get("name", ""), param.get("selector"), param.get("parameterNotFoundAction")
    exclusive = "name and selector are mutually exclusive"
    yield from (errors.invalid(at / "name", name, message) for message in names.path_segment(name))
    if name and selector is not None:
        yield errors.forbidden(at / "name", exclusive)
    if selector is not None:
        yield from label_selectors.check(selector, at / "selector", kube)
        if name:
            yield errors.forbidden(at / "selector", exclusive)
    if not name and selector is None:
        yield errors.required(at, "one of name or selector must be specified")
    if not action:
        yield errors.required(at / "parameterNotFoundAction")
    else:
        yield from matching.check_choice(action, _NOT_FOUND_ACTIONS, at / "parameterNotFoundAction")


def _check_actions(actions: list[str], at: FieldPath) -> Iterator[FieldError]:
    for index, action in enumerate(actions):
        yield from matching.check_choice(action, _ACTIONS, at.index(index))
        if action in actions[:index]:
            yield errors.duplicate(at.index(index), action)
    if "Deny" in actions and "Warn" in actions:
        shown = golang.Typed(actions, "[]admissionregistration.ValidationAction{" + ", ".join(map(golang.quote, actions)) + "}")
        why = "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers"
        yield errors.invalid(at, shown, f"{why} serves no purpose)")
    if not actions:
        yield errors.required(at, "at least one validation action is required")


VALIDATING_POLICY: Final = configuring(
    default=default_policy,
    prepare_create=drop_status,
    prepare_update=keep_status,
    check=check_validating,
    check_change=check_validating_change,
    change_is_whole=True,
)
VALIDATING_BINDING: Final = configuring(default=default_binding, check=check_validating_binding)
MUTATING_POLICY: Final = configuring(default=default_policy, check=check_mutating, check_change=check_mutating_change, change_is_whole=True)
MUTATING_BINDING: Final = configuring(default=default_binding, check=check_mutating_binding)
