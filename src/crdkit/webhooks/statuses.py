"""The struct Status as Go decodes it in the answers of webhooks."""

from __future__ import annotations

from typing import Final

from crdkit.meta.gostruct import StructTable

STATUSES: Final = StructTable(
    package="v1",
    structs={
        "v1.Status": {
            "kind": "string?",
            "apiVersion": "string?",
            "metadata": "v1.ListMeta?",
            "status": "string?",
            "message": "string?",
            "reason": "v1.StatusReason?",
            "details": "*v1.StatusDetails?",
            "code": "int32?",
        },
        "v1.ListMeta": {"selfLink": "string?", "resourceVersion": "string?", "continue": "string?", "remainingItemCount": "*int64?"},
        "v1.StatusDetails": {
            "name": "string?",
            "group": "string?",
            "kind": "string?",
            "uid": "types.UID?",
            "causes": "[]v1.StatusCause?",
            "retryAfterSeconds": "int32?",
        },
        "v1.StatusCause": {"reason": "v1.CauseType?", "message": "string?", "field": "string?"},
    },
    aliases={"types.UID": "string", "v1.StatusReason": "string", "v1.CauseType": "string"},
)
