"""The identity that a server makes for itself."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from crdkit.server.tls import Identity

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


def test_what_serves_is_kept(tmp_path: Path) -> None:
    known = authority_of(tmp_path)
    assert authority_of(tmp_path) == known


@pytest.mark.parametrize("name", ["ca.crt", "server.crt"])
@pytest.mark.parametrize("damage", ["emptied", "removed", "foreign"])
def test_an_identity_that_nobody_would_trust_is_made_anew(tmp_path: Path, name: str, damage: str) -> None:
    known = authority_of(tmp_path / "ours")
    file = tmp_path / "ours" / name
    if damage == "emptied":
        file.write_bytes(b"")
    elif damage == "removed":
        file.unlink()
    else:
        authority_of(tmp_path / "other")
        shutil.copy(tmp_path / "other" / name, file)
    made = authority_of(tmp_path / "ours")
    assert made not in {known, b""}
    assert authority_of(tmp_path / "ours") == made


def authority_of(directory: Path) -> bytes:
    identity = Identity(directory, "127.0.0.1")
    identity.serving_context()
    return identity.authority.read_bytes()
