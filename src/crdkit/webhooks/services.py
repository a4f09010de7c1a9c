"""Services of a cluster that does not exist: where each of them really listens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from crdkit.meta.records import record
from crdkit.webhooks.address import Service


class ServiceError(ValueError):
    """The text does not tell where a service is."""


@record
class ServiceResolver:
    """Finds services by ``name.namespace``."""

    places: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, texts: Iterable[str]) -> ServiceResolver:
        """From texts like ``hooks.default=127.0.0.1:9443``. Raises `ServiceError`."""
        return cls(dict(_place(text) for text in texts))

    def find(self, service: Service) -> str | None:
        """The ``host:port`` of a service; None if it is not known."""
        return self.places.get(f"{service.name}.{service.namespace}")


def _place(text: str) -> tuple[str, str]:
    service, _, place = text.partition("=")
    name, _, namespace = service.partition(".")
    host, _, port = place.rpartition(":")
    if not (name and namespace and host and port.isdecimal() and 0 < int(port) <= 65535):
        raise ServiceError(f"{text!r} is not of the form name.namespace=host:port")
    return service, place
