"""The phases of a write, as the server's registry goes through them, for an object that is stored nowhere."""

from __future__ import annotations

import enum
from dataclasses import field
from typing import Final

from crdkit.meta import json
from crdkit.meta.errors import FieldError
from crdkit.meta.records import record
from crdkit.meta.status import GroupResource, Refusal, invalid
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.offline.verdict import Problem, Verdict, problems_of
from crdkit.registry import bodies, fieldvalidation, metadata
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.options import IGNORE, STRICT, WARN, WriteOptions
from crdkit.registry.resource import Resource

DEFAULT_NAMESPACE: Final = "default"
_GENERATED_SUFFIX: Final = "xxxxx"
"""Stands for the five letters that a server makes up."""
_UNKNOWN: Final = "unknown field "
_SOME_REVISION: Final = "1"


class FieldValidation(enum.StrEnum):
    """What becomes of unknown fields: refused, warned of, or silently dropped."""

    STRICT = STRICT
    WARN = WARN
    IGNORE = IGNORE


@record(frozen=False)
class Judging:
    """One object on its way through an endpoint. The object is the judge's own, and changed."""

    endpoint: Endpoint
    obj: JsonObject
    validation: FieldValidation = FieldValidation.WARN
    warnings: list[str] = field(default_factory=list)
    unknown_fields: list[str] = field(default_factory=list)

    @property
    def _resource(self) -> Resource:
        return self.endpoint.resource

    def create(self) -> Verdict:
        """The answer to the object as a new one."""
        try:
            self._read()
            meta = self._enter()
            metadata.wipe_system_fields(meta)
            named = self._name(meta)
            self._resource.prepare_create(self.obj)
            self._refuse_if(self._resource.with_rules(self._resource.check_create(self.obj), self.obj, None, self.warnings))
        except Refusal as refusal:
            return self._refused(refusal)
        self.warnings += self.endpoint.warnings(self.obj, None)
        if not named:
            del meta["name"]
        meta.pop("resourceVersion", None)
        return self._accepted(201)

    def update(self, old: JsonObject) -> Verdict:
        """The answer to the object as a change of one that is stored (`stored` makes it so)."""
        try:
            self._read()
            meta, old_meta = self._enter(), old["metadata"]
            given = old_meta.get("resourceVersion")
            meta["resourceVersion"] = old_meta["resourceVersion"] = given or _SOME_REVISION
            metadata.carry_over(meta, old_meta)
            self.endpoint.prepare(self.obj, old)
            self._refuse_if(self._resource.with_rules(self.endpoint.check(self.obj, old), self.obj, old, self.warnings))
        except Refusal as refusal:
            return self._refused(refusal)
        self.warnings += self.endpoint.warnings(self.obj, old)
        meta = self.obj["metadata"]
        if not given:
            meta.pop("resourceVersion", None)
        return self._accepted(200)

    def _read(self) -> None:
        """Decode, prune and default. Raises a `Refusal` (400)."""
        endpoint, obj = self.endpoint, self.obj
        sent_kind, sent_version = obj.get("kind"), obj.get("apiVersion") or ""
        text = b"" if sent_kind else json.encode(obj, sort=True)
        try:
            told = endpoint.redecode(obj, WriteOptions(field_validation=self.validation))
        except Undecodable as error:
            if not isinstance(sent_kind, str) or not sent_kind or not isinstance(sent_version, str):
                raise bodies.unrecognized(endpoint.kind, str(error), text) from error
            raise bodies.unhandled(sent_kind, sent_version, endpoint.kind, str(error)) from error
        self.unknown_fields += [problem.removeprefix(_UNKNOWN).strip('"') for problem in told if problem.startswith(_UNKNOWN)]
        if told and self.validation is FieldValidation.STRICT:
            raise bodies.unhandled(obj["kind"], sent_version, endpoint.kind, fieldvalidation.strict_text(told))
        self.warnings += fieldvalidation.warnings_of(told)
        if sent_version != endpoint.api_version:
            raise bodies.wrong_version(sent_version, endpoint.api_version)

    def _enter(self) -> JsonObject:
        """Put the object into its namespace; its metadata."""
        meta = metadata.metadata_of(self.obj)
        metadata.ensure_namespace(meta, (meta.get("namespace") or DEFAULT_NAMESPACE) if self._resource.namespaced else "")
        metadata.drop_repeated_owners(meta, self.warnings)
        return meta

    def _name(self, meta: JsonObject) -> bool:
        """Make up a name where one is to be generated. Whether the object has one of its own."""
        if meta.get("generateName") and not meta.get("name"):
            meta["name"] = metadata.generate_name(meta["generateName"])[: -len(_GENERATED_SUFFIX)] + _GENERATED_SUFFIX
            return False
        return True

    def _refuse_if(self, found: list[FieldError]) -> None:
        if found:
            about = GroupResource((self.obj.get("apiVersion") or "").rpartition("/")[0], self.obj.get("kind") or "")
            raise _Invalid(about, self.obj["metadata"].get("name") or "", found, self._resource.kube)

    def _accepted(self, code: int) -> Verdict:
        self.obj["metadata"].pop("managedFields", None)
        return Verdict(code, self.obj, [], self.warnings, self.unknown_fields)

    def _refused(self, refusal: Refusal) -> Verdict:
        status = refusal.status
        return Verdict(status["code"], None, self._problems(refusal), self.warnings, self.unknown_fields, status["message"])

    def _problems(self, refusal: Refusal) -> list[Problem]:
        if isinstance(refusal, _Invalid):
            return problems_of(refusal.found, self._resource.kube)
        reason = refusal.status.get("reason", "")
        if self.validation is FieldValidation.STRICT and self.unknown_fields:
            return [Problem(path, f'unknown field "{path}"', reason) for path in self.unknown_fields]
        return [Problem("", refusal.status["message"], reason)]


class _Invalid(Refusal):
    """A refusal that keeps what was found as data."""

    def __init__(self, about: GroupResource, name: str, found: list[FieldError], kube: KubeVersion) -> None:
        super().__init__(invalid(about, name, found, kube).status)
        self.found = found
