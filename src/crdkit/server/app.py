"""The application: answers requests, whichever transport they came by.

The checks stand in the order of the real server: deadline, authentication, impersonation, authorization, path and method, media
types, and only then what the request says.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from time import perf_counter
from typing import Final

from crdkit.access.authentication import Authenticator
from crdkit.access.authorization import Authorizer, refuse
from crdkit.access.user import User
from crdkit.meta.nesting import MOST_LEVELS
from crdkit.meta.offload import SMALL_YAML
from crdkit.meta.status import PlainRefusal, Refusal, bad_request, failure, internal_error
from crdkit.registry import bodies
from crdkit.registry.customresource import CustomResource
from crdkit.registry.registry import Registry
from crdkit.registry.request import Reply, Request, WatchReply
from crdkit.registry.resource import Resource, Stale
from crdkit.server import asgi, deadlines, negotiation, requestinfo, storagefailures
from crdkit.server.exchange import NOSNIFF, Exchange
from crdkit.server.health import PATHS as HEALTH_PATHS
from crdkit.server.health import Health
from crdkit.server.message import BODY_LIMIT, PROTOBUF, Answer, Documents, Incoming, Outgoing
from crdkit.server.negotiation import Endpoint, Media
from crdkit.server.observing import Observer
from crdkit.server.requestinfo import RequestInfo
from crdkit.server.root import RootDocuments
from crdkit.server.routing import READS_OF_MANY, Router, need_name
from crdkit.server.underway import Course, Outcome, Underway
from crdkit.server.watching import WatchStream
from crdkit.server.ways import Way, Ways
from crdkit.storage.errors import StorageError

logger = logging.getLogger(__name__)

WITH_BODY: Final = frozenset({"create", "update", "patch"})
WRITES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
WITH_OPTIONS: Final = frozenset({"delete", "deletecollection"})


class Application:
    """An ASGI application, and the same without ASGI: `answer`.

    ``documents`` are asked, in order, for what is no resource; ``observers`` are told of every request.
    """

    def __init__(
        self,
        registry: Registry,
        authenticator: Authenticator,
        authorizer: Authorizer,
        *,
        documents: Sequence[Documents] = (),
        observers: Sequence[Observer] = (),
    ) -> None:
        self._registry = registry
        self._cache = registry.cache
        self._ways = Ways(registry)
        self._authenticator = authenticator
        self._authorizer = authorizer
        self._router = Router(registry)
        self._documents = (RootDocuments(registry, registry.kube), *documents)
        self._course = Course(observers)
        self._health = Health(lambda: self._stopping, registry.cache)
        self._watches: set[WatchStream] = set()
        self._stopping = False

    async def __call__(self, scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        await asgi.serve(self, scope, receive, send)

    def stop(self) -> None:
        """Be ready no longer, and end the watches; requests that are being answered go on."""
        self._stopping = True
        for stream in tuple(self._watches):
            stream.end()

    async def answer(self, incoming: Incoming) -> Outgoing:
        """Answer a request, in a task. Raises nothing: a bug becomes a 500 that tells no more than that, and is logged."""
        began = perf_counter()
        exchange = Exchange(incoming)
        return await self._course.in_time(exchange, self._outcome(exchange), began)

    def begin(self, incoming: Incoming) -> Outcome | Underway:
        """Answer as far as that goes without waiting for anybody: the answer, what is underway to it, or what a task has to await. Raises nothing.

        Most writes that are not stored wait for nobody, and all others not before they come to the store.
        """
        if incoming.method == "GET":
            return self.answer_at_once(incoming) or self.answer(incoming)
        if incoming.method not in WRITES or incoming.body is None or "timeout" in incoming.query or self._cache.shared:
            return self.answer(incoming)
        began = perf_counter()
        exchange = Exchange(incoming)
        work = self._outcome(exchange)
        try:
            waited_for = work.send(None)
        except StopIteration as end:
            outgoing: Outgoing = end.value
            self._course.tell(exchange, outgoing, began)
            return outgoing
        return self._course.go_on(exchange, work, waited_for, began)

    def answer_at_once(self, incoming: Incoming) -> Outgoing | None:
        """Answer a read for which nobody needs to wait; None for all others, which `answer` is for. Raises nothing."""
        if incoming.method != "GET" or incoming.query:
            return None
        began = perf_counter()
        exchange = Exchange(incoming)
        try:
            outgoing = self._read(exchange)
        except Exception:  # noqa: BLE001 (it will be raised again for `answer`, which tells of it)
            return None
        if outgoing is not None:
            self._course.tell(exchange, outgoing, began)
        return outgoing

    def _read(self, exchange: Exchange) -> Outgoing | None:
        """An object that is known as it is answered, to somebody who may get it and wants plain JSON."""
        incoming = exchange.incoming
        headers = incoming.headers
        info = exchange.info = requestinfo.parse("GET", incoming.path)
        way = self._ways.find(info, headers)
        if way is None and (info.verb != "get" or not info.is_resource or info.subresource or headers.impersonates or self._cache.shared):
            return None
        if not self._authorizer.decide(self._authenticated(exchange), info).allowed:
            return None
        if way is None:
            return self._read_anew(exchange, info)
        if not exchange.writes_plainly(way.media):
            return None
        exchange.routed = True
        if way.warning:
            exchange.warnings.append(way.warning)
        entry = self._cache.get(way.resource.key(info.namespace, info.name))
        body = way.resource.known(entry) if entry is not None else None
        return exchange.plain_object(body) if body is not None else None

    def _read_anew(self, exchange: Exchange, info: RequestInfo) -> Outgoing | None:
        """The same, where it is yet to be found out what is read."""
        endpoint, resource = self._route(exchange, info)
        exchange.routed = True
        media = negotiation.for_objects(exchange.accept, endpoint)
        if not exchange.writes_plainly(media):
            return None
        if isinstance(resource, CustomResource):
            self._ways.keep(info, exchange.incoming.headers, resource, "", media)
        body = self._registry.known(info.group, info.version, info.resource, info.namespace, info.name)
        return exchange.plain_object(body) if body is not None else None

    async def _outcome(self, exchange: Exchange) -> Outgoing:
        incoming = exchange.incoming
        try:
            info = exchange.info = requestinfo.parse(incoming.method, incoming.path, incoming.query)
            way = self._ways.find(info, incoming.headers)
            if way is None or way.run is None or (request := self._known(exchange, info, way)) is None:
                return await self._answer(exchange, info)
            if len(request.body) > SMALL_YAML:
                await bodies.read_ahead(request)
            told = len(request.warnings)
            try:
                reply = await way.run(request)
            except Stale:
                del request.warnings[told:]
                return await self._handled(exchange, request, way.media)
            return exchange.plainly(reply, way.media) or await exchange.objects(reply.code, reply.body, way.media)
        except Refusal as refusal:
            return await exchange.refuse(refusal)
        except PlainRefusal as refusal:
            return exchange.plain(refusal.code, refusal.text)
        except StorageError as error:
            logger.warning("the store failed: %s", error)
            return await exchange.refuse(storagefailures.refusal(error))
        except RecursionError:
            incoming = exchange.incoming
            logger.warning("nested too deeply: %s %s (audit id %s)", incoming.method, incoming.path, exchange.audit_id)
            return await exchange.refuse(bad_request(f"objects may not be nested deeper than {MOST_LEVELS} levels"))
        except Exception:
            incoming = exchange.incoming
            logger.exception("unhandled error: %s %s (audit id %s)", incoming.method, incoming.path, exchange.audit_id)
            return await exchange.refuse(internal_error(f"the request failed; the server's log tells why (audit id {exchange.audit_id})"))

    def _known(self, exchange: Exchange, info: RequestInfo, way: Way) -> Request | None:
        """A write of which all is known but who asks, and what for; None where there is more to it."""
        incoming = exchange.incoming
        if incoming.body is None or "timeout" in incoming.query:
            return None
        user = self._authenticated(exchange)
        if not self._authorizer.decide(user, info).allowed:
            return None
        exchange.routed = True
        if way.warning:
            exchange.warnings.append(way.warning)
        return _request(exchange, info, user, way.content_type, way.media)

    async def _answer(self, exchange: Exchange, info: RequestInfo) -> Outgoing:
        query = exchange.incoming.query
        timeout = query.first("timeout") if query else None
        if timeout is None or info.verb == "watch":
            return await self._authorized(exchange, info)
        try:
            async with asyncio.timeout(deadlines.requested(timeout)) as limit:
                await asyncio.sleep(0)  # a deadline that is over already counts, however fast the answer would be
                return await self._authorized(exchange, info)
        except TimeoutError:
            if not limit.expired():
                raise
            return exchange.late(deadlines.timed_out())

    async def _authorized(self, exchange: Exchange, info: RequestInfo) -> Outgoing:
        headers = exchange.incoming.headers
        user = self._authenticated(exchange)
        if headers.impersonates:
            from crdkit.access.impersonation import impersonate  # noqa: PLC0415 (few requests ask for it)

            user = exchange.acts_as = impersonate(user, headers.starting(b"impersonate-"), info, self._authorizer, self._registry.kube)
        if self._cache.shared and storagefailures.needs_newest(info, exchange.incoming.query):
            await self._cache.catch_up()
        decision = self._authorizer.decide(user, info)
        if not decision.allowed:
            return await exchange.refuse(refuse(user, info, decision), more=(NOSNIFF,))
        if info.is_resource:
            return await self._resource(exchange, info, user)
        return await exchange.document(await self._document(exchange.incoming))

    def _authenticated(self, exchange: Exchange) -> User:
        """Who sent the request. Raises `Refusal`."""
        incoming, authenticator = exchange.incoming, self._authenticator
        headers = incoming.headers
        if incoming.certified is not None:
            user = incoming.certified
        elif headers.found is not None and headers.found[0] is authenticator:
            user = headers.found[1]
        else:
            user = authenticator.authenticate(headers.authorization, exchange.warnings)
            if not exchange.warnings:
                headers.found = authenticator, user
        exchange.user = user
        return user

    async def _document(self, incoming: Incoming) -> Answer:
        path = incoming.path
        if path.startswith(HEALTH_PATHS) and (health := await self._health.answer(path, incoming.query)):
            return health
        for documents in self._documents:
            if (answer := await documents.answer(incoming)) is not None:
                return answer
        raise self._router.missing(path)

    async def _resource(self, exchange: Exchange, info: RequestInfo, user: User) -> Outgoing:
        incoming = exchange.incoming
        endpoint, resource = self._route(exchange, info)
        exchange.routed = True
        content_type = incoming.headers.content_type
        if info.verb == "patch":
            types = negotiation.BUILTIN_PATCH_TYPES if resource is None else resource.patch_types
            content_type = negotiation.check_patch_type(content_type, types)
            need_name(info)
        try:
            media = negotiation.for_objects(exchange.accept, endpoint)
        except Refusal:
            self._registry.check_read(_request(exchange, info, user, content_type, Media()))
            raise
        if info.verb in WITH_BODY or (info.verb in WITH_OPTIONS and incoming.body != b""):
            if info.verb != "patch":
                try:
                    content_type = negotiation.check_body_type(content_type)
                except Refusal:
                    await self._registry.check_options(_request(exchange, info, user, content_type, media))
                    raise
            if incoming.body is None:
                raise _too_large()
        if info.verb in WITH_BODY and isinstance(resource, CustomResource):
            self._ways.keep(info, incoming.headers, resource, content_type, media)
        request = _request(exchange, info, user, content_type, media)
        if len(request.body) > SMALL_YAML and info.verb in WITH_BODY:
            await bodies.read_ahead(request)
        return await self._handled(exchange, request, media)

    async def _handled(self, exchange: Exchange, request: Request, media: Media) -> Outgoing:
        reply = await self._registry.handle(request)
        if isinstance(reply, Reply):
            return await exchange.objects(reply.code, reply.body, media)
        return self._watch(exchange, reply, media)

    def _route(self, exchange: Exchange, info: RequestInfo) -> tuple[Endpoint, Resource | None]:
        """Make sure that the path and its method exist. Gives back what is there; of what is not built in, the resource."""
        if self._router.builtin(info, exchange.incoming.method) is None:
            return Endpoint.OBJECTS, self._router.defined(info, exchange.warnings)
        if info.verb == "patch":
            negotiation.check_consumed(exchange.incoming.headers.content_type, negotiation.BUILTIN_PATCH_TYPES)
        types = negotiation.BUILTIN_LIST_TYPES if info.verb in READS_OF_MANY else negotiation.OBJECT_TYPES
        if not negotiation.accepts_any(exchange.accept, types):
            raise negotiation.not_produced(types)
        return Endpoint.BUILTIN, None

    def _watch(self, exchange: Exchange, reply: WatchReply, media: Media) -> Outgoing:
        content_type = negotiation.check_streamed(media).type
        if content_type == PROTOBUF:
            from crdkit.server import framing  # noqa: PLC0415 (most watch in JSON)

            content_type = framing.CONTENT_TYPE
            reply.events = framing.framed(reply.events)
        stream = WatchStream(reply, self._watches)
        if self._stopping:
            stream.end()
        return Outgoing(200, exchange.head(content_type), stream)


def _request(exchange: Exchange, info: RequestInfo, user: User, content_type: str, media: Media) -> Request:
    incoming = exchange.incoming
    return Request(
        info.verb,
        info.group,
        info.version,
        info.resource,
        info.subresource,
        info.namespace,
        info.name if info.named_in_path else "",
        incoming.query,
        content_type,
        incoming.body or b"",
        user,
        exchange.user_agent,
        media.form,
        exchange.warnings,
        exchange.annotations,
    )


def _too_large() -> Refusal:
    return Refusal(failure(413, "RequestEntityTooLarge", f"Request entity too large: limit is {BODY_LIMIT}"))
