"""Webhooks that only judge: asked all at once (apiserver's webhook/validating)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from crdkit.access.authorization import Authorizer
from crdkit.admission import matching
from crdkit.admission.asking import Objects, condition_holds, conversion_refused
from crdkit.admission.attributes import Attributes, Variant
from crdkit.admission.failures import CallingFailed, refused
from crdkit.admission.namespaces import Namespaces
from crdkit.admission.versioned import Versions
from crdkit.admission.webhook import Webhook
from crdkit.conversion.converter import ConversionFailed
from crdkit.meta.status import Refusal
from crdkit.webhooks.caller import Caller

_Asked = tuple[Webhook, Variant, Objects]


class ValidatingWebhooks:
    """Asks the webhooks of all configurations that judge objects."""

    def __init__(self, caller: Caller, namespaces: Namespaces, authorizer: Authorizer) -> None:
        self._caller = caller
        self._namespaces = namespaces
        self._authorizer = authorizer

    async def run(self, webhooks: Sequence[Webhook], attributes: Attributes) -> None:
        """Raises the `Refusal` of the first webhook that does not let the request pass."""
        asked = await self._asked(webhooks, attributes)
        if not asked:
            return
        told = [replace(attributes, warnings=[], annotations={}) for _ in asked]
        refusals = await asyncio.gather(*map(self._ask, asked, told))
        for each in told:
            attributes.warnings.extend(each.warnings)
            attributes.annotations.update(each.annotations)
        for refusal in refusals:
            if refusal is not None:
                raise refusal

    async def _asked(self, webhooks: Sequence[Webhook], attributes: Attributes) -> list[_Asked]:
        versions = Versions(attributes)
        found: list[_Asked] = []
        for webhook in webhooks:
            variant = matching.webhook_variant(webhook.raw, attributes, self._namespaces)
            if variant is None:
                continue
            try:
                objects = await versions.objects(variant.kind)
            except ConversionFailed as error:
                raise conversion_refused(error) from error
            if await condition_holds(webhook, attributes, variant, objects, self._authorizer):
                found.append((webhook, variant, objects))
        return found

    async def _ask(self, asked: _Asked, attributes: Attributes) -> Refusal | None:
        webhook, variant, (obj, old) = asked
        try:
            await webhook.ask(self._caller, attributes, variant, obj, old)
        except CallingFailed as failure:
            return None if webhook.ignores_failures else refused(failure)
        except Refusal as refusal:
            return refusal
        return None
