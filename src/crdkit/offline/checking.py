"""Checking files: definitions and objects are judged as a server that has these definitions would."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Final, NamedTuple

from crdkit.definitions.definition import Definition as StoredDefinition
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import DEFAULT, KubeVersion
from crdkit.offline import lines
from crdkit.offline.definition import Definition, NeedsWebhook, is_definition, judge_definition
from crdkit.offline.documents import Document, Found, Unreadable
from crdkit.offline.findings import Finding, Report, Severity, Subject
from crdkit.offline.judging import DEFAULT_NAMESPACE, FieldValidation
from crdkit.offline.verdict import Verdict

API_VERSION: Final = "apiextensions.k8s.io/v1"
_OLD_API: Final = "apiextensions.k8s.io/v1beta1"
_SHARED: Final = {
    "spec.validation": "spec.versions[0].schema",
    "spec.subresources": "spec.versions[0].subresources",
    "spec.additionalPrinterColumns": "spec.versions[0].additionalPrinterColumns",
    "spec.selectableFields": "spec.versions[0].selectableFields",
}
"""Where a server tells what all versions have in common, and where it stands."""


@record
class Settings:
    """How strictly is looked, and as which Kubernetes."""

    kube: KubeVersion = DEFAULT
    validation: FieldValidation = FieldValidation.STRICT
    strict_kinds: bool = False


class Key(NamedTuple):
    """What an object is matched with its older state by."""

    group: str
    kind: str
    namespace: str
    name: str


class Input(NamedTuple):
    """Something read from the file of that name."""

    file: str
    found: Found


class Accepted(NamedTuple):
    """A definition that a server accepts, and where it was found."""

    document: Document
    subject: Subject
    stored: StoredDefinition


@record(frozen=False)
class _Known:
    """The definitions found so far, by group and kind, and why others cannot be used."""

    definitions: dict[tuple[str, str], Definition] = field(default_factory=dict)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)


def check(
    inputs: Iterable[Input], settings: Settings, *, against: Iterable[Input] = (), advance: Callable[[], None] = lambda: None
) -> Report:
    """Check all that was read, as new objects or, where ``against`` has an older state, as updates of it.

    The values of the documents are used up. ``advance`` is called after each document.
    """
    run = Run(settings)
    run.remember(against)
    objects = []
    for one in inputs:
        if (document := run.take(one)) is None:
            advance()
        else:
            objects.append(document)
    for document in objects:
        run.check_object(document)
        advance()
    return run.report


class Run:
    """One check on its way: definitions are judged as they are taken, objects once all definitions are known."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.report = Report()
        self.accepted: list[Accepted] = []
        self._subjects = 0
        self._known = _Known()
        self._older: dict[Key, JsonObject] = {}
        self._older_definitions: dict[str, JsonObject] = {}

    def remember(self, against: Iterable[Input]) -> None:
        """Take up older objects, and older definitions; what a server would refuse of these is no base of anything."""
        for file, found in against:
            if isinstance(found, Unreadable):
                self._unreadable(file, found)
            elif not is_definition(found.value):
                self._older[_key(found.value)] = found.value
            elif found.value.get("apiVersion") == API_VERSION:
                verdict = judge_definition(found.value, self.settings.kube)
                if verdict.object is not None:
                    definition = self._learn(verdict)
                    self._older_definitions[definition.name] = definition.stored.raw

    def take(self, one: Input) -> Document | None:
        """Judge what is a definition, tell what is no object, and give back what is left for later."""
        file, found = one
        if isinstance(found, Unreadable):
            self._unreadable(file, found)
            return None
        if not is_definition(found.value):
            return found
        self._check_definition(found)
        return None

    def _unreadable(self, file: str, error: Unreadable) -> None:
        subject = self._new_subject(file, "")
        self.report.findings.append(Finding(subject, error.line, Severity.ERROR, "", str(error)))

    def _check_definition(self, document: Document) -> None:
        subject = self._subject(document)
        if document.value.get("apiVersion") != API_VERSION:
            self._check_old_api(document, subject)
            return
        older = self._older_definitions.get(_key(document.value).name)
        verdict = judge_definition(document.value, self.settings.kube, old=older)
        self._tell(document, subject, verdict, _at_home)
        if verdict.object is None:
            self._known.refused[_served_as(document.value)] = "is refused"
        else:
            self.accepted.append(Accepted(document, subject, self._learn(verdict).stored))

    def _learn(self, verdict: Verdict) -> Definition:
        definition = Definition.accepted(verdict, self.settings.kube)
        self._known.definitions[definition.group, definition.kind] = definition
        self._known.refused.pop((definition.group, definition.kind), None)
        return definition

    def _check_old_api(self, document: Document, subject: Subject) -> None:
        """No server of today knows the definitions of old."""
        text = f'no matches for kind "CustomResourceDefinition" in version "{document.value.get("apiVersion")}"'
        if document.value.get("apiVersion") == _OLD_API:
            text += " (crdkit upgrade rewrites it)"
        self.report.findings.append(Finding(subject, document.line("apiVersion"), Severity.ERROR, "apiVersion", text))
        self._known.refused[_served_as(document.value)] = "is of an API that is gone"

    def check_object(self, document: Document) -> None:
        """Judge an object by its definition, if there is one."""
        key = _key(document.value)
        definition = self._known.definitions.get(key[:2])
        if definition is None:
            self._without_definition(document, key)
            return
        subject = self._subject(document, namespaced=definition.namespaced)
        self._tell(document, subject, self._judge(definition, document, subject, key))

    def _judge(self, definition: Definition, document: Document, subject: Subject, key: Key) -> Verdict:
        validation = FieldValidation.IGNORE if self.settings.validation is FieldValidation.IGNORE else FieldValidation.WARN
        older = self._older.get(key) if key.name else None  # a name that is yet to be generated is nobody's
        if older is not None:
            try:
                return definition.admit(document.value, older, field_validation=validation)
            except (NeedsWebhook, ValueError) as error:
                text = f"not compared with its older state: {error}"
                self.report.findings.append(Finding(subject, document.line("apiVersion"), Severity.WARNING, "", text))
        return definition.judge(document.value, field_validation=validation)

    def _without_definition(self, document: Document, key: Key) -> None:
        subject = self._subject(document)
        kind = key.kind + (f".{key.group}" if key.group else "")
        if not key.kind:
            self._error(document, subject, "", "Object 'Kind' is missing")
        elif not document.value.get("apiVersion"):
            self._error(document, subject, "", "Object 'apiVersion' is missing")
        elif why := self._known.refused.get(key[:2]):
            self.report.skipped[f"the definition of {kind} {why}"] += 1
        elif self.settings.strict_kinds:
            text = f'no matches for kind "{key.kind}" in version "{document.value.get("apiVersion")}"'
            self._error(document, subject, "apiVersion", text)
        else:
            self.report.skipped[f"no definition of {kind}"] += 1

    def _error(self, document: Document, subject: Subject, path: str, text: str) -> None:
        self.report.checked.append(subject)
        self.report.findings.append(Finding(subject, document.line(path), Severity.ERROR, path, text))

    def _subject(self, document: Document, *, namespaced: bool = False) -> Subject:
        return self._new_subject(document.file, label(document.value, namespaced=namespaced))

    def _new_subject(self, file: str, name: str) -> Subject:
        self._subjects += 1
        return Subject(file, self._subjects, name)

    def _tell(self, document: Document, subject: Subject, verdict: Verdict, place: Callable[[Document, str], str] | None = None) -> None:
        report, validation = self.report, self.settings.validation
        report.checked.append(subject)
        for twice in document.twice if validation is not FieldValidation.IGNORE else ():
            report.findings.append(Finding(subject, twice.line, self._strictness, "", twice.text))
        for problem in verdict.errors:
            path = lines.path_told(problem.path, problem.message)
            line = document.line(place(document, path) if place else path)
            report.findings.append(Finding(subject, line, Severity.ERROR, problem.path, problem.message))
        for path in verdict.unknown_fields if validation is not FieldValidation.IGNORE else ():
            report.findings.append(Finding(subject, document.line(path), self._strictness, path, f'unknown field "{path}"'))
        unknown = {f'unknown field "{path}"' for path in verdict.unknown_fields}
        for text in verdict.warnings:
            if text not in unknown:
                report.findings.append(Finding(subject, document.line(), Severity.WARNING, "", text))

    @property
    def _strictness(self) -> Severity:
        return Severity.ERROR if self.settings.validation is FieldValidation.STRICT else Severity.WARNING


