"""Webhooks that may change objects: asked one after the other (apiserver's webhook/mutating)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crdkit.access.authorization import Authorizer
from crdkit.admission import matching
from crdkit.admission.asking import condition_holds, conversion_refused
from crdkit.admission.attributes import Attributes, Variant
from crdkit.admission.failures import CallingFailed, modification_unsupported, refused
from crdkit.admission.namespaces import Namespaces
from crdkit.admission.reinvocation import Reinvocation, Round
from crdkit.admission.review import JSON_PATCH, Verdict
from crdkit.admission.versioned import Changing
from crdkit.admission.webhook import Webhook
from crdkit.conversion.converter import ConversionFailed
from crdkit.meta import json, jsonpatch
from crdkit.meta.copying import copied
from crdkit.meta.golang import quote
from crdkit.meta.json import JsonError
from crdkit.meta.jsonpatch import NoPatch, PatchFailed
from crdkit.meta.offload import is_long, offload_if
from crdkit.meta.status import internal_error, unknown
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.caller import Caller

UNDECODABLE_MAY_BE_IGNORED: Final = KubeVersion(1, 34)
"""From here on a patch that cannot be read is a failed call, which a failure policy may ignore."""


class MutatingWebhooks:
    """Asks the webhooks of all configurations that may change objects."""

    def __init__(self, caller: Caller, namespaces: Namespaces, authorizer: Authorizer, kube: KubeVersion) -> None:
        self._caller = caller
        self._namespaces = namespaces
        self._authorizer = authorizer
        self._kube = kube

    async def run(self, webhooks: Sequence[Webhook], attributes: Attributes, round_: Round, again: Reinvocation) -> None:
        """Let them change the request's object. Raises a `Refusal`."""
        if not webhooks:
            return
        again.begin(round_, attributes.obj)
        changing = Changing.of(attributes)
        for webhook in webhooks:
            variant = await self._variant(webhook, changing)
            if variant is None or again.skips(round_, webhook.key):
                continue
            await self._turn(changing, variant)
            try:
                if await self._ask(webhook, changing, variant):
                    again.note_change()
                    round_.must_repeat = True
            except CallingFailed as failure:
                if not webhook.ignores_failures:
                    raise refused(failure) from failure
            if webhook.is_reinvoked:
                again.note_asked(webhook.key)
        try:
            await changing.finish()
        except ConversionFailed as error:
            raise unknown(str(error)) from error
        again.end(attributes.obj)

    async def _variant(self, webhook: Webhook, changing: Changing) -> Variant | None:
        """The version in which a webhook is to be asked now; None if it is not."""
        attributes = changing.attributes
        given, attributes.obj = attributes.obj, changing.obj  # selectors see what has become of the object so far
        try:
            variant = matching.webhook_variant(webhook.raw, attributes, self._namespaces)
        finally:
            attributes.obj = given
        if variant is None or webhook.conditions is None:
            return variant
        await self._turn(changing, variant)
        holds = await condition_holds(webhook, attributes, variant, (changing.obj, changing.old), self._authorizer)
        return variant if holds else None

    async def _turn(self, changing: Changing, variant: Variant) -> None:
        try:
            await changing.turn_to(variant.kind)
        except ConversionFailed as error:
            raise conversion_refused(error, twice=True) from error

    async def _ask(self, webhook: Webhook, changing: Changing, variant: Variant) -> bool:
        """Ask one webhook, and do as it says. Tells whether the object became another one."""
        verdict = await webhook.ask(self._caller, changing.attributes, variant, changing.obj, changing.old)
        long = is_long(verdict.patch)
        operations = await offload_if(long, self._operations, webhook, verdict)
        if not operations:
            return False
        before = changing.obj
        if before is None:
            raise modification_unsupported(webhook.name)
        if verdict.patch_type != JSON_PATCH:
            raise CallingFailed(webhook.name, f"unsupported patch type {quote(verdict.patch_type)}")
        try:
            after = await offload_if(long, jsonpatch.patched, copied(before), operations, self._kube)
        except PatchFailed as error:
            raise internal_error(str(error)) from error
        is_other = changing.is_retyped_by_patch or not jsonpatch.equal(before, after)
        changing.replace(changing.attributes.target.complete(after))
        return is_other

    def _operations(self, webhook: Webhook, verdict: Verdict) -> list[JsonObject]:
        if not verdict.patch:
            return []
        try:
            return jsonpatch.operations_of(json.decode(verdict.patch))
        except (JsonError, NoPatch) as error:
            if self._kube < UNDECODABLE_MAY_BE_IGNORED:
                raise internal_error(str(error)) from error
            raise CallingFailed(webhook.name, f"received undecodable patch in webhook response: {error}") from error
