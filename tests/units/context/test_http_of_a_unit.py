"""`ctx.http`: declared hosts only, at the addresses that were checked, each request on record."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import httpx2
import pytest
from tests.units.context.conftest import NAME, Desk, Standing
from tests.units.context.upstream import Answer, Upstream, serving

from prowess.errors import Undeclared
from prowess.units.resolving import system

pytestmark = pytest.mark.anyio


async def refused(desk: Desk, context: Any, url: str, **said: Any) -> str:
    """The code with which a GET is refused; nothing may have been recorded as sent for it."""
    async with context as ctx:
        with pytest.raises(Undeclared) as caught:
            await ctx.http.get(url, **said)
    assert [each["code"] for each in desk.logged("unit-refused")] == [caught.value.code]
    return caught.value.code


async def test_a_declared_host_answers(desk: Desk, upstream: Upstream) -> None:
    upstream.answers["/now"] = Answer(body=b'{"warm": true}')
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        answer = await ctx.http.get(f"http://{NAME}:{upstream.port}/now?city=Oslo")
    assert answer.json() == {"warm": True}
    (seen,) = upstream.seen
    assert seen.target == "/now?city=Oslo"
    assert seen.headers["host"] == f"{NAME}:{upstream.port}"


async def test_an_undeclared_host_is_refused(desk: Desk, upstream: Upstream) -> None:
    context = desk.context([f"other.test:{upstream.port}"])
    assert await refused(desk, context, f"http://{NAME}:{upstream.port}/") == "host-undeclared"
    assert upstream.seen == [] and desk.records == [] and desk.resolver.asked == []


async def test_another_port_of_a_declared_host_is_refused(desk: Desk, upstream: Upstream) -> None:
    assert await refused(desk, desk.context([NAME]), f"http://{NAME}:{upstream.port}/") == "host-undeclared"
    assert upstream.seen == []


async def test_a_unit_without_hosts_reaches_nothing(desk: Desk) -> None:
    assert await refused(desk, desk.context([]), "https://example.com/") == "host-undeclared"


async def test_a_redirect_to_an_undeclared_host_is_refused(desk: Desk, upstream: Upstream) -> None:
    with serving() as other:
        target = f"http://other.test:{other.port}/secret"
        upstream.answers["/"] = Answer(status=302, headers={"location": target})
        desk.resolver.answers["other.test"] = ["127.0.0.1"]
        context = desk.context([f"{NAME}:{upstream.port}"])
        url = f"http://{NAME}:{upstream.port}/"
        assert await refused(desk, context, url, follow_redirects=True) == "host-undeclared"
        assert other.seen == []
    assert len(upstream.seen) == 1


async def test_a_redirect_to_a_private_address_is_refused(desk: Desk, upstream: Upstream) -> None:
    upstream.answers["/"] = Answer(
        status=307, headers={"location": "http://169.254.169.254/latest/meta-data/"}
    )
    context = desk.context([f"{NAME}:{upstream.port}"])
    url = f"http://{NAME}:{upstream.port}/"
    assert await refused(desk, context, url, follow_redirects=True) == "host-undeclared"


async def test_a_redirect_to_a_declared_host_is_followed(desk: Desk, upstream: Upstream) -> None:
    upstream.answers["/old"] = Answer(status=302, headers={"location": "/new"})
    upstream.answers["/new"] = Answer(body=b'"here"')
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        answer = await ctx.http.get(f"http://{NAME}:{upstream.port}/old", follow_redirects=True)
    assert answer.json() == "here"
    assert [each.status for each in desk.records] == [302, 200]


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["10.1.2.3"],
        ["192.168.0.1"],
        ["::1"],
        ["fe80::1"],
        ["fd00:ec2::254"],
        ["::ffff:127.0.0.1"],
        ["::ffff:169.254.169.254"],
        ["64:ff9b::a9fe:a9fe"],
        ["2002:7f00:1::"],
        ["93.184.215.14", "127.0.0.1"],  # one public answer does not excuse the other
        ["no address at all"],
    ],
    ids=str,
)
async def test_a_declared_name_that_leads_to_a_private_address_is_refused(
    desk: Desk, upstream: Upstream, answer: list[str]
) -> None:
    desk.resolver.answers[NAME] = answer
    context = desk.context([f"{NAME}:{upstream.port}"], addresses=[])
    assert await refused(desk, context, f"http://{NAME}:{upstream.port}/") == "address-undeclared"
    assert upstream.seen == [] and desk.records == []


@pytest.mark.parametrize("spelling", ["2130706433", "0x7f000001", "0177.1", "127.1", "localhost"])
async def test_no_spelling_of_a_loopback_address_gets_through(
    desk: Desk, upstream: Upstream, spelling: str
) -> None:
    """Even where the very spelling is declared as a host; the machine's own resolver reads it."""
    desk.options["resolver"] = system
    context = desk.context([f"{spelling}:{upstream.port}"], addresses=[])
    assert await refused(desk, context, f"http://{spelling}:{upstream.port}/") == "address-undeclared"
    assert upstream.seen == []


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://127。0。0。1:{port}/",
        "http://2130706433:{port}/",
        "http://api.test@127.0.0.1:{port}/",
        "http://api.test%2f@127.0.0.1:{port}/",
        "http://api.test\\@127.0.0.1:{port}/",
        "http://127.0.0.1:{port}#@api.test/",
        "http://127.0.0.1:{port}/api.test",
        "http://api.test.evil:{port}/",
    ],
)
async def test_no_trick_of_spelling_turns_an_undeclared_host_into_a_declared_one(
    desk: Desk, upstream: Upstream, url: str
) -> None:
    context = desk.context([f"{NAME}:{upstream.port}"])
    code = await refused(desk, context, url.format(port=upstream.port))
    assert code in ("host-undeclared", "url-refused")
    assert upstream.seen == []


