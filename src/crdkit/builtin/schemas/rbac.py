"""The types of ``rbac.authorization.k8s.io/v1``: roles, and who has them."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, kind, list_of, many, one, ref, string, struct

V1: Final = "io.k8s.api.rbac.v1."
TEXTS: Final = string()

TYPES: Final = {
    V1 + "AggregationRule": struct(
        "AggregationRule says from which other roles a cluster role takes its rules.",
        {
            "clusterRoleSelectors": many(
                ref(META + "LabelSelector"),
                "clusterRoleSelectors choose cluster roles by their labels: the rules of all that match one are added.",
                list_type="atomic",
            )
        },
    ),
    V1 + "ClusterRole": kind(
        "ClusterRole is a set of permissions that can be granted for the whole cluster, or by a RoleBinding for one namespace.",
        {
            "aggregationRule": one(
                V1 + "AggregationRule",
                "aggregationRule has a controller fill rules in; what is written there is overwritten.",
                optional=True,
            ),
            "rules": many(ref(V1 + "PolicyRule"), "rules are the permissions.", list_type="atomic"),
        },
    ),
    V1 + "ClusterRoleBinding": kind(
        "ClusterRoleBinding grants a cluster role for the whole cluster.",
        {
            "roleRef": one(V1 + "RoleRef", "roleRef is the cluster role. It cannot be changed."),
            "subjects": many(ref(V1 + "Subject"), "subjects are those who get it.", list_type="atomic"),
        },
        required=("roleRef",),
    ),
    V1 + "ClusterRoleBindingList": list_of(
        V1 + "ClusterRoleBinding", "ClusterRoleBindingList is a list of cluster role bindings.", "items are the bindings."
    ),
    V1 + "ClusterRoleList": list_of(V1 + "ClusterRole", "ClusterRoleList is a list of cluster roles.", "items are the roles."),
    V1 + "PolicyRule": struct(
        "PolicyRule allows verbs on resources, or on paths.",
        {
            "apiGroups": many(TEXTS, 'apiGroups are the groups of the resources: "" is the core group, "*" is any.', list_type="atomic"),
            "nonResourceURLs": many(
                TEXTS,
                "nonResourceURLs are paths, a `*` at the end for any rest. Only cluster roles have them, and not beside resources.",
                list_type="atomic",
            ),
            "resourceNames": many(TEXTS, "resourceNames narrow the rule down to objects of these names.", list_type="atomic"),
            "resources": many(TEXTS, 'resources are resources and subresources (`crontabs/status`); "*" is any.', list_type="atomic"),
            "verbs": many(
                TEXTS, 'verbs are what is allowed: get, list, watch, create, update, patch, delete …; "*" is any.', list_type="atomic"
            ),
        },
        required=("verbs",),
    ),
    V1 + "Role": kind(
        "Role is a set of permissions in one namespace.",
        {"rules": many(ref(V1 + "PolicyRule"), "rules are the permissions.", list_type="atomic")},
    ),
    V1 + "RoleBinding": kind(
        "RoleBinding grants a role, or a cluster role, in one namespace.",
        {
            "roleRef": one(V1 + "RoleRef", "roleRef is the role. It cannot be changed."),
            "subjects": many(ref(V1 + "Subject"), "subjects are those who get it.", list_type="atomic"),
        },
        required=("roleRef",),
    ),
    V1 + "RoleBindingList": list_of(V1 + "RoleBinding", "RoleBindingList is a list of role bindings.", "items are the bindings."),
    V1 + "RoleList": list_of(V1 + "Role", "RoleList is a list of roles.", "items are the roles."),
    V1 + "RoleRef": struct(
        "RoleRef names the role that is granted.",
        {
            "apiGroup": string("apiGroup is rbac.authorization.k8s.io.", default=""),
            "kind": string("kind is Role or ClusterRole.", default=""),
            "name": string("name is the name of the role.", default=""),
        },
        required=("kind", "name"),
        atomic=True,
    ),
    V1 + "Subject": struct(
        "Subject is a user, a group or a service account.",
        {
            "apiGroup": string(
                'apiGroup is "" for service accounts and rbac.authorization.k8s.io for users and groups, which is the default.'
            ),
            "kind": string("kind is User, Group or ServiceAccount.", default=""),
            "name": string("name is the name of the subject.", default=""),
            "namespace": string("namespace is that of a service account."),
        },
        required=("kind", "name"),
        atomic=True,
    ),
}
