"""The identity that a server makes for itself."""

from __future__ import annotations

import ssl
import subprocess
import sys
from pathlib import Path

import pytest

SERVE = """
import sys
from pathlib import Path
from crdkit.server.tls import Identity
if {alone}:
    sys.executable = "/nowhere/python"
Identity(Path({directory!r}), "127.0.0.1").serving_context()
print("cryptography" in sys.modules)
"""


@pytest.mark.parametrize("alone", [False, True])
def test_what_makes_certificates_is_not_loaded_where_another_process_can_do_it(tmp_path: Path, alone: bool) -> None:
    code = SERVE.format(alone=alone, directory=str(tmp_path / "identity"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{alone}\n"
    ssl.create_default_context(cafile=str(tmp_path / "identity" / "ca.crt")).load_cert_chain(tmp_path / "identity" / "server.crt")
    assert (tmp_path / "identity" / "server.crt").stat().st_mode & 0o077 == 0