async def test_a_user_name_in_a_url_is_refused(desk: Desk, upstream: Upstream) -> None:
    context = desk.context([f"{NAME}:{upstream.port}"])
    assert await refused(desk, context, f"http://me:word@{NAME}:{upstream.port}/") == "url-refused"
    assert upstream.seen == []


async def test_a_declared_address_is_reached_by_its_number(desk: Desk, upstream: Upstream) -> None:
    async with desk.context([f"127.0.0.1:{upstream.port}"], addresses=[]) as ctx:
        answer = await ctx.http.get(f"http://127.0.0.1:{upstream.port}/")
    assert answer.status_code == 200
    assert desk.resolver.asked == []


async def test_an_ipv6_address_is_reached_where_it_is_declared(desk: Desk) -> None:
    try:
        probe = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("needs IPv6 on loopback")
    probe.close()
    desk.resolver.answers["six.test"] = ["::1"]
    with serving("::1") as six:
        async with desk.context([f"six.test:{six.port}"], addresses=["::1"]) as ctx:
            answer = await ctx.http.get(f"http://six.test:{six.port}/")
        assert answer.status_code == 200
        assert six.seen[0].headers["host"] == f"six.test:{six.port}"


async def test_a_name_that_answers_otherwise_a_moment_later_gains_nothing(
    desk: Desk, upstream: Upstream
) -> None:
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        await ctx.http.get(f"http://{NAME}:{upstream.port}/")
        desk.resolver.answers[NAME] = ["10.0.0.1"]
        await ctx.http.get(f"http://{NAME}:{upstream.port}/")
    assert desk.resolver.asked == [NAME]
    assert len(upstream.seen) == 2


