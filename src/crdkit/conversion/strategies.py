"""From a definition's ``spec.conversion`` to its converter."""

from __future__ import annotations

from dataclasses import field

from crdkit.conversion.calls import Calls
from crdkit.conversion.converter import Converter
from crdkit.conversion.none import NoneConverter
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.caller import Caller
from crdkit.webhooks.client import HttpCaller


@record
class Strategies:
    """Makes converters: who calls the webhooks, and how many objects they are sent in one go."""

    caller: Caller = field(default_factory=HttpCaller)
    batch_size: int = 1
    calls: Calls = field(default_factory=Calls)

    def converter(self, definition: str, conversion: JsonObject, kube: KubeVersion) -> Converter:
        """The converter of the definition of that name, which has been validated and defaulted."""
        if conversion.get("strategy") == "Webhook":
            from crdkit.conversion.webhook import WebhookConverter  # noqa: PLC0415 (few definitions have a webhook)

            return WebhookConverter(definition, conversion, self.caller, self.calls, kube=kube, batch_size=self.batch_size)
        return NoneConverter()
