"""``crdkit serve`` as a process."""

from __future__ import annotations

import json
import os
import signal
import ssl
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE = 20.0


@contextmanager
def serving(directory: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    ready = directory / "ready.json"
    ready.unlink(missing_ok=True)
    command = [sys.executable, "-m", "crdkit", "serve", "--port", "0", "--data-dir", str(directory), "--ready-file", str(ready), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        end = time.monotonic() + PATIENCE
        while not ready.exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < end
            time.sleep(0.01)
        yield process, json.loads(ready.read_text())
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


def get(address: dict[str, str], path: str, *, authority: Path | None = None, token: str | None = None) -> tuple[int, bytes]:
    context = ssl.create_default_context(cafile=authority) if authority else None
    headers = {"Authorization": f"Bearer {token or address['token']}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(address["url"] + path, headers=headers), context=context) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read()


def test_it_serves_over_tls_that_its_kubeconfig_trusts(tmp_path: Path) -> None:
    with serving(tmp_path, "--memory") as (_, address):
        assert get(address, "/healthz", authority=tmp_path / "certificates" / "ca.crt") == (200, b"ok")
        kubeconfig = Path(address["kubeconfig"])
        assert stat.S_IMODE(kubeconfig.stat().st_mode) == 0o600
        config = json.loads(kubeconfig.read_text())
        assert config["clusters"][0]["cluster"]["server"] == address["url"]
        assert config["users"][0]["user"]["token"] == address["token"]


def test_what_it_keeps_is_there_after_a_restart_and_so_is_its_identity(tmp_path: Path) -> None:
    body = json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kept"}}).encode()
    with serving(tmp_path) as (_, first):
        authority = tmp_path / "certificates" / "ca.crt"
        known = authority.read_bytes()
        headers = {"Authorization": f"Bearer {first['token']}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{first['url']}/api/v1/namespaces", data=body, headers=headers)
        with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=authority)) as response:
            assert response.status == 201
    with serving(tmp_path) as (_, second):
        assert second["token"] == first["token"]
        assert authority.read_bytes() == known
        assert get(second, "/api/v1/namespaces/kept", authority=authority)[0] == 200


def test_users_come_from_a_token_file(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.csv"
    tokens.write_text('alicetoken,alice,alice-uid,"dev,ops"\n')
    with serving(tmp_path, "--memory", "--http", "--token-file", str(tokens)) as (_, address):
        code, body = get(address, "/api/v1/namespaces", token="alicetoken")
        assert (code, json.loads(body)["message"]) == (
            403,
            'namespaces is forbidden: User "alice" cannot list resource "namespaces" in API group "" at the cluster scope',
        )
        assert get(address, "/version", token="nobody")[0] == 401


def test_it_says_how_to_go_on(tmp_path: Path) -> None:
    with serving(tmp_path, "--memory") as (process, address):
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert errors == ""
        assert f"Kubeconfig: {address['kubeconfig']}" in output
        assert f"export KUBECONFIG={address['kubeconfig']}" in output


@pytest.mark.parametrize(("mode", "step"), [("RBAC", "curl -H"), ("AlwaysAllow", "kubectl get crds")])
def test_over_plain_http_it_shows_what_is_let_in(tmp_path: Path, mode: str, step: str) -> None:
    with serving(tmp_path, "--memory", "--http", "--authorization-mode", mode) as (process, _):
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE)
        assert step in output


def test_a_server_in_memory_leaves_the_kubeconfig_of_another_alone(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    command = [sys.executable, "-m", "crdkit", "serve", "--port", "0", "--json"]
    places = []
    for options in ([], ["--memory"]):
        process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert process.stdout is not None
            places.append(json.loads(process.stdout.readline())["kubeconfig"])
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
    on_disk, in_memory = places
    assert on_disk != in_memory


def test_json_is_one_line(tmp_path: Path) -> None:
    with serving(tmp_path, "--memory", "--http", "--json") as (process, address):
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        assert [json.loads(line) for line in output.splitlines()] == [address]
        assert not (tmp_path / "ready.json").exists()


def test_the_file_of_an_earlier_run_makes_nobody_believe_that_a_server_is_ready(tmp_path: Path) -> None:
    old = tmp_path / "ready.json"
    old.write_text("{}")
    command = [sys.executable, "-m", "crdkit", "serve", "--ready-file", str(old), "--data-dir", str(tmp_path)]
    done = subprocess.run([*command, "--runtime-config", "foo"], capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert not old.exists()


def test_an_older_version_can_be_imitated(tmp_path: Path) -> None:
    with serving(tmp_path, "--memory", "--http", "--kube-version", "1.33") as (_, address):
        assert json.loads(get(address, "/version")[1])["minor"] == "33"


def test_servers_in_memory_may_share_a_directory_and_each_has_a_kubeconfig(tmp_path: Path) -> None:
    with serving(tmp_path, "--memory") as (_, first), serving(tmp_path, "--memory") as (_, second):
        port = second["url"].rpartition(":")[2]
        assert first["kubeconfig"] == str(tmp_path / "kubeconfig")
        assert second["kubeconfig"] == str(tmp_path / f"kubeconfig-{port}")
        assert first["url"] in Path(first["kubeconfig"]).read_text()
        assert second["url"] in Path(second["kubeconfig"]).read_text()
        assert first["token"] == second["token"]


def test_a_data_directory_in_use_is_told_with_the_way_out(tmp_path: Path) -> None:
    with serving(tmp_path, "--http") as (process, _):
        command = [sys.executable, "-m", "crdkit", "serve", "--port", "0", "--data-dir", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    told = f"the data directory {tmp_path / 'store'} is in use by another process (pid {process.pid}); --data-dir takes another one"
    assert (done.returncode, done.stderr) == (1, f"Error: {told}\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kube-version", "1.20"], "unsupported Kubernetes version '1.20': supported versions are 1.36, 1.33"),
        (
            ["--token-file", "{tmp}/broken.csv"],
            "token file '{tmp}/broken.csv' must have at least 3 columns (token, user name, user uid), found 1",
        ),
        (["--port", "{taken}"], "cannot serve on 127.0.0.1:{taken}: the address is in use; --port takes another one"),
        (["--port", "0", "--audit-log-path", "{tmp}/none/audit.log"], "cannot serve: {tmp}/none/audit.log: No such file or directory"),
        (["--ready-file", "{tmp}/none/ready"], "Invalid value for --ready-file: {tmp}/none/ready: there is no directory {tmp}/none"),
        (["--service-resolver", "x"], "Invalid value for --service-resolver: 'x' is not of the form name.namespace=host:port"),
        (["--runtime-config", "x"], "Invalid value for --runtime-config: 'x' cannot be switched; these can:"),
        (["--port", "0", "--client-ca-file", "{tmp}/broken.csv"], "cannot serve: {tmp}/broken.csv: there are no certificates in it"),
    ],
)
def test_what_cannot_be_served_is_told_in_a_line(tmp_path: Path, options: list[str], message: str) -> None:
    (tmp_path / "broken.csv").write_text("token\n")
    with serving(tmp_path, "--memory", "--http") as (_, address):
        places = {"tmp": str(tmp_path), "taken": address["url"].rpartition(":")[2]}
        command = [sys.executable, "-m", "crdkit", "serve", "--memory", "--data-dir", str(tmp_path / "other")]
        command += [option.format(**places) for option in options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, "COLUMNS": "200"}, check=False)
    assert done.returncode != 0
    assert message.format(**places) in done.stderr
    assert "Traceback" not in done.stderr
