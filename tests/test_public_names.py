"""What crdkit promises by name, and that asking for nothing costs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import crdkit

NAMES = ["ConversionFailed", "Definition", "DefinitionRefused", "KubeVersion", "NeedsWebhook", "Problem", "Verdict", "load"]


def test_the_public_names_are_these() -> None:
    assert crdkit.__all__ == NAMES
    assert set(NAMES) <= set(dir(crdkit))
    assert all(getattr(crdkit, name) is not None for name in NAMES)


def test_another_name_is_none() -> None:
    with pytest.raises(AttributeError, match="module 'crdkit' has no attribute 'Server'"):
        _ = crdkit.Server


def test_importing_loads_no_rooms() -> None:
    code = "import sys, crdkit; print([name for name in sys.modules if name.startswith('crdkit.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
