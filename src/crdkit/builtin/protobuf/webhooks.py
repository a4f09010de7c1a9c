"""How webhooks are reached: the same messages in admissionregistration.k8s.io and in apiextensions.k8s.io."""

from __future__ import annotations

from typing import Final

from crdkit.meta.goprotobuf import MessageTable

WEBHOOK_CLIENTS: Final = MessageTable(
    {
        "WebhookClientConfig": {"service": "1 *ServiceReference", "caBundle": "2 []byte", "url": "3 *string"},
        "ServiceReference": {"namespace": "1 string", "name": "2 string", "path": "3 *string", "port": "4 *int32"},
    }
)
