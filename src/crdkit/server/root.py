"""The documents that belong to no API: the version, the list of paths, and what is known of tokens' keys."""

from __future__ import annotations

import sys
from typing import Final

from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry.registry import Registry
from crdkit.server import health, negotiation
from crdkit.server.message import JSON, Answer, Incoming
from crdkit.server.routing import method_not_allowed

ISSUER: Final = "https://kubernetes.default.svc.cluster.local"
OPENID: Final = "/.well-known/openid-configuration"
KEYS: Final = "/openid/v1/jwks"
SERVED: Final = (
    OPENID,
    "/api",
    "/api/v1",
    "/apis",
    "/apis/",
    *health.PATHS,
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    KEYS,
    "/version",
)
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64", "AMD64": "amd64"}


class RootDocuments:
    """Answers ``/``, ``/version`` and the OpenID documents. No tokens are issued, so there are no keys to tell."""

    def __init__(self, registry: Registry, kube: KubeVersion) -> None:
        self._registry = registry
        self._kube = kube
        self._version = b""

    async def answer(self, incoming: Incoming) -> Answer | None:
        match incoming.path:
            case "/version" | "/version/":
                return self._answer_version(incoming)
            case "/" | "/index.html":
                return Answer(json.encode({"paths": self._paths()}))
            case "/.well-known/openid-configuration":
                return Answer(json.encode(_openid()))
            case "/openid/v1/jwks":
                return Answer(json.encode({"keys": []}), content_type="application/jwk-set+json")
            case _:
                return None

    def _answer_version(self, incoming: Incoming) -> Answer:
        if incoming.method != "GET":
            raise method_not_allowed()
        if not negotiation.accepts_any(incoming.headers.get(b"accept"), (JSON,)):
            raise negotiation.not_produced((JSON,))
        self._version = self._version or json.encode(version_document(self._kube))
        return Answer(self._version)

    def _paths(self) -> list[str]:
        paths = set(SERVED)
        for kind in self._registry.kinds():
            if kind.group:
                paths |= {f"/apis/{kind.group}", f"/apis/{kind.group}/{kind.version}"}
        for definition in self._registry.definitions.served():
            paths |= {f"/apis/{definition.group}", *(f"/apis/{definition.group}/{v.name}" for v in definition.versions if v.served)}
        return sorted(paths)


def version_document(kube: KubeVersion) -> JsonObject:
    """What clients choose their behaviour by: it names the Kubernetes version that is spoken."""
    import platform  # noqa: PLC0415 (asked for after the start)

    major, minor = str(kube.major), str(kube.minor)
    return {
        "major": major,
        "minor": minor,
        "emulationMajor": major,
        "emulationMinor": minor,
        "minCompatibilityMajor": major,
        "minCompatibilityMinor": str(kube.minor - 1),
        "gitVersion": f"v{kube}.0+crdkit",
        "gitCommit": "",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "none",
        "compiler": "gc",
        "platform": f"{sys.platform}/{ARCHITECTURES.get(platform.machine(), platform.machine())}",
    }


def _openid() -> JsonObject:
    return {
        "issuer": ISSUER,
        "jwks_uri": f"{ISSUER}{KEYS}",
        "response_types_supported": ["id_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    }
