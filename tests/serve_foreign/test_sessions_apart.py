"""Each client is its own: what it declares, says, is told and asked, and that it goes away."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import pytest
from tests.bounds import bound
from tests.serve_foreign.conftest import CAPABILITIES, Way
from tests.serve_foreign.raw import SECONDS, Era, Message, Raw, Said, Streams
from tests.serve_foreign.standing import Standing, package, stdio_server

ERAS: tuple[Era, ...] = ("modern", "legacy")
PROGRESS, LOG = "notifications/progress", "notifications/message"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Raw]]:
    """Makes clients over HTTP of one gateway, whose server is one that speaks over stdio."""
    with ExitStack() as stack:
        standing = Standing(tmp_path_factory.mktemp("shared"), stack)
        folder = standing.place / "package"
        url = standing.gateway_http(package(folder, {"mirror": stdio_server(folder, "mirror")}))

        def client(era: Era, capabilities: Message = CAPABILITIES) -> Raw:
            way = Streams(url)
            stack.callback(way.close)
            return Raw(way, era, capabilities)

        yield client


def state(client: Raw) -> Message:
    """What the mirror knows of this client's connection."""
    value: Message = client.ask("tools/call", {"name": "state", "arguments": {}}).result["structuredContent"]
    return value


def until(client: Raw, true: Callable[[Message], Any]) -> Message:
    """Look at the mirror's state until something is true of it."""
    deadline = time.monotonic() + SECONDS
    while not true(known := state(client)):
        assert time.monotonic() < deadline, known
        threading.Event().wait(0.01)
    return known


def gone(pid: int) -> None:
    """Wait until a process is over."""
    deadline = time.monotonic() + SECONDS
    with suppress(ProcessLookupError):
        while True:
            os.kill(pid, 0)
            assert time.monotonic() < deadline, f"process {pid} is still there"
            threading.Event().wait(0.01)


def at_once(*calls: Callable[[], Said]) -> list[Said]:
    """The outcomes of calls that are under way together."""
    out: dict[int, Said] = {}

    def run(number: int, call: Callable[[], Said]) -> None:
        out[number] = call()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(bound(30))
    return [out[number] for number in range(len(calls))]


# -- what a client declares ------------------------------------------------------------------------------


def test_the_server_gets_the_capabilities_of_whoever_asks(way: Way) -> None:
    if way.modern:
        meta = way.through.ask("tools/call", {"name": "do"}).result["arrived"]["params"]["_meta"]
        assert meta["io.modelcontextprotocol/clientCapabilities"] == CAPABILITIES
    else:
        assert state(way.through)["initialize"]["capabilities"] == CAPABILITIES


@pytest.mark.parametrize("era", ERAS)
def test_each_client_has_its_own_capabilities_at_the_server(shared: Callable[..., Raw], era: Era) -> None:
    declared: list[Message] = [{"sampling": {}}, {}, {"elicitation": {}, "experimental": {"x": {"y": None}}}]
    for capabilities in declared:
        client = shared(era, capabilities)
        if era == "modern":
            meta = client.ask("tools/call", {"name": "do"}).result["arrived"]["params"]["_meta"]
            assert meta["io.modelcontextprotocol/clientCapabilities"] == capabilities
        elif capabilities:
            assert state(client)["initialize"]["capabilities"] == capabilities
        else:
            # Whoever can be asked nothing needs no connection of its own.
            assert state(client)["initialize"].get("capabilities", {}) == {}


# -- several at once -------------------------------------------------------------------------------------