def label(value: JsonObject, *, namespaced: bool = False) -> str:
    """What an object is called in reports: ``CronTab default/nightly``; nothing where it tells neither kind nor name."""
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    if not (value.get("kind") or metadata.get("name")):
        return ""
    name = metadata.get("name") or f"{metadata.get('generateName') or ''}*"
    namespace = metadata.get("namespace") or (DEFAULT_NAMESPACE if namespaced else "")
    return f"{value.get('kind') or 'object'} {namespace}/{name}" if namespace else f"{value.get('kind') or 'object'} {name}"


def _key(value: JsonObject) -> Key:
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    group = str(value.get("apiVersion") or "").rpartition("/")[0]
    return Key(group, str(value.get("kind") or ""), str(metadata.get("namespace") or DEFAULT_NAMESPACE), str(metadata.get("name") or ""))


def _served_as(value: JsonObject) -> tuple[str, str]:
    """Group and kind of a definition that may be quite wrong."""
    spec = value.get("spec")
    spec = spec if isinstance(spec, dict) else {}
    names = spec.get("names")
    return str(spec.get("group") or ""), str((names if isinstance(names, dict) else {}).get("kind") or "")


def _at_home(document: Document, path: str) -> str:
    """Where in a definition something stands that is told as common to all its versions."""
    for told, home in _SHARED.items():
        if path.startswith(told) and told.removeprefix("spec.") not in document.value["spec"]:
            return home + path[len(told) :]
    return path
