"""Whether externalDocs and example count where a node must have nothing else set."""

from __future__ import annotations

import dataclasses
from typing import Final

from crdkit.meta.version import KubeVersion
from crdkit.schema.structural import ABSENT, Structural

COUNTS: Final = KubeVersion(1, 34)
"""From here on the two are seen, before they are overlooked."""


def without_overlooked(node: Structural, kube: KubeVersion) -> Structural:
    """The node as comparisons see it."""
    if kube >= COUNTS:
        return node
    return dataclasses.replace(node, external_docs=None, example=ABSENT)
