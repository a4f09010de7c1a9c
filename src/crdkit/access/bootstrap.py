"""The cluster roles and bindings that exist from the start, as far as they are about what is served here (kube-apiserver's bootstrappolicy).

``admin``, ``edit`` and ``view`` gather the rules of the roles that are labelled for them; a controller does that.
"""

from __future__ import annotations

from typing import Final

from crdkit.access.user import AUTHENTICATED, MASTERS, UNAUTHENTICATED
from crdkit.meta.types import JsonObject

GROUP: Final = "rbac.authorization.k8s.io"
_AUTHENTICATION: Final = "authentication.k8s.io"
_AUTHORIZATION: Final = "authorization.k8s.io"
_LABELS: Final = {"kubernetes.io/bootstrapping": "rbac-defaults"}
_ANNOTATIONS: Final = {"rbac.authorization.kubernetes.io/autoupdate": "true"}
_READ: Final = ("get", "list", "watch")
_WRITE: Final = ("create", "delete", "deletecollection", "patch", "update")
_READ_WRITE: Final = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")
_HEALTH: Final = ("/healthz", "/livez")
_VERSION: Final = ("/readyz", "/version", "/version/")


def cluster_roles() -> list[JsonObject]:
    """The roles, each as a new object that the caller may change."""
    return [
        _role("cluster-admin", _rule(("*",), ("*",), "*"), _paths(("*",), "*")),
        _role(
            "system:discovery",
            _paths(
                ("get",),
                *("/.well-known", "/.well-known/*", "/api", "/api/*", "/apis", "/apis/*"),
                *(*_HEALTH, "/openapi", "/openapi/*", *_VERSION),
            ),
        ),
        _role(
            "system:basic-user",
            _rule(("create",), (_AUTHORIZATION,), "selfsubjectaccessreviews", "selfsubjectrulesreviews"),
            _rule(("create",), (_AUTHENTICATION,), "selfsubjectreviews"),
        ),
        _role("system:public-info-viewer", _paths(("get",), *_HEALTH, *_VERSION)),
        _role(
            "system:auth-delegator",
            _rule(("create",), (_AUTHENTICATION,), "tokenreviews"),
            _rule(("create",), (_AUTHORIZATION,), "subjectaccessreviews"),
        ),
        _gathering("admin"),
        _gathering("edit", into="admin"),
        _gathering("view", into="edit"),
        _role(
            "system:aggregate-to-admin",
            _rule(("create",), (_AUTHORIZATION,), "localsubjectaccessreviews"),
            _rule(_READ_WRITE, (GROUP,), "rolebindings", "roles"),
            into="admin",
        ),
        _role(
            "system:aggregate-to-edit",
            _rule(_READ, ("",), "secrets"),
            _rule(("impersonate",), ("",), "serviceaccounts"),
            _rule(_WRITE, ("",), "configmaps", "events", "secrets", "serviceaccounts"),
            _rule(_READ_WRITE, ("coordination.k8s.io",), "leases"),
            into="edit",
        ),
        _role(
            "system:aggregate-to-view",
            _rule(_READ, ("",), "configmaps", "serviceaccounts"),
            _rule(_READ, ("",), "events", "namespaces/status"),
            _rule(_READ, ("",), "namespaces"),
            into="view",
        ),
    ]


def cluster_role_bindings() -> list[JsonObject]:
    """Who has them."""
    return [
        _binding("cluster-admin", MASTERS),
        _binding("system:discovery", AUTHENTICATED),
        _binding("system:basic-user", AUTHENTICATED),
        _binding("system:public-info-viewer", AUTHENTICATED, UNAUTHENTICATED),
    ]


def _rule(verbs: tuple[str, ...], groups: tuple[str, ...], *resources: str) -> JsonObject:
    return {"verbs": list(verbs), "apiGroups": list(groups), "resources": list(resources)}


def _paths(verbs: tuple[str, ...], *urls: str) -> JsonObject:
    return {"verbs": list(verbs), "nonResourceURLs": list(urls)}


def _metadata(name: str, into: str = "") -> JsonObject:
    labels = {**_LABELS, _aggregation_label(into): "true"} if into else dict(_LABELS)
    return {"name": name, "labels": labels, "annotations": dict(_ANNOTATIONS)}


def _aggregation_label(role: str) -> str:
    return f"{GROUP}/aggregate-to-{role}"


def _role(name: str, *rules: JsonObject, into: str = "") -> JsonObject:
    return {"kind": "ClusterRole", "apiVersion": f"{GROUP}/v1", "metadata": _metadata(name, into), "rules": list(rules)}


def _gathering(name: str, into: str = "") -> JsonObject:
    """A role whose rules are those of others."""
    role = _role(name, into=into)
    role["rules"] = None
    role["aggregationRule"] = {"clusterRoleSelectors": [{"matchLabels": {_aggregation_label(name): "true"}}]}
    return role


def _binding(role: str, *groups: str) -> JsonObject:
    return {
        "kind": "ClusterRoleBinding",
        "apiVersion": f"{GROUP}/v1",
        "metadata": _metadata(role),
        "subjects": [{"kind": "Group", "apiGroup": GROUP, "name": group} for group in groups],
        "roleRef": {"apiGroup": GROUP, "kind": "ClusterRole", "name": role},
    }
