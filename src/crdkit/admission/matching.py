"""Whether a webhook or policy is about a request: its rules and selectors, and the version in which it wants to see the object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crdkit.admission import rules
from crdkit.admission.attributes import Attributes, Variant
from crdkit.admission.namespaces import Namespaces
from crdkit.builtin.label_selectors import chooses
from crdkit.meta.types import JsonObject


def webhook_variant(webhook: JsonObject, attributes: Attributes, namespaces: Namespaces) -> Variant | None:
    """The version in which a webhook is to be asked about a request; None if it is not. Raises a `Refusal` (404)."""
    if _is_empty(webhook["objectSelector"]) or _object_chosen(webhook["objectSelector"], attributes):
        found = _first(webhook.get("rules") or (), webhook["matchPolicy"], attributes)
        if found is not None and _namespace_chosen(webhook["namespaceSelector"], attributes, namespaces):
            return found
    return None


def policy_variant(constraints: JsonObject, attributes: Attributes, namespaces: Namespaces) -> Variant | None:
    """The same for a policy's constraints, or a binding's: without rules these are about everything. Raises a `Refusal` (404)."""
    if not _is_empty(constraints["objectSelector"]) and not _object_chosen(constraints["objectSelector"], attributes):
        return None
    match_policy = constraints["matchPolicy"]
    if _first(constraints.get("excludeResourceRules") or (), match_policy, attributes) is not None:
        return None
    wanted = constraints.get("resourceRules") or ()
    found = _first(wanted, match_policy, attributes) if wanted else attributes.target.variant
    if found is None or not _namespace_chosen(constraints["namespaceSelector"], attributes, namespaces):
        return None
    return found


def _first(wanted: Sequence[JsonObject], match_policy: str, attributes: Attributes) -> Variant | None:
    """The version of the first rule that is about the request as it is, or else in another version."""
    target = attributes.target
    if any(_rule_matches(rule, attributes, target.variant) for rule in wanted):
        return target.variant
    if match_policy != "Equivalent":
        return None
    for rule in wanted:
        for variant in target.equivalents:
            if variant.place != target.variant.place and _rule_matches(rule, attributes, variant):
                return variant
    return None


def _rule_matches(rule: JsonObject, attributes: Attributes, variant: Variant) -> bool:
    names = rule.get("resourceNames")
    return rules.matches(rule, attributes, variant.place) and (not names or attributes.name in names)


def _is_empty(selector: JsonObject) -> bool:
    return not selector.get("matchLabels") and not selector.get("matchExpressions")


def _object_chosen(selector: JsonObject, attributes: Attributes) -> bool:
    """An object is chosen by what it was, too."""
    return any(obj is not None and chooses(selector, _labels(obj)) for obj in (attributes.obj, attributes.old))


def _namespace_chosen(selector: JsonObject, attributes: Attributes, namespaces: Namespaces) -> bool:
    """What stands in no namespace is always chosen."""
    if _is_empty(selector) or (not attributes.namespace and not attributes.is_about_namespaces):
        return True
    return chooses(selector, namespaces.labels(attributes))


def _labels(obj: JsonObject) -> Mapping[str, str]:
    """There are none where one of them is no text; null is an empty one."""
    metadata = obj.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    if not isinstance(labels, dict):
        return {}
    read = {key: "" if value is None else value for key, value in labels.items()}
    return read if all(isinstance(value, str) for value in read.values()) else {}
