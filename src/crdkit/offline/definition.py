"""A definition loaded from a file or a dictionary: what a server that has it would do with objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from crdkit.conversion.converter import Converter
from crdkit.conversion.function import Convert, FunctionConverter
from crdkit.conversion.none import NoneConverter
from crdkit.definitions import decoding, status
from crdkit.definitions.definition import Definition as StoredDefinition
from crdkit.meta import time
from crdkit.meta.copying import copied
from crdkit.meta.types import JsonObject
from crdkit.meta.version import DEFAULT, KubeVersion
from crdkit.offline import converting, documents
from crdkit.offline.judging import FieldValidation, Judging
from crdkit.offline.verdict import Problem, Verdict
from crdkit.registry.customresource import CustomResource
from crdkit.registry.definitionresource import DefinitionResource
from crdkit.registry.endpoint import Endpoint
from crdkit.registry.metadata import metadata_of

KIND = "CustomResourceDefinition"
GROUP = "apiextensions.k8s.io"


class DefinitionRefused(ValueError):
    """A server would not accept the definition. ``str()`` is the server's message, ``errors`` tells its causes one by one."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.message)
        self.errors = verdict.errors


class NeedsWebhook(Exception):
    """An answer would need the definition's conversion webhook to be called."""


def load(source: str | Path | Mapping[str, Any], kube_version: str | KubeVersion | None = None) -> Definition:
    """Load a definition from a YAML or JSON file that holds just one, or from a dictionary, which stays as it is.

    ``kube_version`` ("1.36", "1.33") is the Kubernetes whose behaviour is wanted, by default the newest. Raises `DefinitionRefused` where a
    server would refuse the definition, `ValueError` for a file that does not hold one, and `OSError` for one that cannot be read.
    """
    kube = kube_of(kube_version)
    raw = dict(source) if isinstance(source, Mapping) else _only_definition(Path(source))
    return Definition.of(raw, kube)


def kube_of(version: str | KubeVersion | None) -> KubeVersion:
    """The Kubernetes version that is meant. Raises `ValueError`, naming those supported."""
    return DEFAULT if version is None else KubeVersion.parse(str(version))


def _only_definition(path: Path) -> JsonObject:
    found = [one.value for one in documents.read_file(path) if is_definition(one.value)]
    if len(found) != 1:
        names = ", ".join(str(metadata_of(one).get("name")) for one in found)
        msg = f"{path} holds {len(found)} definitions ({names}), not one" if found else f"{path} holds no definition"
        raise ValueError(msg)
    return found[0]


def is_definition(value: JsonObject) -> bool:
    """Whether an object is a definition, of whichever version of their API."""
    return value.get("kind") == KIND and str(value.get("apiVersion")).startswith(f"{GROUP}/")


