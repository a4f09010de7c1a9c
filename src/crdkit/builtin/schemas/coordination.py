"""The types of ``coordination.k8s.io/v1``: leases, by which processes agree on a leader."""

from __future__ import annotations

from typing import Final

from crdkit.builtin.schemas.notation import META, integer, kind, list_of, one, string, struct

V1: Final = "io.k8s.api.coordination.v1."

TYPES: Final = {
    V1 + "Lease": kind(
        "Lease says who holds something, and until when.",
        {"spec": one(V1 + "LeaseSpec", "spec is who holds the lease, and since when.")},
    ),
    V1 + "LeaseList": list_of(V1 + "Lease", "LeaseList is a list of leases.", "items are the leases."),
    V1 + "LeaseSpec": struct(
        "LeaseSpec is who holds a lease, and since when.",
        {
            "acquireTime": one(META + "MicroTime", "acquireTime is when the holder got it.", optional=True),
            "holderIdentity": string("holderIdentity is who holds it."),
            "leaseDurationSeconds": integer("leaseDurationSeconds is how long others wait after renewTime before they take it."),
            "leaseTransitions": integer("leaseTransitions is how often the holder has changed."),
            "preferredHolder": string("preferredHolder asks the holder to make way for that one; only with a strategy."),
            "renewTime": one(META + "MicroTime", "renewTime is when the holder last renewed it.", optional=True),
            "strategy": string("strategy is how a leader is chosen where clients leave that to the cluster."),
        },
    ),
}
