"""Why a request is refused by a webhook, or because of one (apiserver's webhook/errors)."""

from __future__ import annotations

from typing import Final

from crdkit.meta.golang import quote
from crdkit.meta.status import Refusal, bad_request, internal_error
from crdkit.meta.types import JsonObject

_LEAST_CODE: Final = 400
_GREATEST_CODE: Final = 599


class CallingFailed(Exception):
    """A webhook gave no usable answer: its failure policy decides what that means. ``str()`` is the real server's text."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"failed calling webhook {quote(name)}: {why}")


def refused(failure: CallingFailed) -> Refusal:
    """The refusal of a request because a webhook that may not fail did."""
    return internal_error(str(failure))


def denied(name: str, result: JsonObject | None) -> Refusal:
    """The refusal of a request that a webhook does not allow, for the reasons that it gives."""
    result = dict(result or {})
    by = f"admission webhook {quote(name)} denied the request"
    why = result.get("message") or result.get("reason")
    message = f"{by}: {why}" if why else f"{by} without explanation"
    told = result.get("status") or ""
    status: JsonObject = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": result.get("metadata") or {},
        "status": "Failure" if told in ("", "Success") else told,
        "message": message,
    }
    status |= {name: result[name] for name in ("reason", "details") if result.get(name)}
    status["code"] = min(max(result.get("code") or 0, _LEAST_CODE), _GREATEST_CODE)
    return Refusal(status)


def dry_run_unsupported(name: str) -> Refusal:
    return bad_request(f"admission webhook {quote(name)} does not support dry run")


def modification_unsupported(name: str) -> Refusal:
    return internal_error(f"admission webhook {quote(name)} attempted to modify the object, which is not supported for this operation")
