"""The real server in a thread of the process that tests: started in milliseconds, emptied between tests."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeVar

from crdkit.access.user import User
from crdkit.builtin.kinds import kinds
from crdkit.meta import json
from crdkit.meta.types import JsonObject
from crdkit.meta.version import DEFAULT, KubeVersion
from crdkit.registry.pieces import Pieces
from crdkit.registry.request import Query
from crdkit.server import target
from crdkit.server.directories import IDENTITY, default_cache_directory
from crdkit.server.message import Headers, Incoming
from crdkit.server.process import new_event_loop
from crdkit.server.run import LOOPBACK, Address, Settings
from crdkit.server.run import Server as _Server
from crdkit.server.tls import Identity
from crdkit.testing import manifests
from crdkit.testing.manifests import Manifest

T = TypeVar("T")

PATIENCE: Final = 30.0
GOODBYE_SECONDS: Final = 0.2
ESTABLISHED_WITHIN: Final = 5.0
CONFLICT: Final = 409
MANAGER: Final = "crdkit-testing"
DEFINITIONS: Final = "apiextensions.k8s.io/v1"


class Refused(AssertionError):
    """The server did not take an object; the message is its answer."""


class Response(NamedTuple):
    """An answer: HTTP status and the object, or the text where it is none."""

    code: int
    body: Any


class Server:
    """A server for tests, as a context manager::

        with Server() as server:
            server.apply("crds/")
            ...  # any client, by server.kubeconfig or by server.url and server.token

    Objects are kept in memory. ``tls=False`` serves plain HTTP, over which kubectl and client-go send no token.
    """

    def __init__(
        self,
        *,
        tls: bool = True,
        kube_version: KubeVersion | str = DEFAULT,
        controllers: bool = True,
        tokens: Mapping[str, User] | None = None,
        port: int = 0,
    ) -> None:
        self._tls = tls
        self._kube = KubeVersion.parse(kube_version) if isinstance(kube_version, str) else kube_version
        self._controllers = controllers
        self._tokens = dict(tokens or {})
        self._port = port
        self._directory: Path
        self._server: _Server
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._thread: threading.Thread
        self._address: Address

    @property
    def url(self) -> str:
        return self._address.url

    @property
    def token(self) -> str:
        """The bearer token of an administrator."""
        return self._address.token

    @property
    def kubeconfig(self) -> Path:
        return self._address.kubeconfig

    @property
    def certificate_authority(self) -> Path:
        """What clients trust the server by."""
        return self._identity.authority

    def start(self) -> Self:
        self._directory = Path(tempfile.mkdtemp(prefix="crdkit-"))
        self._identity = Identity(_certificates(self._directory), LOOPBACK)
        started: Future[Address] = Future()
        self._thread = threading.Thread(target=self._run, args=(started,), name="crdkit server", daemon=True)
        self._thread.start()
        try:
            self._address = started.result(PATIENCE)
        except BaseException:
            shutil.rmtree(self._directory, ignore_errors=True)
            raise
        return self

    def stop(self) -> None:
        if not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        shutil.rmtree(self._directory, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def reset(self) -> None:
        """Forget everything: definitions, objects, namespaces. Open watches end; address and token stay."""
        self._call(self._server.reset())

    def request(self, method: str, path: str, body: Any = None, *, content_type: str = "application/json") -> Response:
        """Ask the server as its administrator, without a detour through the network."""
        return self._call(self._ask(method, path, body, content_type))

    def apply(self, manifest: Manifest) -> list[JsonObject]:
        """Create objects, or replace those that are there: a dictionary, a file, a folder, or several of these.

        Definitions go first, then namespaces, then the rest as given. Definitions are served when this returns.
        Raises `Refused` for the first that the server does not take.
        """
        __tracebackhide__ = True
        try:
            return [self._call(self._apply(obj)) for obj in manifests.in_order(manifests.read(manifest))]
        except Refused as refused:
            raise refused.with_traceback(None) from None  # who asked is shown alone, not how we did

    # In the server's thread

    def _run(self, started: Future[Address]) -> None:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(self._serve(started))

    async def _serve(self, started: Future[Address]) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        settings = Settings(
            directory=self._directory,
            identity=self._identity,
            port=self._port,
            encrypted=self._tls,
            in_memory=True,
            tokens=self._tokens,
            kube=self._kube,
            controllers=self._controllers,
            namespace_grace=0,
            warmed=False,
        )
        self._server = _Server(settings)
        try:
            address = await self._server.start()
        except Exception as error:  # noqa: BLE001 (told to the thread that waits)
            started.set_exception(error)
            return
        started.set_result(address)
        await self._stop.wait()
        await self._server.stop(seconds=GOODBYE_SECONDS)

    def _call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    async def _ask(self, method: str, path: str, body: Any, content_type: str) -> Response:
        decoded, query = target.split(path.encode())
        content = body if isinstance(body, bytes) else b"" if body is None else json.encode(body)
        headers = Headers([(b"authorization", f"Bearer {self.token}".encode()), (b"content-type", content_type.encode())])
        return await self._answer(method, decoded, query, headers, content)

    async def _answer(self, method: str, path: str, query: Query, headers: Headers, content: bytes) -> Response:
        outgoing = await self._server.application.answer(Incoming(method, path, query, headers, content))
        body = outgoing.body.joined() if isinstance(outgoing.body, Pieces) else outgoing.body
        if not isinstance(body, bytes):
            await body.aclose()
            msg = f"{path} is a watch: open it by a client"
            raise ValueError(msg)  # noqa: TRY004 (the path is at fault, not a type)
        is_json = b"application/json" in outgoing.head
        return Response(outgoing.code, json.decode(body) if is_json else body.decode())

    async def _apply(self, obj: Mapping[str, Any]) -> JsonObject:
        collection, name = self._place(obj)
        response = await self._ask("POST", f"{collection}?fieldManager={MANAGER}", obj, "application/json")
        if response.code == CONFLICT and name:
            response = await self._replace(f"{collection}/{name}", obj)
        if response.code not in (200, 201):
            message = response.body.get("message") if isinstance(response.body, dict) else response.body
            raise Refused(message)
        if obj["apiVersion"] == DEFINITIONS:
            await self._established(f"{collection}/{name}")
        applied: JsonObject = response.body
        return applied

    async def _replace(self, path: str, obj: Mapping[str, Any]) -> Response:
        current = (await self._ask("GET", path, None, "")).body
        metadata = {**obj["metadata"], "resourceVersion": current["metadata"]["resourceVersion"]}
        return await self._ask("PUT", f"{path}?fieldManager={MANAGER}", {**obj, "metadata": metadata}, "application/json")

    async def _established(self, path: str) -> None:
        """Wait until a definition's objects are served, or it is known that they will not be."""
        async with asyncio.timeout(ESTABLISHED_WITHIN):
            while True:
                definition = (await self._ask("GET", path, None, "")).body
                conditions = {one["type"]: one["status"] for one in definition.get("status", {}).get("conditions", ())}
                if conditions.get("Established") == "True" or conditions.get("NamesAccepted") == "False":
                    return
                await asyncio.sleep(0.002)

    def _place(self, obj: Mapping[str, Any]) -> tuple[str, str]:
        """The path of the objects like this one, and its name."""
        group, _, version = str(obj.get("apiVersion", "")).rpartition("/")
        plural, namespaced = self._plural(group, version, str(obj.get("kind", "")))
        metadata = obj.get("metadata") or {}
        root = f"/apis/{group}/{version}" if group else f"/api/{version}"
        namespace = f"/namespaces/{metadata.get('namespace', 'default')}" if namespaced else ""
        return f"{root}{namespace}/{plural}", metadata.get("name", "")

    def _plural(self, group: str, version: str, kind: str) -> tuple[str, bool]:
        for builtin in kinds(self._kube):
            if (builtin.group, builtin.version, builtin.kind) == (group, version, kind):
                return builtin.plural, builtin.namespaced
        for definition in self._server.registry.definitions.all():
            if definition.group == group and definition.names.kind == kind:
                return definition.names.plural, definition.namespaced
        if not kind:
            raise Refused("Object 'Kind' is missing")
        msg = f'no matches for kind "{kind}" in version "{f"{group}/" if group else ""}{version}": no definition of it has been applied'
        raise Refused(msg)


def _certificates(directory: Path) -> Path:
    """Where certificates are kept from one run to the next; where nothing can be kept, they are made each time."""
    kept = default_cache_directory() / "testing"
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return directory / IDENTITY
    return kept
