"""MutatingWebhookConfigurations and ValidatingWebhookConfigurations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crdkit.builtin import label_selectors
from crdkit.builtin.admission import matching
from crdkit.builtin.admission.configuring import configuring
from crdkit.meta import errors, golang, names, webhookclients
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import ROOT, FieldPath
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

REVIEW_VERSIONS: Final = ("v1", "v1beta1")
_QUIET: Final = ("None", "NoneOnDryRun")
_SIDE_EFFECTS: Final = ("None", "NoneOnDryRun", "Some", "Unknown")
_LONGEST: Final = 30
_SEGMENTS: Final = 3


def default_validating(obj: JsonObject) -> None:
    """Fill in what webhooks leave open."""
    for webhook in obj.get("webhooks") or ():
        _default_webhook(webhook)


def default_mutating(obj: JsonObject) -> None:
    """The same for webhooks that may change objects."""
    for webhook in obj.get("webhooks") or ():
        _default_webhook(webhook)
        webhook.setdefault("reinvocationPolicy", "Never")


def _default_webhook(webhook: JsonObject) -> None:
    """An empty list of versions is as if none were given."""
    webhook["admissionReviewVersions"] = webhook["admissionReviewVersions"] or None
    webhook.setdefault("failurePolicy", "Fail")
    webhook.setdefault("matchPolicy", "Equivalent")
    webhook.setdefault("namespaceSelector", {})
    webhook.setdefault("objectSelector", {})
    webhook.setdefault("timeoutSeconds", 10)
    matching.default_rules(webhook.get("rules") or ())
    if (service := webhook["clientConfig"].get("service")) is not None:
        service.setdefault("port", 443)


@record
class _Leniency:
    """What an update may keep because the stored object has it already."""

    loud: bool = False
    unknown_versions: bool = False
    repeated_names: bool = False
    odd_selectors: bool = False
    same_conditions: bool = False
    """Whether all webhooks have the conditions that they had."""
    expressions: frozenset[str] = frozenset()

    @classmethod
    def of(cls, new: JsonObject, old: JsonObject, kube: KubeVersion) -> _Leniency:
        webhooks = old.get("webhooks") or ()
        conditions = _conditions(old)
        told = [webhook["name"] for webhook in webhooks]
        return cls(
            loud=any(webhook["sideEffects"] not in _QUIET for webhook in webhooks),
            unknown_versions=any(not _knows(webhook["admissionReviewVersions"]) for webhook in webhooks),
            repeated_names=len(set(told)) < len(told),
            odd_selectors=any(
                found
                for webhook in webhooks
                for field in ("namespaceSelector", "objectSelector")
                for found in label_selectors.check(webhook[field], ROOT, kube)
            ),
            same_conditions=_conditions(new) == conditions,
            expressions=frozenset(condition["expression"] for found in conditions for condition in found),
        )


def _conditions(obj: JsonObject) -> list[list[JsonObject]]:
    return [webhook.get("matchConditions") or [] for webhook in obj.get("webhooks") or ()]


def _knows(versions: Sequence[str] | None) -> bool:
    return not versions or any(version in REVIEW_VERSIONS for version in versions)


def check(obj: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a new configuration."""
    return _check(obj, kube, _Leniency())


def check_change(new: JsonObject, old: JsonObject, kube: KubeVersion) -> Iterator[FieldError]:
    """What is wrong with a changed configuration."""
    return _check(new, kube, _Leniency.of(new, old, kube))


def _check(obj: JsonObject, kube: KubeVersion, lenient: _Leniency) -> Iterator[FieldError]:
    known: set[str] = set()
    for index, webhook in enumerate(obj.get("webhooks") or ()):
        at = (ROOT / "webhooks").index(index)
        yield from _check_webhook(webhook, at, kube, lenient)
        yield from _check_versions(webhook["admissionReviewVersions"] or [], at / "admissionReviewVersions", lenient)
        name = webhook["name"]
        if name and name in known and not lenient.repeated_names:
            yield errors.duplicate(at / "name", name)
        known.add(name)


def _check_webhook(webhook: JsonObject, at: FieldPath, kube: KubeVersion, lenient: _Leniency) -> Iterator[FieldError]:
    yield from _check_name(webhook["name"], at / "name")
    for index, rule in enumerate(webhook.get("rules") or ()):
        yield from matching.check_rule(rule, (at / "rules").index(index))
    yield from matching.check_choice(webhook["failurePolicy"], matching.FAILURE_POLICIES, at / "failurePolicy")
    yield from matching.check_choice(webhook["matchPolicy"], matching.MATCH_POLICIES, at / "matchPolicy")
    allowed = _SIDE_EFFECTS if lenient.loud else _QUIET
    if webhook["sideEffects"] is None:
        yield errors.required(at / "sideEffects", f"must specify one of {', '.join(allowed)}")
    yield from matching.check_choice(webhook["sideEffects"], allowed, at / "sideEffects")
    if not 1 <= webhook["timeoutSeconds"] <= _LONGEST:
        yield errors.invalid(at / "timeoutSeconds", webhook["timeoutSeconds"], "the timeout value must be between 1 and 30 seconds")
    for field in ("namespaceSelector", "objectSelector"):
        yield from label_selectors.check(webhook[field], at / field, kube, lax=lenient.odd_selectors)
    yield from matching.check_choice(webhook.get("reinvocationPolicy"), matching.REINVOCATION_POLICIES, at / "reinvocationPolicy")
    yield from _check_client(webhook["clientConfig"], at / "clientConfig", kube)
    conditions = webhook.get("matchConditions") or ()
    if conditions and not lenient.same_conditions:
        from crdkit.builtin.admission.expressions import Compilation  # noqa: PLC0415 (most webhooks have no conditions)

        compilation = Compilation(kube, lenient.expressions)

        def fault(expression: str) -> str:
            return compilation.check_condition(expression, params=False)

        yield from matching.check_conditions(conditions, at / "matchConditions", kube, fault)


def _check_name(name: str, at: FieldPath) -> Iterator[FieldError]:
    if not name:
        yield errors.required(at)
    elif found := names.dns1123_subdomain(name):
        yield errors.invalid(at, name, ",".join(found))
    elif name.count(".") < _SEGMENTS - 1:
        yield errors.invalid(at, name, "should be a domain with at least three segments separated by dots")


def _check_client(client: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield errors.required(at, "exactly one of url or service is required")
    elif url is not None:
        yield from webhookclients.check_url(url, at / "url")
    elif service is not None:
        yield from webhookclients.check_service(service, at / "service", kube)


def _check_versions(versions: list[str], at: FieldPath, lenient: _Leniency) -> Iterator[FieldError]:
    known = ", ".join(REVIEW_VERSIONS)
    if not versions:
        yield errors.required(at, f"must specify one of {known}")
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            yield errors.invalid(at.index(index), version, "duplicate version")
        else:
            yield from (errors.invalid(at.index(index), version, message) for message in names.dns1035_label(version))
    if not lenient.unknown_versions and not _knows(versions):
        yield errors.invalid(at, golang.strings(versions), f"must include at least one of {known}")


VALIDATING: Final = configuring(default=default_validating, check=check, check_change=check_change, change_is_whole=True)
MUTATING: Final = configuring(default=default_mutating, check=check, check_change=check_change, change_is_whole=True)
