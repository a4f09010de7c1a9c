"""What a first definition with rules and a first object need is loaded soon after the start, so that they need not wait for it."""

from __future__ import annotations

import asyncio
from typing import Final

from crdkit.meta.offload import offload
from crdkit.meta.version import KubeVersion

AFTER: Final = 0.1
"""Seconds: who comes at once is answered first."""


async def warm_up(kube: KubeVersion) -> None:
    """Load it in a worker thread."""
    await asyncio.sleep(AFTER)
    await offload(_load, kube)


def _load(kube: KubeVersion) -> None:
    from crdkit.cel.environment import environment  # noqa: PLC0415
    from crdkit.definitions import validation  # noqa: PLC0415
    from crdkit.ownership import typebuilding  # noqa: PLC0415
    from crdkit.schema import compiled  # noqa: PLC0415
    from crdkit.schema.rules import checks, ruleset  # noqa: PLC0415

    del checks, compiled, ruleset, typebuilding, validation
    environment(kube)
    environment(kube, stored=True)
