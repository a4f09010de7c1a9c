"""The Kubernetes version whose behaviour is served: a value that every room looks its differences up from."""

from __future__ import annotations

from typing import Final, NamedTuple


class KubeVersion(NamedTuple):
    """A Kubernetes minor version, ordered: ``KubeVersion(1, 33) < KubeVersion(1, 36)``."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    @classmethod
    def parse(cls, text: str) -> KubeVersion:
        """Read ``"1.36"``. Raises `ValueError`, naming what is supported, for any other text or version."""
        for version in SUPPORTED:
            if text == str(version):
                return version
        known = ", ".join(str(version) for version in SUPPORTED)
        msg = f"unsupported Kubernetes version {text!r}: supported versions are {known}"
        raise ValueError(msg)


V1_33: Final = KubeVersion(1, 33)
V1_36: Final = KubeVersion(1, 36)
SUPPORTED: Final = (V1_36, V1_33)
DEFAULT: Final = V1_36
