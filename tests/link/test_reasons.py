"""Why a server is not connected: one stable word for each kind of reason. Answers that are odd."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from tests.link.probing import Bench, children, until
from tests.link.servers.raw import Answer, answering, response, result

from prowess.capability.offer import Offer
from prowess.link import Link
from prowess.link.faults import Fault, Kind
from prowess.provider import Invocation, Refused
from prowess.spec.model import HttpServer, StdioServer

pytestmark = pytest.mark.anyio

SECRET = "tok-4f9a77c1e0b2d3e4"
Type = Literal["streamable-http", "sse"]


async def opened(url: str, type: Type = "streamable-http", startup: float = 5.0) -> Offer:
    """What is offered by the server at `url`, which is closed again."""
    server = HttpServer(id="web", type=type, url=url, headers={"X-Api-Key": SECRET})
    link = Link(server, root="unused", data="unused", startup=startup)
    try:
        offer = await link.open()
        assert SECRET not in str(offer)
        return offer
    finally:
        await link.close()


def stream(events: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + events


def moved(place: str) -> bytes:
    return response(status="307 Temporary Redirect", head=f"Location: {place}\r\n")


def error(code: int) -> bytes:
    return f'{{"jsonrpc": "2.0", "id": 1, "error": {{"code": {code}, "message": "no {SECRET}"}}}}'.encode()


# -- stdio -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "status", "word"),
    [
        ("exit-at-once", "failed", "exited"),
        ("close-output", "failed", "closed"),
        ("close-input", "failed", "closed"),
        ("ancient", "failed", "protocol"),
        ("silent", "timed-out", "timeout"),
    ],
)
async def test_a_process_that_does_not_come_up_says_why_in_one_word(
    bench: Bench, behaviour: str, status: str, word: str
) -> None:
    startup = 0.6 if word == "timeout" else 60.0  # the others are not waited for
    modes = (behaviour, "legacy") if behaviour == "ancient" else (behaviour,)
    offer = await bench.link(*modes, startup=startup).open()
    assert (offer.status, offer.reason_code) == (status, word)


async def test_a_command_that_cannot_be_started_is_spawn(tmp_path: Path) -> None:
    (tmp_path / "tool").write_bytes(b"\0not a program")
    (tmp_path / "tool").chmod(0o755)
    for command in ("no-such-command-anywhere", "./tool"):
        link = Link(StdioServer(id="none", command=command), root=str(tmp_path), data=str(tmp_path / "data"))
        assert (await link.open()).reason_code == "spawn"
        await link.close()


async def test_a_server_that_went_away_says_so_before_it_is_taken_down(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.stdio.PATIENCE_SECONDS", 0.6)
    link = bench.link("close-output-later", "ignore-term", "legacy", "only-tools")
    await link.open()
    await until(lambda: link.offer().reason_code)
    assert children(), "it ignores every request to go, so it is there for another second"
    assert (link.offer().status, link.offer().reason_code) == ("failed", "closed")


# -- HTTP ------------------------------------------------------------------------------------------

ANSWERS: dict[str, tuple[Answer, str]] = {
    "a web page": (lambda _: response(b"<html>", type="text/html"), "protocol"),
    "no JSON": (lambda _: response(f'{{"{SECRET}'.encode()), "protocol"),
    "a batch": (lambda _: response(b"[]"), "protocol"),
    "an error": (lambda _: response(error(-32000), status="400 Bad Request"), "protocol"),
    "a compressed answer": (lambda _: response(b"x", head="Content-Encoding: gzip\r\n"), "protocol"),
    "an event that is no JSON": (lambda _: stream(f"data: {{{SECRET}\n\n".encode()), "protocol"),
    "a session id of other letters": (
        lambda sent: response(result(sent, "{}"), head="Mcp-Session-Id: a\x80b\r\n"),
        "protocol",
    ),
    "a status": (lambda _: response(b"gone", status="410 Gone", type="text/plain"), "http-410"),
    "a place elsewhere": (lambda _: moved("http://127.0.0.1:9/mcp"), "origin"),
    "a place on disk": (lambda _: moved("file:///etc/passwd"), "origin"),
    "itself, for ever": (lambda _: moved(""), "origin"),
    "silence": (lambda _: b"", "disconnected"),
    "another protocol": (lambda _: b"SSH-2.0-OpenSSH_9\r\n", "disconnected"),
}


@pytest.mark.parametrize("kind", ANSWERS)
async def test_a_server_that_answers_otherwise_says_why_in_one_word(kind: str) -> None:
    answer, word = ANSWERS[kind]
    with answering(answer) as origin:
        offer = await opened(f"{origin}/mcp")
    assert (offer.status, offer.reason_code) == ("failed", word)


@pytest.mark.parametrize("head", ["", 'WWW-Authenticate: Bearer realm="x"\r\n'])
@pytest.mark.parametrize("type", ["streamable-http", "sse"])
async def test_a_server_that_asks_who_we_are_is_auth(type: Type, head: str) -> None:
    with answering(lambda _: response(status="401 Unauthorized", head=head)) as origin:
        offer = await opened(f"{origin}/mcp", type)
    assert (offer.status, offer.reason_code) == ("auth-required", "auth")


STREAMS: dict[str, tuple[bytes, str]] = {
    "an end": (b"", "disconnected"),
    "another event first": (b"event: message\ndata: {}\n\n", "protocol"),
    "an endpoint elsewhere": (b"event: endpoint\ndata: http://127.0.0.1:9/x\n\n", "origin"),
    "an endpoint on disk": (b"event: endpoint\ndata: file:///etc/passwd\n\n", "origin"),
    "an endpoint that is none": (b"event: endpoint\ndata: http://127.0.0.1:port/\n\n", "protocol"),
    "an event without end": (b"data: " + b"x" * 2_000, "protocol"),
}


@pytest.mark.parametrize("kind", STREAMS)
async def test_an_event_stream_that_does_not_begin_as_it_should_says_why(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.sse.MAX_LINE", 1_000)
    events, word = STREAMS[kind]
    with answering(lambda _: stream(events)) as origin:
        offer = await opened(f"{origin}/sse", "sse")
    assert (offer.status, offer.reason_code) == ("failed", word)


@pytest.mark.parametrize("type", ["streamable-http", "sse"])
async def test_a_port_where_nobody_listens_is_refused(type: Type) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        offer = await opened(f"http://127.0.0.1:{unused.getsockname()[1]}/mcp", type)
    assert (offer.status, offer.reason_code) == ("failed", "refused")


async def test_a_host_that_nobody_knows_is_unknown() -> None:
    offer = await opened("https://no-such-host.invalid/mcp")
    assert (offer.status, offer.reason_code) == ("failed", "unknown-host")


async def test_a_place_that_cannot_be_reached_otherwise_is_unreachable() -> None:
    # The discard-only block of RFC 6666: there is no way to it, and the system says so at once.
    offer = await opened("https://[100::1]/mcp", startup=0.3)
    assert (offer.status, offer.reason_code) in {("failed", "unreachable"), ("timed-out", "timeout")}


# -- answers that are odd, and still answers -------------------------------------------------------

HALF = (
    '{"tools": [{"name": "cut\\ud83d", "description": "\\\\ud83d \\ud83d\\ude00 \\ude00!",'
    ' "inputSchema": {"type": "object"}}]}'
)


def legacy(sent: Any) -> bytes:
    """Half a character in the only tool."""
    results = {
        "initialize": '{"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}}',
        "tools/list": HALF,
    }
    if sent is None or "id" not in sent:
        return response(status="202 Accepted")
    if sent["method"] not in results:
        return response(error(-32601), status="404 Not Found")
    return response(result(sent, results[sent["method"]]))


def as_events(sent: Any) -> bytes:
    """The same as an event stream."""
    head, _, body = legacy(sent).partition(b"\r\n\r\n")
    return stream(b"data: " + body + b"\n\n") if b"200 OK" in head else head + b"\r\n\r\n" + body


@pytest.mark.parametrize("answer", [legacy, as_events])
async def test_half_a_character_over_http_is_replaced_and_noted(answer: Answer) -> None:
    with answering(answer) as origin:
        offer = await opened(f"{origin}/mcp")
    (tool,) = offer.tools
    assert (tool.name, tool.description) == ("cut\ufffd", "\\ud83d \U0001f600 \ufffd!")
    assert [note for note in offer.notes if "half a character" in note]


async def test_half_a_character_on_stdout_is_replaced_and_noted(bench: Bench) -> None:
    offer = await bench.link("half", "legacy", "only-tools").open()
    assert (offer.status, offer.tools[0].description) == ("connected", "cut \ufffd")
    assert [note for note in offer.notes if "half a character" in note]


async def test_answers_that_nobody_asked_for_are_noted(bench: Bench) -> None:
    offer = await bench.link("answers-twice", "only-tools").open()
    assert offer.status == "connected" and len(offer.tools) == 1
    assert [note for note in offer.notes if "belong to no open request" in note]


async def test_an_id_that_comes_back_as_text_is_understood(bench: Bench) -> None:
    offer = await bench.link("text-ids", "only-tools").open()
    assert offer.status == "connected" and offer.notes == ()


async def test_answers_with_other_ids_leave_the_server_unconnected_and_noted(bench: Bench) -> None:
    offer = await bench.link("other-ids", startup=0.6).open()
    assert offer.status == "timed-out"
    assert [note for note in offer.notes if "belong to no open request" in note]


async def test_arguments_that_are_no_unicode_are_not_sent_over_http() -> None:
    seen: list[Any] = []

    def answer(sent: Any) -> bytes:
        seen.append(sent)
        return legacy(sent)

    with answering(answer) as origin:
        link = Link(
            HttpServer(id="web", type="streamable-http", url=f"{origin}/mcp"), root="unused", data="unused"
        )
        await link.open()
        before = len(seen)
        calls = [Invocation(tool="cut\ufffd", arguments=each) for each in ({"a": ["\ud800"]}, {"\udc00": 1})]
        assert [type(await link.call(each)) for each in calls] == [Refused, Refused] and len(seen) == before
        assert (await link.open()).status == "connected"
        await link.close()


def test_every_word_stands_in_the_guide() -> None:
    guide = Path(__file__).parents[2] / "docs" / "guides" / "bring-it-up.md"
    listed = {
        word.strip()
        for line in guide.read_text().splitlines()
        if line.startswith("| ")
        for word in line.split("|")[1].split(",")
    }
    words = {Fault(kind=kind, reason="", http_status=404).word for kind in get_args(Kind)}
    words |= {word for _, word in (*ANSWERS.values(), *STREAMS.values())} - {"http-410"}
    words |= {
        "spawn",
        "exited",
        "closed",
        "refused",
        "unknown-host",
        "tls",
        "timeout",
        "not-started",
        "failed",
    }
    listed |= {word.partition(" ")[0] for word in listed}
    assert words - {"unsendable"} <= listed  # that one is of a call, never of a connection
