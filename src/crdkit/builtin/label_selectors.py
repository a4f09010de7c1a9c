"""Label selectors as they stand in objects (apimachinery's meta/v1 validation), and what they choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crdkit.meta import errors, names
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion


def check(selector: JsonObject, at: FieldPath, kube: KubeVersion, *, lax: bool = False) -> Iterator[FieldError]:
    """What is wrong with a selector. ``lax`` accepts values that no label can have."""
    for key, value in (selector.get("matchLabels") or {}).items():
        place = at / "matchLabels"
        yield from (errors.invalid(place, key, message) for message in names.label_key(key, kube))
        if not lax:
            yield from (errors.invalid(place, value, message) for message in names.label_value(value, kube))
    for index, requirement in enumerate(selector.get("matchExpressions") or ()):
        yield from _check_requirement(requirement, (at / "matchExpressions").index(index), kube, lax=lax)


def _check_requirement(requirement: JsonObject, at: FieldPath, kube: KubeVersion, *, lax: bool) -> Iterator[FieldError]:
    operator, values = requirement["operator"], requirement.get("values") or ()
    if operator in ("In", "NotIn"):
        if not values:
            yield errors.required(at / "values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield errors.forbidden(at / "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    else:
        yield errors.invalid(at / "operator", operator, "not a valid selector operator")
    key = requirement["key"]
    yield from (errors.invalid(at / "key", key, message) for message in names.label_key(key, kube))
    if not lax:
        for index, value in enumerate(values):
            place = (at / "values").index(index)
            yield from (errors.invalid(place, value, message) for message in names.label_value(value, kube))


def chooses(selector: JsonObject, labels: Mapping[str, str]) -> bool:
    """Whether a valid selector chooses what has these labels; an empty one chooses all."""
    if any(labels.get(key) != value for key, value in (selector.get("matchLabels") or {}).items()):
        return False
    return all(_holds(requirement, labels) for requirement in selector.get("matchExpressions") or ())


def _holds(requirement: JsonObject, labels: Mapping[str, str]) -> bool:
    key, operator = requirement["key"], requirement["operator"]
    if operator == "Exists":
        return key in labels
    if operator == "DoesNotExist":
        return key not in labels
    among = key in labels and labels[key] in (requirement.get("values") or ())
    return among if operator == "In" else not among
