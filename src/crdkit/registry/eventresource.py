"""Events: one store behind two APIs. What events.k8s.io/v1 reads and writes is stored as core/v1 has it."""

from __future__ import annotations

from crdkit.builtin import events
from crdkit.builtin.kinds import EVENT_OF_EVENTS
from crdkit.meta import json
from crdkit.meta.errors import FieldError
from crdkit.meta.status import GroupResource
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.plainresource import PlainEndpoint, PlainResource
from crdkit.registry.rendering import Parts, Renderings


class EventResource(PlainResource):
    """Events of events.k8s.io/v1."""

    creates_plain = False

    def __init__(self, kube: KubeVersion) -> None:
        super().__init__(EVENT_OF_EVENTS, events.EVENT, kube)
        self.stored_api_version = "v1"
        self.stored_head = self.style.head(self.stored_api_version, self.kind)
        self.renderings = Renderings(self.stored_head, self.style.head(self.api_version, self.kind))
        self.main = EventEndpoint(self)

    async def load(self, value: bytes) -> JsonObject:
        return events.from_core(json.decode(value))

    async def dump(self, obj: JsonObject) -> Parts:
        return self.style.parts(events.to_core(obj))

    def supports_field(self, field: str) -> bool:
        return events.NEW_SELECTABLE.get(field) in events.SELECTABLE or super().supports_field(field)

    def unsupported_field(self, field: str) -> str:
        return f"field label not supported: {field}"

    def field_text(self, obj: JsonObject, field: str) -> str:
        known = events.NEW_SELECTABLE.get(field)
        return super().field_text(obj, field) if known is None else events.SELECTABLE[known](events.to_core(obj))

    def check_content(self, obj: JsonObject) -> list[FieldError]:
        stored = events.to_core(obj)
        return [*events.check_core(stored, self.kube), *events.check_new(stored, self.kube)]

    def check_change(self, new: JsonObject, old: JsonObject) -> list[FieldError]:
        stored = events.to_core(new)
        return [*events.check_core(stored, self.kube), *events.check_change(stored, events.to_core(old))]


class EventEndpoint(PlainEndpoint):
    """Events as a whole. Refusals tell them as what is stored."""

    def told_as(self, obj: JsonObject) -> GroupResource:
        return GroupResource("", self.kind)

    def is_plain(self, made: JsonObject) -> bool:
        del made
        return False