def test_sessions_at_once_see_their_own_questions_progress_and_log_messages_only(
    shared: Callable[..., Raw],
) -> None:
    clients = [shared("legacy") for _ in range(3)]
    everybody = threading.Barrier(3, timeout=SECONDS)

    def call(number: int) -> Said:
        said, words = {"message": f"for {number}"}, f"from {number}"

        def answer() -> Message:
            everybody.wait()  # so that all three are asked before anybody answers
            return {"result": {"action": words}}

        return clients[number].play(
            {"notify": [PROGRESS, {"progressToken": "$token", "progress": number}]},
            {"notify": [LOG, {"level": "info", "data": words}]},
            {"ask": ["elicitation/create", said]},
            {"notify": [LOG, {"level": "info", "data": words}]},
            {"ask": ["sampling/createMessage", said]},
            answers={
                "elicitation/create": answer,
                "sampling/createMessage": {"result": {"model": words}},
            },
            meta={"progressToken": "same for all"},
        )

    outcomes = at_once(*(partial(call, number) for number in range(3)))
    for number, said in enumerate(outcomes):
        words = f"from {number}"
        assert [each["method"] for each in said.before] == [
            PROGRESS,
            LOG,
            "elicitation/create",
            LOG,
            "sampling/createMessage",
        ]
        assert said.before[0]["params"] == {"progressToken": "same for all", "progress": number}
        assert {each["params"]["data"] for each in said.before if each["method"] == LOG} == {words}
        asked = [each["params"]["message"] for each in said.before if "id" in each]
        assert asked == [f"for {number}"] * 2
        answers = said.result["arrived"]["answers"]
        assert answers == [{"result": {"action": words}}, {"result": {"model": words}}]


def test_requests_at_once_on_one_connection_see_their_own_progress_and_nobody_s_log_messages(
    shared: Callable[..., Raw],
) -> None:
    clients = [shared("modern") for _ in range(3)]

    def call(number: int) -> Said:
        return clients[number].play(
            {"wait": "all three"},
            {"notify": [PROGRESS, {"progressToken": "$token", "progress": number}]},
            {"notify": [LOG, {"level": "info", "data": number}]},
            {"wait": "the end"},
            meta={"progressToken": "same for all"},
        )

    def all_wait(name: str, known: Message) -> bool:
        return bool(known["waiting"].count(name) == 3)

    def let_go() -> Said:
        watching = shared("modern")
        for name in ("all three", "the end"):
            until(watching, partial(all_wait, name))
            watching.ask("tools/call", {"name": "go", "arguments": {"name": name}})
        return Said(answer={})

    *outcomes, _ = at_once(*(partial(call, number) for number in range(3)), let_go)
    for number, said in enumerate(outcomes):
        # A server of one stream does not say whose a log message is, so that it is handed to nobody.
        assert [each["params"] for each in said.before] == [
            {"progressToken": "same for all", "progress": number}
        ]


# -- a client that goes away -------------------------------------------------------------------------------


def test_a_client_that_gives_up_ends_its_request_at_the_server(way: Way) -> None:
    watching = way.through
    name = f"given up {way.era} {type(way.through.way).__name__}"
    id, _ = way.through.begin("tools/call", {"name": "do", "_meta": {"test/script": [{"wait": name}]}})
    until(watching, lambda known: name in known["waiting"])
    way.through.abandon(id)
    until(watching, lambda known: f"cancelled {name}" in known["log"])
    assert "result" in way.through.play({"result": {"content": []}}).answer


def test_a_session_that_ends_has_its_connection_at_the_server_ended(shared: Callable[..., Raw]) -> None:
    client, other = shared("legacy"), shared("legacy")
    own, others = state(client)["pid"], state(other)["pid"]
    assert own != others
    assert isinstance(client.way, Streams)
    client.way.delete()
    gone(own)
    assert state(other)["pid"] == others


@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_vanishes_in_the_middle_of_a_call_leaves_no_server_behind(
    standing: Standing, era: Era
) -> None:
    folder = standing.place / "package"
    pipe = standing.gateway(package(folder, {"mirror": stdio_server(folder, "mirror")}))
    client = Raw(pipe, era, CAPABILITIES)
    client.begin("tools/call", {"name": "do", "_meta": {"test/script": [{"wait": "for ever"}]}})
    pid = until(client, lambda known: "for ever" in known["waiting"])["pid"]
    pipe.close()
    gone(pid)


# -- changes -----------------------------------------------------------------------------------------------


