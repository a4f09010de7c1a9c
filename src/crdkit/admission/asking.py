"""What stands between a webhook that a request matches and the call: its conditions, and objects in the version that it wants."""

from __future__ import annotations

from crdkit.access.authorization import Authorizer
from crdkit.admission.attributes import Attributes, Variant
from crdkit.admission.conditions import ConditionFailed
from crdkit.admission.evaluation import Sight, in_time
from crdkit.admission.webhook import Webhook
from crdkit.conversion.converter import ConversionFailed
from crdkit.meta.status import Refusal, forbidden, internal_error
from crdkit.meta.types import JsonObject

Objects = tuple[JsonObject | None, JsonObject | None]
"""The object and the old one, in one version."""


async def condition_holds(webhook: Webhook, attributes: Attributes, variant: Variant, objects: Objects, authorizer: Authorizer) -> bool:
    """Whether the conditions of a webhook, if it has any, let it be asked. Raises a `Refusal` (403) if that cannot be told."""
    if webhook.conditions is None:
        return True
    try:
        return await in_time(webhook.conditions.hold, Sight(attributes, variant, *objects, authorizer))
    except ConditionFailed as error:
        raise forbidden(attributes.about, attributes.name, str(error)) from error


def conversion_refused(error: ConversionFailed, *, twice: bool = False) -> Refusal:
    """The refusal of a request whose objects a webhook cannot be shown; a real server tells some twice that it is internal."""
    return internal_error(f"Internal error occurred: {error}" if twice else str(error))
