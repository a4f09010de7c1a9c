"""Status objects and the refusals that carry them (apimachinery's api/errors)."""

from __future__ import annotations

from collections.abc import Sequence

from crdkit.meta import golang
from crdkit.meta.errors import FieldError, joined
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion


class Refusal(Exception):
    """The request is answered with a Status that tells why it was refused. ``status["code"]`` is the HTTP code."""

    def __init__(self, status: JsonObject) -> None:
        super().__init__(status.get("message", ""))
        self.status = status

    @property
    def code(self) -> int:
        code: int = self.status["code"]
        return code


class PlainRefusal(Exception):
    """The request is answered with plain text: what the mux of a real server answers, not its API machinery."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@record
class GroupResource:
    """A resource, or a kind, of a group: how refusals name what they are about (``crontabs.stable.example.com``)."""

    group: str
    resource: str

    def __str__(self) -> str:
        return f"{self.resource}.{self.group}" if self.group else self.resource


def failure(code: int, reason: str, message: str, details: JsonObject | None = None) -> JsonObject:
    """A Status of failure. An empty reason and absent details are left out."""
    status: JsonObject = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    if reason:
        status["reason"] = reason
    if details is not None:
        status["details"] = details
    status["code"] = code
    return status


def _details(name: str, about: GroupResource) -> JsonObject:
    details: JsonObject = {}
    if name:
        details["name"] = name
    if about.group:
        details["group"] = about.group
    if about.resource:
        details["kind"] = about.resource
    return details


def not_found(about: GroupResource, name: str) -> Refusal:
    return Refusal(failure(404, "NotFound", f"{about} {golang.quote(name)} not found", _details(name, about)))


def already_exists(about: GroupResource, name: str) -> Refusal:
    return Refusal(failure(409, "AlreadyExists", f"{about} {golang.quote(name)} already exists", _details(name, about)))


def conflict(about: GroupResource, name: str, why: str) -> Refusal:
    message = f"Operation cannot be fulfilled on {about} {golang.quote(name)}: {why}"
    return Refusal(failure(409, "Conflict", message, _details(name, about)))


def forbidden(about: GroupResource, name: str, why: str) -> Refusal:
    quoted = f" {golang.quote(name)}" if name else ""
    return Refusal(failure(403, "Forbidden", f"{about}{quoted} is forbidden: {why}", _details(name, about)))


def bad_request(message: str) -> Refusal:
    return Refusal(failure(400, "BadRequest", message))


def internal_error(message: str) -> Refusal:
    """An error the real server knows as internal: the text is told in a cause too."""
    details = {"causes": [{"message": message}]}
    return Refusal(failure(500, "InternalError", f"Internal error occurred: {message}", details))


def unknown(message: str) -> Refusal:
    """An error that the real server has no reason for."""
    return Refusal(failure(500, "", message))


def invalid(about: GroupResource, name: str, errors: Sequence[FieldError], kube: KubeVersion) -> Refusal:
    """What is wrong with an object. ``about.resource`` is its *kind*."""
    details = _details(name, about)
    causes = details["causes"] = [error.cause(kube) for error in errors]
    why = joined(f"{cause['field']}: {cause['message']}" for cause in causes)
    return Refusal(failure(422, "Invalid", f"{about} {golang.quote(name)} is invalid: {why}", details))
