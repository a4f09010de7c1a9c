"""Types of apimachinery that only some built-in kinds use, beside those of `meta`."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, integer, many, mapping, one, ref, string, struct
from crdkit.meta.types import JsonObject

TEXTS: Final = string()


def _requirement(of: str) -> JsonObject:
    return {
        "key": string(f"key is the {of} that is compared.", default=""),
        "operator": string("operator is In, NotIn, Exists or DoesNotExist.", default=""),
        "values": many(TEXTS, "values are compared with; none for Exists and DoesNotExist, else at least one.", list_type="atomic"),
    }


TYPES: Final = {
    META + "Condition": struct(
        "Condition is one thing said of an object's state.",
        {
            "lastTransitionTime": one(META + "Time", "lastTransitionTime is when the status last changed.", optional=True),
            "message": string("message tells people more about the last change. It may be empty.", default=""),
            "observedGeneration": integer("observedGeneration is the metadata.generation the condition was set for.", bits=64),
            "reason": string("reason is one word, in CamelCase, for why the status changed.", default=""),
            "status": string("status is True, False or Unknown.", default=""),
            "type": string("type is what the condition is about.", default=""),
        },
        required=("type", "status", "lastTransitionTime", "reason", "message"),
    ),
    META + "FieldSelectorRequirement": struct(
        "FieldSelectorRequirement compares a field.", _requirement("field"), required=("key", "operator")
    ),
    META + "GroupResource": struct(
        "GroupResource names a resource, whatever its version.",
        {"group": string(default=""), "resource": string(default="")},
        required=("group", "resource"),
    ),
    META + "LabelSelector": struct(
        "LabelSelector chooses objects by their labels. An empty one chooses all.",
        {
            "matchExpressions": many(ref(META + "LabelSelectorRequirement"), "matchExpressions must all hold.", list_type="atomic"),
            "matchLabels": mapping(TEXTS, "matchLabels are labels with their values, all of which an object must have."),
        },
        atomic=True,
    ),
    META + "LabelSelectorRequirement": struct(
        "LabelSelectorRequirement compares a label.", _requirement("label"), required=("key", "operator")
    ),
    META + "MicroTime": string("MicroTime is a time to the microsecond, such as 2006-01-02T15:04:05.000000Z.", form="date-time"),
}
