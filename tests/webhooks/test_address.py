"""Addresses as configurations give them."""

from __future__ import annotations

import base64

import pytest

from crdkit.webhooks.address import Address, Service
from crdkit.webhooks.services import ServiceError, ServiceResolver


@pytest.mark.parametrize(
    ("config", "url"),
    [
        ({"url": "https://a.example"}, "https://a.example/?timeout=30s"),
        ({"url": "https://a.example:8443/x/"}, "https://a.example:8443/x?timeout=30s"),
        ({"url": "https://a.example//x/./y"}, "https://a.example/x/y?timeout=30s"),
        ({"url": 'https://[::1]/a b%20c/{"d":1}'}, "https://[::1]/a%20b%20c/%7B%22d%22:1%7D?timeout=30s"),
        ({"service": {"namespace": "ns", "name": "hooks"}}, "https://hooks.ns.svc:443/?timeout=30s"),
        ({"service": {"namespace": "ns", "name": "hooks", "port": 8443, "path": "/c"}}, "https://hooks.ns.svc:8443/c?timeout=30s"),
    ],
)
def test_the_url_that_is_called(config, url):
    assert Address.of(config).url(30) == url


def test_a_bundle_of_blanks_is_none():
    assert Address.of({"url": "https://a", "caBundle": base64.b64encode(b" \n").decode()}).bundle == b""


def test_services_are_found_by_name_and_namespace():
    services = ServiceResolver.parse(["hooks.prod=127.0.0.1:9443", "hooks.test=[::1]:9444"])
    assert services.find(Service("prod", "hooks")) == "127.0.0.1:9443"
    assert services.find(Service("test", "hooks", 8443)) == "[::1]:9444"
    assert services.find(Service("default", "hooks")) is None


@pytest.mark.parametrize(
    "text", ["", "hooks", "hooks=a:1", "hooks.prod", "hooks.prod=a", "hooks.prod=a:x", "hooks.prod=a:70000", ".prod=a:1"]
)
def test_a_place_that_is_none(text):
    with pytest.raises(ServiceError, match=r"is not of the form name\.namespace=host:port"):
        ServiceResolver.parse([text])