async def test_the_next_address_is_tried_when_the_first_takes_no_connection(
    desk: Desk, upstream: Upstream
) -> None:
    desk.resolver.answers[NAME] = ["127.0.0.2", "127.0.0.1"]  # the server listens on the second only
    async with desk.context([f"{NAME}:{upstream.port}"], addresses=["127.0.0.0/8"]) as ctx:
        answer = await ctx.http.get(f"http://{NAME}:{upstream.port}/")
    assert answer.status_code == 200
    assert [each.status for each in desk.records] == [200]


async def test_a_host_header_of_the_units_own_does_not_count(desk: Desk, upstream: Upstream) -> None:
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        await ctx.http.get(f"http://{NAME}:{upstream.port}/", headers={"Host": "internal.test"})
    assert upstream.seen[0].headers["host"] == f"{NAME}:{upstream.port}"


async def test_a_proxy_of_the_environment_is_not_used(
    desk: Desk, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
            await ctx.http.get(f"http://{NAME}:{upstream.port}/")
        assert proxy.seen == []
    assert len(upstream.seen) == 1


async def test_every_request_is_recorded_under_the_trace_of_its_call(desk: Desk, upstream: Upstream) -> None:
    upstream.answers["/gone"] = Answer(status=404)
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        await ctx.http.get(f"http://{NAME}:{upstream.port}/found?key=hidden#part")
        await ctx.http.post(f"http://{NAME}:{upstream.port}/gone", json={"a": 1})
    first, second = desk.records
    assert (first.method, first.status, first.url) == ("GET", 200, f"http://{NAME}:{upstream.port}/found")
    assert (second.method, second.status) == ("POST", 404)
    assert {(each.trace_id, each.call) for each in desk.records} == {(Standing().trace_id, Standing().call)}
    assert first.id != second.id and first.duration_ms > 0 and first.started > 0
    assert Standing().trace_id in upstream.seen[0].headers["traceparent"]


async def test_a_request_without_an_answer_is_recorded_with_status_0(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    async with desk.context([f"{NAME}:{port}"]) as ctx:
        with pytest.raises(httpx2.ConnectError):
            await ctx.http.get(f"http://{NAME}:{port}/")
    assert [each.status for each in desk.records] == [0]


async def test_a_name_without_an_address_is_a_connection_that_failed(desk: Desk) -> None:
    async with desk.context(["nowhere.test"]) as ctx:
        with pytest.raises(httpx2.ConnectError):
            await ctx.http.get("http://nowhere.test/")
    assert desk.logged("unit-refused") == []


async def test_no_timeout_of_the_units_own_outlasts_its_call(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        async with desk.context([f"{NAME}:{port}"], timeout_ms=200) as ctx, asyncio.timeout(10):
            with pytest.raises(httpx2.ReadTimeout):
                await ctx.http.get(f"http://{NAME}:{port}/", timeout=None)
    assert [each.status for each in desk.records] == [0]


async def test_a_resolver_that_does_not_answer_ends_with_the_call(desk: Desk) -> None:
    async def never(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    desk.options["resolver"] = never
    async with desk.context([NAME], timeout_ms=100) as ctx, asyncio.timeout(10):
        with pytest.raises(httpx2.ConnectTimeout):
            await ctx.http.get(f"http://{NAME}/", timeout=None)


async def test_a_cancelled_request_is_on_record_too(desk: Desk) -> None:
    loop = asyncio.get_running_loop()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        async with desk.context([f"{NAME}:{port}"]) as ctx:
            task = asyncio.ensure_future(ctx.http.get(f"http://{NAME}:{port}/"))
            accepted, _ = await asyncio.wait_for(loop.run_in_executor(None, silent.accept), 10)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            accepted.close()
    assert [each.status for each in desk.records] == [0]


async def test_the_client_is_closed_with_its_call(desk: Desk, upstream: Upstream) -> None:
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        await ctx.http.get(f"http://{NAME}:{upstream.port}/")
        client = ctx.http
    with pytest.raises(RuntimeError):
        await client.get(f"http://{NAME}:{upstream.port}/")
    assert len(upstream.seen) == 1
