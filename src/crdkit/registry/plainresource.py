"""Built-in kinds that are stored like any other: what they do of their own stands in their row (`builtin.behaviour`)."""

from __future__ import annotations

from crdkit.builtin.behaviour import Behaviour
from crdkit.builtin.kinds import BuiltinKind
from crdkit.meta.errors import FieldError
from crdkit.meta.gostruct import Decoded
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.builtinresource import BuiltinEndpoint, BuiltinResource
from crdkit.registry.builtintables import table_of
from crdkit.registry.comparison import same_but_for_metadata
from crdkit.registry.endpoint import Endpoint


class PlainResource(BuiltinResource):
    """A kind without subresources."""

    def __init__(self, kind: BuiltinKind, behaviour: Behaviour, kube: KubeVersion) -> None:
        super().__init__(kind, behaviour.fields, kube)
        self.behaviour = behaviour
        self.unconditional_update = behaviour.unconditional_update
        self.creates_on_update = behaviour.creates_on_update
        self.answers_deleted = behaviour.answers_deleted
        self.main: Endpoint = PlainEndpoint(self)

    def decode(self, value: Json, duplicates: list[str]) -> Decoded:
        decoded = super().decode(value, duplicates)
        self.behaviour.default(decoded.value)
        return decoded

    def supports_field(self, field: str) -> bool:
        return field in self.behaviour.selectable or super().supports_field(field)

    def unsupported_field(self, field: str) -> str:
        if self.behaviour.selectable:
            return f"field label not supported: {field}"
        return f'"{field}" is not a known field selector: only "metadata.name", "metadata.namespace"'

    def field_text(self, obj: JsonObject, field: str) -> str:
        text_of = self.behaviour.selectable.get(field)
        return super().field_text(obj, field) if text_of is None else text_of(obj)

    def prepare_create(self, obj: JsonObject) -> None:
        if self.behaviour.counts_generations:
            obj["metadata"]["generation"] = 1
        else:
            obj["metadata"].pop("generation", None)
        self.behaviour.prepare_create(obj)

    def check_create(self, obj: JsonObject) -> list[FieldError]:
        return self._check_new_metadata(obj) + self.check_content(obj)

    def _check_new_metadata(self, obj: JsonObject) -> list[FieldError]:
        behaviour = self.behaviour
        return behaviour.metadata.check_new(obj["metadata"], namespaced=self.namespaced, name_check=behaviour.name_check, kube=self.kube)

    def check_metadata_update(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        found, rules = self.check_common_metadata(new, old), self.behaviour.metadata
        if rules.as_change and (found or rules.standard_finalizers):
            found += rules.check_change(new["metadata"], old["metadata"], self.kube)
        if rules.as_new:
            found += self._check_new_metadata(new)
        return found

    def check_content(self, obj: JsonObject) -> list[FieldError]:
        """What is wrong with an object beside its metadata."""
        return list(self.behaviour.check(obj, self.kube))

    def check_change(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        """What is wrong with a change of an object beside its metadata."""
        found = list(self.behaviour.check_change(new, old, self.kube))
        return found if self.behaviour.change_is_whole else found + self.check_content(new)


class PlainEndpoint(BuiltinEndpoint):
    """Objects as a whole."""

    resource: PlainResource

    def __init__(self, resource: PlainResource) -> None:
        super().__init__(resource)
        self.table = table_of(resource.group, resource.kind)

    def prepare(self, new: JsonObject, old: JsonObject) -> None:
        behaviour = self.resource.behaviour
        behaviour.prepare_update(new, old)
        if behaviour.counts_generations and not same_but_for_metadata(new, old):
            new["metadata"]["generation"] = (old["metadata"].get("generation") or 0) + 1

    def check(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        return self.resource.check_metadata_update(new, old) + self.resource.check_change(new, old)

    def warnings(self, new: JsonObject, old: JsonObject | None) -> list[str]:
        return self.resource.behaviour.warnings(new, old, self.resource.kube)
