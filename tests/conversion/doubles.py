"""A webhook without a network, and objects for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crdkit.conversion.calls import Calls
from crdkit.conversion.webhook import WebhookConverter
from crdkit.meta.version import V1_36
from crdkit.webhooks.address import Address
from crdkit.webhooks.caller import Answer

Json = Any
V1, V1BETA1 = "example.com/v1", "example.com/v1beta1"


def ferry(name: str = "a", *, version: str = V1BETA1, labels: Json = None, **spec: Json) -> Json:
    metadata = {"name": name, "namespace": "default", "uid": f"uid-of-{name}", "generation": 1}
    if labels is not None:
        metadata["labels"] = labels
    return {"apiVersion": version, "kind": "Ferry", "metadata": metadata, "spec": spec}


def hostport(obj: Json, wanted: str) -> Json:
    """``hostPort`` in v1beta1 is ``host`` and ``port`` in v1."""
    spec = obj.get("spec") or {}
    if wanted.endswith("/v1") and "hostPort" in spec:
        spec["host"], spec["port"] = spec.pop("hostPort").split(":")
    elif wanted.endswith("/v1beta1") and "host" in spec:
        spec["hostPort"] = f"{spec.pop('host')}:{spec.pop('port')}"
    return {**obj, "apiVersion": wanted}


Change = Callable[[Json], Json]
"""Makes of the answer of a good webhook what this one answers: a review, or bytes."""


def good(review: Json) -> Json:
    return review


def answered(change: Change, body: bytes) -> bytes:
    """What a webhook answers to a review."""
    asked = json.loads(body)
    request = asked["request"]
    converted = [hostport(obj, request["desiredAPIVersion"]) for obj in request["objects"]]
    response = {"uid": request["uid"], "result": {"status": "Success"}, "convertedObjects": converted}
    changed = change({"apiVersion": asked["apiVersion"], "kind": asked["kind"], "response": response})
    return changed if isinstance(changed, bytes) else json.dumps(changed).encode()


@dataclass
class Webhook:
    """Answers reviews as ``change`` has it. While ``held`` is set, objects of these names are waited for."""

    change: Change = good
    asked: list[Json] = field(default_factory=list)
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    at_once: int = 0
    most_at_once: int = 0

    async def post(self, address: Address, body: bytes, *, seconds: float) -> Answer:
        review = json.loads(body)
        self.asked.append(review)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(0)
            for name in self.names(review):
                if name in self.held:
                    await self.held[name].wait()
        finally:
            self.at_once -= 1
        return Answer(answered(self.change, body))

    @staticmethod
    def names(review: Json) -> list[str]:
        return [obj["metadata"]["name"] for obj in review["request"]["objects"]]

    @property
    def converted(self) -> list[str]:
        """The names of all objects it was asked for, in order."""
        return [name for review in self.asked for name in self.names(review)]


def conversion(*reviews: str, ca_bundle: str = "", url: str = "https://hooks.example/convert") -> Json:
    """A definition's ``spec.conversion``."""
    client = {"url": url, **({"caBundle": ca_bundle} if ca_bundle else {})}
    return {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": list(reviews or ("v1",))}}


def converter(webhook: Webhook, *reviews: str) -> WebhookConverter:
    return WebhookConverter("ferries.example.com", conversion(*reviews), webhook, Calls(), kube=V1_36)
