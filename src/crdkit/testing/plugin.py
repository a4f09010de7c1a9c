"""Fixtures for pytest: `crdkit_server` runs for the whole session, `crdkit` is the same server, empty for each test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from crdkit.meta.version import KubeVersion

if TYPE_CHECKING:
    from crdkit.testing import Server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("crdkit_kube_version", "the Kubernetes version that the server of the fixtures behaves as")
    parser.addini("crdkit_definitions", "files or folders that are applied before each test that uses `crdkit`", type="paths", default=[])


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Refuse ini options that no test could use; last, because others may write the definitions as they are configured."""
    if version := config.getini("crdkit_kube_version"):
        try:
            KubeVersion.parse(version)
        except ValueError as error:
            msg = f"crdkit_kube_version: {error}"
            raise pytest.UsageError(msg) from error
    for path in config.getini("crdkit_definitions"):
        if not path.exists():
            msg = f"crdkit_definitions: there is no {path}"
            raise pytest.UsageError(msg)


@pytest.fixture(scope="session")
def crdkit_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """A running server. Tests that share it see each other's objects; use `crdkit` for one that is empty."""
    from crdkit.testing import Server  # noqa: PLC0415 (loaded by tests that use it alone)

    version = pytestconfig.getini("crdkit_kube_version")
    with Server(**({"kube_version": version} if version else {})) as server:
        yield server


@pytest.fixture
def crdkit(crdkit_server: Server, pytestconfig: pytest.Config) -> Server:
    """A server that holds nothing but the definitions named in the ini option `crdkit_definitions`."""
    crdkit_server.reset()
    crdkit_server.apply(pytestconfig.getini("crdkit_definitions"))
    return crdkit_server