class Definition:
    """A definition that a server accepts, with what the server would do with its objects. Objects passed in stay as they are.

    The version of an object is that of its apiVersion; ``version`` stands for that of the URL an object is sent to.
    """

    def __init__(self, stored: StoredDefinition, warnings: list[str]) -> None:
        self.stored = stored
        """The definition as the rooms below know it."""
        self.warnings = warnings
        """What a server warns of when the definition is created."""
        self._resources: dict[str, CustomResource] = {}

    @classmethod
    def of(cls, raw: JsonObject, kube: KubeVersion) -> Definition:
        """A definition as it is after its creation. Raises `DefinitionRefused`."""
        verdict = judge_definition(raw, kube)
        if verdict.object is None:
            raise DefinitionRefused(verdict)
        return cls.accepted(verdict, kube)

    @classmethod
    def accepted(cls, verdict: Verdict, kube: KubeVersion) -> Definition:
        """The definition of a verdict that accepts it."""
        assert verdict.object is not None
        return cls(StoredDefinition(_settled(verdict.object), 0, kube), verdict.warnings)

    def __repr__(self) -> str:
        return f"<Definition {self.name} {', '.join(self.versions)}>"

    @property
    def name(self) -> str:
        return self.stored.name

    @property
    def group(self) -> str:
        return self.stored.group

    @property
    def kind(self) -> str:
        return self.stored.names.kind

    @property
    def namespaced(self) -> bool:
        return self.stored.namespaced

    @property
    def kube_version(self) -> KubeVersion:
        return self.stored.kube

    @cached_property
    def versions(self) -> list[str]:
        """The names of the versions served."""
        return [version.name for version in self.stored.versions if version.served]

    @property
    def uses_webhook(self) -> bool:
        """Whether objects are converted between versions by a webhook."""
        return self.stored.conversion.get("strategy") == "Webhook"

    def validate(self, obj: JsonObject, old: JsonObject | None = None, version: str | None = None) -> list[Problem]:
        """What a server would refuse the object for: nothing, if it would accept it. With ``old`` the object is an update of that one."""
        return self.admit(obj, old, version=version).errors

    def admit(
        self,
        obj: JsonObject,
        old: JsonObject | None = None,
        *,
        version: str | None = None,
        subresource: str = "",
        field_validation: str = FieldValidation.WARN,
    ) -> Verdict:
        """A server's answer to the object: as a new one, or as an update of ``old``, which is an older state of it, as stored or as written.

        ``subresource`` may be "status", for what is written there of an object that is ``old``. ``field_validation`` is Strict, Warn or
        Ignore. An object without a namespace gets the one called default, if it needs one.

        Raises `NeedsWebhook` where ``old`` is of another version and the definition converts by a webhook.
        """
        return self.judge(
            copied(obj),
            None if old is None else copied(old),
            version=version,
            subresource=subresource,
            field_validation=FieldValidation(field_validation),
        )

    def judge(
        self,
        obj: JsonObject,
        old: JsonObject | None = None,
        *,
        version: str | None = None,
        subresource: str = "",
        field_validation: FieldValidation = FieldValidation.WARN,
    ) -> Verdict:
        """`admit` for objects that are the callee's own, to change and keep."""
        name = self._version_of(obj) if version is None else version
        resource = self._resource(name)
        if resource is None:
            return self._not_served(obj, name)
        warnings = [resource.served.deprecation_warning] if resource.served.deprecation_warning is not None else []
        judging = Judging(self._endpoint(resource, subresource), obj, field_validation, warnings)
        verdict = judging.create() if old is None else judging.update(self._as_stored(old, resource))
        if verdict.object is not None:
            self._store(verdict.object, resource)
        return verdict

    def _store(self, obj: JsonObject, resource: CustomResource) -> None:
        """Make of an accepted object, in place, what is read again once it is stored, in the version that objects are stored in."""
        storage = self.stored.storage_version
        if resource.is_stored_version or self.uses_webhook:
            if not resource.creates_plain:
                resource.compiled.default(obj)  # a status that was dropped may have a default
            return
        obj["apiVersion"] = storage.api_version
        storage.compiled.read(obj)
        storage.compiled.default(obj)
        obj["apiVersion"] = resource.api_version
        resource.compiled.read(obj)

    def convert(self, obj: JsonObject, version: str, using: Convert | None = None) -> JsonObject:
        """The object as a server shows it in another version, which need not be served; ``version`` may have the group before it.

        ``using`` does what the definition's webhook does, and is held to the same rules: it gets an object, which it may change, and the
        apiVersion wanted, and returns the object. Raises `ConversionFailed` where that goes wrong, `NeedsWebhook` where it is missing, and
        `ValueError` for an object or version that is none of the definition's.
        """
        if using is not None:
            converter: Converter = FunctionConverter(using, kube=self.kube_version)
        elif self.uses_webhook and converting.version_of(self.stored, version).api_version != obj.get("apiVersion"):
            raise NeedsWebhook(f"{self.name} converts by a webhook")
        else:
            converter = NoneConverter()
        return converting.at_once(converting.convert(self.stored, copied(obj), version, converter))

    def prune(self, obj: JsonObject, version: str | None = None) -> JsonObject:
        """The object without the fields that its schema does not name."""
        result: JsonObject = copied(obj)
        self._known_resource(result, version).compiled.prune(result)
        return result

    def default(self, obj: JsonObject, version: str | None = None) -> JsonObject:
        """The object with its defaults filled in."""
        result: JsonObject = copied(obj)
        self._known_resource(result, version).compiled.default(result)
        return result

    def _version_of(self, obj: JsonObject) -> str:
        group, _, version = str(obj.get("apiVersion") or "").rpartition("/")
        return version if group == self.group else ""

    def _resource(self, version: str) -> CustomResource | None:
        found = self._resources.get(version)
        if found is None:
            wanted = self.stored.version(version)
            if wanted is None or not wanted.served:
                return None
            found = self._resources[version] = CustomResource(wanted, lambda _: self.stored)
        return found

    def _known_resource(self, obj: JsonObject, version: str | None) -> CustomResource:
        name = version or self._version_of(obj) or (self.versions[0] if len(self.versions) == 1 else "")
        resource = self._resource(name)
        if resource is None:
            msg = f"{self.name} serves {', '.join(self.versions)}, not {name or obj.get('apiVersion')!r}"
            raise ValueError(msg)
        return resource

    @staticmethod
    def _endpoint(resource: CustomResource, subresource: str) -> Endpoint:
        endpoint = resource.endpoint(subresource)
        if endpoint is None:
            msg = f"{resource.api_version} {resource.kind} has no subresource {subresource!r}"
            raise ValueError(msg)
        return endpoint

    def _not_served(self, obj: JsonObject, version: str) -> Verdict:
        """In the words of clients, who look before they ask."""
        api_version = f"{self.group}/{version}" if version else obj.get("apiVersion") or ""
        text = f'no matches for kind "{obj.get("kind") or ""}" in version "{api_version}"'
        return Verdict(404, None, [Problem("apiVersion", text, "NotFound")], message=text)

    def _as_stored(self, old: JsonObject, resource: CustomResource) -> JsonObject:
        """An older object in the form in which an update meets it, in place."""
        name = self._version_of(old)
        version = self.stored.version(name)
        if version is None:
            msg = f"the older object's apiVersion {old.get('apiVersion')!r} is none of {self.name}"
            raise ValueError(msg)
        metadata_of(old)
        version.compiled.read(old, drop_invalid=True)
        version.compiled.default(old)
        old["metadata"].setdefault("generation", 1)
        if self.namespaced:
            old["metadata"].setdefault("namespace", "default")
        if name != resource.version:
            if self.uses_webhook:
                msg = f"{self.name} converts {name} to {resource.version} by a webhook"
                raise NeedsWebhook(msg)
            old["apiVersion"] = resource.api_version
            resource.compiled.read(old)
        return old


def judge_definition(raw: JsonObject, kube: KubeVersion, *, old: JsonObject | None = None, strict: bool = False) -> Verdict:
    """A server's answer to a definition: to its creation, or to its change of an older one, which has been accepted (`Verdict.object`)."""
    validation = FieldValidation.STRICT if strict else FieldValidation.WARN
    judging = Judging(DefinitionResource(kube).main, copied(raw), validation)
    verdict = judging.create() if old is None else judging.update(copied(old))
    return verdict if verdict.object is None else replace(verdict, object=decoding.written(verdict.object, kube=kube))


def _settled(raw: JsonObject) -> JsonObject:
    """A new definition once its names are accepted and it is established, alone in its group."""
    while (after := status.next_status(raw, [raw], time.now())) is not None:
        raw = after
    return raw
