"""What becomes of an object that is sent to a server: stored as told, or refused for these reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from crdkit.meta.errors import FieldError
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion


@record
class Problem:
    """One thing that is wrong, in the server's words: ``str()`` gives ``spec.replicas: Invalid value: ...``.

    ``path`` is the field as the server prints it, ``<nil>`` for the object as a whole, and empty where an object could not be read at all.
    ``reason`` is that of the cause in the server's answer, such as ``FieldValueRequired``, or of the answer as a whole.
    """

    path: str
    message: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


@record
class Verdict:
    """A server's answer to a write. ``object`` is what is stored, without what differs each time (uid, times, managers); None if refused.

    ``message`` and ``code`` are those of the answer; ``errors`` tells its causes one by one. ``unknown_fields`` are the paths of what is
    dropped for being unknown, which is told in ``warnings`` too unless it is ignored.
    """

    code: int
    object: JsonObject | None = None
    errors: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unknown_fields: list[str] = field(default_factory=list)
    message: str = ""

    @property
    def accepted(self) -> bool:
        return self.object is not None


def problems_of(errors: Sequence[FieldError], kube: KubeVersion) -> list[Problem]:
    """The causes of a refusal, each told once."""
    return list(dict.fromkeys(Problem(error.path, error.body(kube), error.kind.reason) for error in errors))
