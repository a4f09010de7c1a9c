"""Rules: which operations on which resources a webhook or policy is about (apiserver's webhook/predicates/rules)."""

from __future__ import annotations

from collections.abc import Sequence

from crdkit.admission.attributes import Attributes, Place
from crdkit.meta.types import JsonObject


def matches(rule: JsonObject, attributes: Attributes, place: Place) -> bool:
    """Whether a rule is about a request, were that for the resource ``place``."""
    return (
        _scope(rule.get("scope") or "*", attributes)
        and _named(rule.get("operations") or (), attributes.operation)
        and _named(rule.get("apiGroups") or (), place.group)
        and _named(rule.get("apiVersions") or (), place.version)
        and any(_resource(resource, place.resource, attributes.subresource) for resource in rule.get("resources") or ())
    )


def _named(names: Sequence[str], wanted: str) -> bool:
    return wanted in names or "*" in names


def _scope(scope: str, attributes: Attributes) -> bool:
    """A request for a namespace names one, but namespaces stand in none."""
    if scope == "*":
        return True
    is_namespaced = bool(attributes.namespace) and not attributes.is_about_namespaces
    return is_namespaced is (scope == "Namespaced")


def _resource(pattern: str, resource: str, subresource: str) -> bool:
    """``*`` is all resources without subresources, ``pods/*`` pods with theirs, ``*/scale`` that subresource of all."""
    wanted, _, part = pattern.partition("/")
    return wanted in ("*", resource) and part in ("*", subresource)