def changes(way: Way, *uris: str) -> Callable[[], Message]:
    """Listen to everything; what comes back gives the next change."""
    if way.modern:
        wanted: Message = dict.fromkeys(
            ("toolsListChanged", "promptsListChanged", "resourcesListChanged"), True
        )
        listener = way.another() if isinstance(way.through.way, Streams) else way.through
        _, out = listener.begin(
            "subscriptions/listen", {"notifications": {**wanted, "resourceSubscriptions": list(uris)}}
        )
        acknowledged = out.get(timeout=SECONDS)
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        assert acknowledged["params"]["notifications"]["toolsListChanged"] is True
        unasked = listener.way.unasked if not isinstance(listener.way, Streams) else out
        return lambda: unasked.get(timeout=SECONDS)
    if isinstance(way.through.way, Streams):
        way.through.way.listen()
    for uri in uris:
        assert way.through.ask("resources/subscribe", {"uri": uri}).result == {}
    return lambda: way.through.way.unasked.get(timeout=SECONDS)


def test_what_changes_at_the_server_is_told_and_the_new_list_is_there(ways: dict[str, Way], way: Way) -> None:
    following = changes(way, "memo://z")
    changer = way.another() if isinstance(way.through.way, Streams) and way.modern else way.through
    if way.modern:
        until(changer, lambda known: known["listening"])

    def change(kind: str, **more: Any) -> None:
        changer.ask("tools/call", {"name": "change", "arguments": {"kind": kind, **more}})

    told: list[Message] = []

    def next_is(method: str) -> Message:
        # That a list changed may be said again: it is looked at when listening begins, too.
        while not told or told[-1]["method"] != method:
            told.append(following())
        return told[-1]

    change("tools", list="tools/list", add={"name": "new", "inputSchema": {"type": "object"}})
    next_is("notifications/tools/list_changed")
    listed = way.through.ask("tools/list").result["tools"]
    assert listed[-1] == {"name": "new", "inputSchema": {"type": "object"}}
    change("prompts", list="prompts/list", add={"name": "newer"})
    next_is("notifications/prompts/list_changed")
    change("resource", uri="memo://z")
    assert next_is("notifications/resources/updated")["params"]["uri"] == "memo://z"
    change("resource", uri="memo://a")  # nobody asked for that one
    change("resources", list="resources/list", add={"uri": "memo://new", "name": "n"})
    next_is("notifications/resources/list_changed")
    assert way.through.ask("resources/list").result["resources"][-1]["uri"] == "memo://new"
    updates = [each for each in told if each["method"] == "notifications/resources/updated"]
    assert len(updates) == 1  # although the gateway hears of it in two places


# -- what a client says by itself ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stdio-legacy", "http-legacy"])
def test_what_a_session_s_client_says_reaches_the_server(ways: dict[str, Way], name: str) -> None:
    client = ways[name].through
    state(client)  # from now on it has a connection of its own there
    client.tell("notifications/roots/list_changed")
    client.tell("notifications/vendor.example/said", {"a": [None], "n": 10**30})
    said = ["notifications/roots/list_changed", "notifications/vendor.example/said"]

    def both(known: Message) -> list[Message]:
        found = [each for each in known["heard"] if each["method"] in said]
        return found if len(found) == len(said) else []

    heard = both(until(client, both))
    assert sorted(each["method"] for each in heard) == said
    assert next(each["params"] for each in heard if "params" in each) == {"a": [None], "n": 10**30}


@pytest.mark.parametrize("name", ["stdio-legacy", "http-legacy"])
def test_progress_on_a_question_reaches_the_server_under_its_own_token(
    ways: dict[str, Way], name: str
) -> None:
    client = ways[name].through
    question = {"message": "m", "_meta": {"progressToken": "the server's", "x": None}}
    script = {"test/script": [{"ask": ["elicitation/create", question]}]}
    id, out = client.begin("tools/call", {"name": "do", "_meta": script})
    asked = out.get(timeout=SECONDS)
    meta = asked["params"]["_meta"]
    assert meta["x"] is None
    client.tell(PROGRESS, {"progressToken": meta["progressToken"], "progress": 0.5, "z": None})
    client.tell(PROGRESS, {"progressToken": "nobody's", "progress": 1})
    told = {"progressToken": "the server's", "progress": 0.5, "z": None}
    heard = until(client, lambda known: any(each["method"] == PROGRESS for each in known["heard"]))["heard"]
    client.way.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "cancel"}})
    assert out.get(timeout=SECONDS)["result"]["arrived"]["answers"] == [{"result": {"action": "cancel"}}]
    client.way.end(id)
    heard = state(client)["heard"]
    assert [each["params"] for each in heard if each["method"] == PROGRESS] == [told]
