"""Rules of the conversion between versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, golang, names
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.meta.webhookclients import check_ca_bundle, check_service, check_url

_STRATEGIES: Final = ("None", "Webhook")
_KNOWN_REVIEWS: Final = ("v1", "v1beta1")


def check_conversion(conversion: JsonObject, at: FieldPath, *, check_bundle: bool, kube: KubeVersion) -> Iterator[FieldError]:
    """``check_bundle`` tells whether the webhook's bundle of authorities must be one: not before the definition is established."""
    strategy = conversion["strategy"]
    if not strategy:
        yield errors.required(at / "strategy")
    elif strategy not in _STRATEGIES:
        yield errors.not_supported(at / "strategy", strategy, _STRATEGIES)
    webhook = conversion.get("webhook") or {}
    client, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions")
    if strategy == "Webhook":
        yield from _check_client(client, at / "webhookClientConfig", check_bundle=check_bundle, kube=kube)
        yield from _check_reviews(reviews, at / "conversionReviewVersions")
        return
    unwanted = "should not be set when strategy is not set to Webhook"
    if client is not None:
        yield errors.forbidden(at / "webhookClientConfig", unwanted)
    if reviews:
        yield errors.forbidden(at / "conversionReviewVersions", unwanted)


def _check_client(client: JsonObject | None, at: FieldPath, *, check_bundle: bool, kube: KubeVersion) -> Iterator[FieldError]:
    if client is None:
        yield errors.required(at, "required when strategy is set to Webhook")
        return
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield errors.required(at, "exactly one of url or service is required")
    elif url is not None:
        yield from check_url(url, at / "url")
    else:
        yield from check_service(service or {}, at / "service", kube)
    if check_bundle and (bundle := client.get("caBundle")):
        yield from check_ca_bundle(bundle, at / "caBundle")


def _check_reviews(reviews: list[str] | None, at: FieldPath) -> Iterator[FieldError]:
    if not reviews:
        yield errors.required(at)
        return
    for position, version in enumerate(reviews):
        if version in reviews[:position]:
            yield errors.invalid(at.index(position), version, "duplicate version")
            continue
        yield from (errors.invalid(at.index(position), version, fault) for fault in names.dns1035_label(version))
    if not set(reviews).intersection(_KNOWN_REVIEWS):
        yield errors.invalid(at, golang.strings(reviews), "must include at least one of " + ", ".join(_KNOWN_REVIEWS))
