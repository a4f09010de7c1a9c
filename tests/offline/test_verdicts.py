"""Public definitions and objects, judged as real API servers did."""

from __future__ import annotations

import pytest

from crdkit.meta.version import SUPPORTED, KubeVersion
from tests.offline import verdicts

HERE = verdicts.FOLDER.is_dir()
QUICK = ("cert-manager", "contour", "flux-source", "kwok", "metallb", "nginx-ingress", "olm", "openkruise", "tekton", "zalando-postgres")
"""Small ones, and those that taught something; ``python -m tests.offline.verdicts`` compares all."""


@pytest.mark.skipif(not HERE, reason="the public definitions are kept beside the repository, in shared/crds, and are not here")
@pytest.mark.parametrize("kube", SUPPORTED, ids=str)
def test_public_objects_are_judged_as_by_a_real_server(kube: KubeVersion) -> None:
    tally = verdicts.Tally()
    record = verdicts.recorded(kube)
    different = [str(one) for project in QUICK for one in verdicts.compare(project, record[project], kube, tally)]
    assert different == []
    assert tally.objects > 100
