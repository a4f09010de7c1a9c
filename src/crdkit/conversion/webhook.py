"""The strategy ``Webhook``: a program of the definition's author converts."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Final

from crdkit.conversion import review
from crdkit.conversion.converter import ConversionFailed, failed
from crdkit.conversion.objects import accepted
from crdkit.conversion.review import BadReview
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.address import Address
from crdkit.webhooks.answers import ask
from crdkit.webhooks.caller import Caller, CallFailed

SECONDS: Final = 30.0
"""How long a call may take."""


class WebhookConverter:
    """Converts by calls of one webhook, as a definition's ``spec.conversion`` describes it."""

    def __init__(self, conversion: JsonObject, caller: Caller, *, kube: KubeVersion, batch_size: int = 1) -> None:
        self.batch_size = batch_size
        self._webhook: JsonObject = conversion["webhook"]
        self._caller = caller
        self._kube = kube

    @cached_property
    def _address(self) -> Address:
        return Address.of(self._webhook["clientConfig"])

    async def convert(self, objects: Sequence[JsonObject], wanted: str) -> list[JsonObject]:
        first = objects[0]
        version = review.review_version(self._webhook["conversionReviewVersions"])
        if version is None:
            raise ConversionFailed("no supported conversion review versions")
        uid = str(uuid.uuid4())
        try:
            answer = await ask(self._caller, self._address, review.request(version, uid, objects, wanted), seconds=SECONDS)
            converted = review.response(answer, version, uid, self._kube)
        except (CallFailed, BadReview) as error:
            raise failed(first, first["kind"], f"failed: {error}") from error
        found = converted.objects
        if len(found) != len(objects):
            raise failed(first, first["kind"], f"returned {len(found)} objects, expected {len(objects)}")
        several = len(objects) > 1
        return [
            accepted(obj, found[at], wanted, text=partial(converted.text, at), kube=self._kube, index=at if several else None)
            for at, obj in enumerate(objects)
        ]
