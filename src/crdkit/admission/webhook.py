"""One webhook of a configuration: whether it is to be asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from crdkit.admission import review
from crdkit.admission.attributes import Attributes, Variant
from crdkit.admission.conditions import Conditions
from crdkit.admission.failures import CallingFailed, denied, dry_run_unsupported
from crdkit.admission.review import InvalidReview, UnreadableReview, Verdict
from crdkit.meta.offload import offload_if
from crdkit.meta.types import JsonObject
from crdkit.meta.uids import new_uid
from crdkit.meta.version import KubeVersion
from crdkit.webhooks.address import Address
from crdkit.webhooks.answers import ask
from crdkit.webhooks.caller import Caller, CallFailed
from crdkit.webhooks.documents import takes_long

_QUIET: Final = ("None", "NoneOnDryRun")
_PEM: Final = b"-----BEGIN"


@dataclass(frozen=True)
class Webhook:
    """A webhook as its configuration describes it. ``key`` tells it from all others."""

    key: str
    raw: JsonObject = field(repr=False)
    kube: KubeVersion
    mutating: bool

    @property
    def name(self) -> str:
        name: str = self.raw["name"]
        return name

    @property
    def ignores_failures(self) -> bool:
        return bool(self.raw["failurePolicy"] == "Ignore")

    @property
    def is_reinvoked(self) -> bool:
        """Whether it wants to be asked again if others changed the object."""
        return self.raw.get("reinvocationPolicy") == "IfNeeded"

    @cached_property
    def conditions(self) -> Conditions | None:
        """What must hold for the webhook to be asked; None if nothing must."""
        conditions = self.raw.get("matchConditions")
        if not conditions:
            return None
        return Conditions(conditions, self.kube, params=False, ignores_failures=self.ignores_failures)

    @cached_property
    def _address(self) -> Address:
        return Address.of(self.raw["clientConfig"])

    @cached_property
    def _review_version(self) -> str | None:
        return review.review_version(self.raw["admissionReviewVersions"] or ())

    async def ask(
        self, caller: Caller, attributes: Attributes, variant: Variant, obj: JsonObject | None, old: JsonObject | None
    ) -> Verdict:
        """Ask about a request, whose objects are given in the version wanted. The verdict allows it.

        Raises `CallingFailed`, or a `Refusal` if the webhook denies the request.
        """
        if attributes.dry_run and self.raw["sideEffects"] not in _QUIET:
            raise dry_run_unsupported(self.name)
        verdict = await self._verdict(caller, review.request_of(attributes, variant), obj, old)
        attributes.annotations.update({f"{self.name}/{key}": value for key, value in verdict.annotations.items()})
        attributes.warnings.extend(verdict.warnings)
        if not verdict.allowed:
            raise denied(self.name, verdict.status)
        return verdict

    async def _verdict(self, caller: Caller, told: JsonObject, obj: JsonObject | None, old: JsonObject | None) -> Verdict:
        version, uid = self._review_version, new_uid()
        if version is None:
            why = "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)"
            raise CallingFailed(self.name, why)
        if self._address.bundle and _PEM not in self._address.bundle:
            why = "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block"
            raise CallingFailed(self.name, why)
        body = review.request(version, uid, told, obj, old)
        try:
            answer = await ask(caller, self._address, body, seconds=self.raw["timeoutSeconds"])
            return await offload_if(takes_long(answer), review.verdict, answer, version, uid, self.kube, mutating=self.mutating)
        except (CallFailed, UnreadableReview) as error:
            raise CallingFailed(self.name, f"failed to call webhook: {error}") from error
        except InvalidReview as error:
            raise CallingFailed(self.name, f"received invalid webhook response: {error}") from error
