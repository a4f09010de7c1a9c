"""The strategy ``Webhook``: a program of the definition's author converts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Final

from crdkit.conversion import review
from crdkit.conversion.calls import CALL_FAILED, INVALID_OBJECT, MALFORMED, PARTIAL, SUCCESS, Calls, Key
from crdkit.conversion.converter import ConversionFailed, Converted, failed
from crdkit.conversion.objects import accepted
from crdkit.conversion.review import Answered, BadReview
from crdkit.conversion.texts import Text
from crdkit.meta import json
from crdkit.meta.offload import offload_if
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.uids import new_uid
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.address import Address
from crdkit.webhooks.answers import ask
from crdkit.webhooks.caller import Caller, CallFailed
from crdkit.webhooks.documents import takes_long

SECONDS: Final = 30.0
"""How long a call may take."""


class WebhookConverter:
    """Converts by calls of one webhook, as the ``spec.conversion`` of the definition of that name describes it."""

    def __init__(
        self, definition: str, conversion: JsonObject, caller: Caller, calls: Calls, *, kube: KubeVersion, batch_size: int = 1
    ) -> None:
        self.batch_size = batch_size
        self._definition = definition
        self._webhook: JsonObject = conversion["webhook"]
        self._caller, self._calls = caller, calls
        self._kube = kube

    @cached_property
    def _address(self) -> Address:
        return Address.of(self._webhook["clientConfig"])

    @property
    def by_text(self) -> WebhookConverter:
        return self

    async def convert(self, objects: Sequence[JsonObject], wanted: str) -> list[JsonObject]:
        return (await self.convert_texts(objects, [Text(json.encode(obj)) for obj in objects], wanted)).objects

    async def convert_texts(self, heads: Sequence[JsonObject], texts: Sequence[Text], wanted: str) -> Converted:
        first = heads[0]
        version = review.review_version(self._webhook["conversionReviewVersions"])
        if version is None:
            raise ConversionFailed("no supported conversion review versions")
        uid = new_uid()
        began = time.perf_counter()
        failure = CALL_FAILED
        try:
            asked = review.request(version, uid, [text.data for text in texts], wanted)
            answer = await ask(self._caller, self._address, asked, seconds=SECONDS)
            answered = await offload_if(takes_long(answer), review.read, answer, version, self._kube, sent=texts)
            failure = MALFORMED
            found = answered.objects(uid)
            failure = PARTIAL
            if len(found) != len(heads):
                raise failed(first, first["kind"], f"returned {len(found)} objects, expected {len(heads)}")
            failure = INVALID_OBJECT
            converted = self._accepted(heads, found, wanted, answered)
            failure = SUCCESS
        except (CallFailed, BadReview) as error:
            raise failed(first, first["kind"], f"failed: {error}") from error
        finally:
            key = Key(self._definition, first["apiVersion"].rpartition("/")[2], wanted.rpartition("/")[2], failure)
            self._calls.note(key, time.perf_counter() - began)
        return Converted(converted, answered.nulls)

    def _accepted(self, heads: Sequence[JsonObject], found: Sequence[Json], wanted: str, answered: Answered) -> list[JsonObject]:
        several = len(heads) > 1
        return [
            accepted(head, found[at], wanted, text=partial(answered.text, at), kube=self._kube, index=at if several else None)
            for at, head in enumerate(heads)
        ]
