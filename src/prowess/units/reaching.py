"""The one way out of a unit's `ctx.http`: to declared hosts, at the addresses that were checked.

It stands below the HTTP client, so redirects pass through it like any request. A name is resolved
once in a call, every answer is judged, and the connection goes to an address that was judged: a name
that answers differently a moment later gains nothing. What part 2 holds for an origin is put on here
and nowhere above, so the unit never sees it. No proxy is used: behind one, nobody knows the address.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import ssl
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import httpx2

from prowess.credentials.injecting import Injection, Injector
from prowess.credentials.urls import origin
from prowess.errors import Undeclared
from prowess.redact import printable
from prowess.store.remembered import RequestRecord
from prowess.units.addresses import Address, may_reach, networks, parsed
from prowess.units.hosts import PORTS, declared, netloc, sent
from prowess.units.model import Unit
from prowess.units.resolving import Resolver

TRIES_MAX = 16  # a pool renews or rests a token each time, so it ends before
LEAST_SECONDS = 0.001  # a timeout of zero would mean that there is none


class Trace(Protocol):
    """The step of the trace that a request belongs to."""

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits."""
        ...

    @property
    def call(self) -> str:
        """The id of the call's record."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What the requests of one call need. `record` and `refused` raise nothing.

    `injector` answers for an origin, `deadline` counts in `monotonic` seconds.
    """

    unit: Unit
    resolver: Resolver
    injector: Callable[[str], Injector | None]
    record: Callable[[RequestRecord], Awaitable[None]]
    refused: Callable[[Undeclared], None]
    tls: Callable[[], ssl.SSLContext]
    trace: Trace | None
    deadline: float
    monotonic: Callable[[], float]
    now: Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a request goes."""

    scheme: str
    name: str
    port: int

    @property
    def origin(self) -> str:
        host = f"[{self.name}]" if ":" in self.name else self.name
        return origin(f"{self.scheme}://{host}:{self.port}")

    @property
    def netloc(self) -> str:
        return netloc(self.scheme, self.name, self.port)

    @property
    def shown(self) -> str:
        return printable(self.netloc)


class Reaching(httpx2.AsyncBaseTransport):
    """The transport of one call. Raises Undeclared, CredentialFailed, and what HTTP goes wrong with."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._hosts, _ = declared(reach.unit.permissions.hosts)
        literal = [each.name for each in self._hosts if parsed(each.name) is not None]
        self._networks, _ = networks((*reach.unit.permissions.addresses, *literal))
        self._known: dict[_Place, tuple[str, ...]] = {}
        self._ways: dict[tuple[_Place, str], httpx2.AsyncHTTPTransport] = {}
        self._injectors: dict[str, Injector | None] = {}
        self._keeping: set[asyncio.Future[None]] = set()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request` if it may go where it wants."""
        try:
            place = self._place(request.url)
            if place not in self._known:
                self._known[place] = await self._judged(place, request)
        except Undeclared as error:
            self._reach.refused(error)
            raise
        return await self._authorized(place, request)

    async def aclose(self) -> None:
        """Close the connections."""
        for each in self._ways.values():
            await each.aclose()

    # -- where to --------------------------------------------------------------------------------

    def _place(self, url: httpx2.URL) -> _Place:
        if url.scheme not in PORTS:
            raise Undeclared(f"{printable(url.scheme, 40)}: is no HTTP", code="url-refused")
        if url.userinfo:
            raise Undeclared(
                "a URL may not hold a user name",
                code="url-refused",
                hint="what a server is to be told about you belongs into prowess.toml",
            )
        try:
            name = sent(url.raw_host.decode("ascii"))
        except ValueError:
            raise Undeclared("the URL's host cannot be read", code="url-refused") from None
        place = _Place(scheme=url.scheme, name=name, port=url.port or PORTS[url.scheme])
        if not any(each.covers(place.scheme, place.name, place.port) for each in self._hosts):
            title = printable(self._reach.unit.title)
            raise Undeclared(
                f"{title} does not declare the host {place.shown}; nothing was sent",
                code="host-undeclared",
                hint=f'"permissions": {{"hosts": ["{place.shown}"]}}, if it is to be reached',
            )
        return place

    async def _judged(self, place: _Place, request: httpx2.Request) -> tuple[str, ...]:
        """Every address of the place; one that may not be reached is enough to refuse them all."""
        answers = [place.name] if parsed(place.name) else await self._resolved(place, request)
        addresses = [parsed(each) for each in answers]
        if not addresses:
            raise httpx2.ConnectError(f"{place.shown} has no address", request=request)
        for said, address in zip(answers, addresses, strict=True):
            if address is None or not may_reach(address, self._networks):
                raise self._private(place, address, said)
        return tuple(str(each) for each in addresses)

    async def _resolved(self, place: _Place, request: httpx2.Request) -> Sequence[str]:
        try:
            async with asyncio.timeout(self._left()):
                return await self._reach.resolver(place.name, place.port)
        except TimeoutError:
            message = f"the address of {place.shown} was not found in time"
            raise httpx2.ConnectTimeout(message, request=request) from None
        except (OSError, UnicodeError) as error:
            message = f"{place.shown} has no address: {printable(str(error))}"
            raise httpx2.ConnectError(message, request=request) from None

    def _private(self, place: _Place, address: Address | None, said: str) -> Undeclared:
        at = printable(said, 60) if address is None else str(address)
        title = printable(self._reach.unit.title)
        return Undeclared(
            f"{place.shown} leads to {at}, which is not public and which {title} does not declare; "
            "nothing was sent",
            code="address-undeclared",
            hint=f'"permissions": {{"addresses": ["{at}"]}}, if it is to be reached',
        )

    # -- with what -------------------------------------------------------------------------------

    async def _authorized(self, place: _Place, request: httpx2.Request) -> httpx2.Response:
        """With what is held for this origin; once more where another token may do better."""
        injector = self._injector(place.origin)
        if injector is None:
            return await self._recorded(place, request, {})
        injection = await injector.current()
        for _ in range(TRIES_MAX):
            response = await self._recorded(place, request, injection.headers)
            try:
                other = await _instead(injector, injection, request, response)
            except BaseException:
                await response.aclose()
                raise
            if other is None:
                break
            await response.aclose()
            injection = other
        return response

    def _injector(self, at: str) -> Injector | None:
        if at not in self._injectors:
            self._injectors[at] = self._reach.injector(at)
        return self._injectors[at]

    # -- sent and written down -------------------------------------------------------------------

    async def _recorded(
        self, place: _Place, request: httpx2.Request, headers: Mapping[str, str]
    ) -> httpx2.Response:
        began, started, status = self._reach.monotonic(), self._reach.now(), 0
        try:
            response = await self._sent(place, request, headers)
            status = response.status_code
            return response
        finally:
            trace = self._reach.trace
            record = RequestRecord(
                id=uuid.uuid4().hex,
                trace_id=trace.trace_id if trace is not None else "",
                call=trace.call if trace is not None else "",
                method=printable(request.method, 40),
                url=f"{place.scheme}://{place.shown}{_path(request.url)}",
                status=status,
                duration_ms=(self._reach.monotonic() - began) * 1_000,
                started=started,
            )
            keeping = asyncio.ensure_future(self._reach.record(record))
            self._keeping.add(keeping)  # held here, so that it ends also when nobody waits any more
            keeping.add_done_callback(self._keeping.discard)
            await asyncio.shield(keeping)

    async def _sent(
        self, place: _Place, request: httpx2.Request, headers: Mapping[str, str]
    ) -> httpx2.Response:
        """To the first of the judged addresses that takes a connection."""
        addresses = self._known[place]
        for number, address in enumerate(addresses):
            try:
                way = self._way(place, address)
                return await way.handle_async_request(self._aimed(place, address, request, headers))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if number == len(addresses) - 1:
                    raise
                self._known[place] = (*addresses[number + 1 :], *addresses[: number + 1])
        raise AssertionError("a judged place has an address")

    def _way(self, place: _Place, address: str) -> httpx2.AsyncHTTPTransport:
        """The connections to one address under one name: never shared with another name."""
        if (place, address) not in self._ways:
            secure = place.scheme == "https"
            self._ways[place, address] = httpx2.AsyncHTTPTransport(
                # Plain http never negotiates TLS; the bare context verifies as well, and trusts nobody.
                verify=self._reach.tls() if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                trust_env=False,
            )
        return self._ways[place, address]

    def _aimed(
        self, place: _Place, address: str, request: httpx2.Request, headers: Mapping[str, str]
    ) -> httpx2.Request:
        """The request for this address, still under its own name: in Host, in TLS, in the certificate."""
        replaced = {"host", *(each.lower() for each in headers)}
        kept = [(name, value) for name, value in request.headers.raw if name.lower().decode() not in replaced]
        ours = {"Host": place.netloc, **headers}
        if self._reach.trace is not None and "traceparent" not in request.headers:
            ours["traceparent"] = f"00-{self._reach.trace.trace_id}-{secrets.token_hex(8)}-01"
        fields = [(name.encode("ascii"), value.encode("latin-1")) for name, value in ours.items()]
        return httpx2.Request(
            request.method,
            request.url.copy_with(host=address),
            headers=httpx2.Headers([*fields, *kept]),
            stream=request.stream,
            extensions={
                **request.extensions,
                "timeout": self._bounded(request.extensions.get("timeout", {})),
                "sni_hostname": place.name,
            },
        )

    def _bounded(self, wanted: Mapping[str, float | None]) -> dict[str, float]:
        """The unit's own timeouts, as far as the time of its call allows."""
        left = self._left()
        names = ("connect", "read", "write", "pool")
        return {name: min(math.inf if (own := wanted.get(name)) is None else own, left) for name in names}

    def _left(self) -> float:
        return max(LEAST_SECONDS, self._reach.deadline - self._reach.monotonic())


def _path(url: httpx2.URL) -> str:
    """The path without the query, which may hold anything."""
    return printable(url.raw_path.partition(b"?")[0].decode("ascii", "replace"), 1_000)


async def _instead(
    injector: Injector, injection: Injection, request: httpx2.Request, response: httpx2.Response
) -> Injection | None:
    """What to send in place of `injection` after this answer; None when the answer stands."""
    again = isinstance(request.stream, httpx2.ByteStream)  # a stream that was read cannot be sent again
    if not injection.secrets or not again:
        return None
    if response.status_code == 401:
        return await injector.turned_away(injection)
    if response.status_code == 429:
        after = response.headers.get("retry-after", "")
        seconds = float(after) if after.isascii() and after.isdigit() and len(after) < 8 else None
        return await injector.exhausted(injection, seconds)
    return None
