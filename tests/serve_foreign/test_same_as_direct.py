"""What a client sees through the gateway is what it sees of the server itself, member by member.

Each test asks the same of a server and of the gateway in front of it, over both transports and in both
eras. What the gateway may add is in `held.py`.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.serve_foreign.conftest import Way
from tests.serve_foreign.held import insist_equal, plain, relayed
from tests.serve_foreign.raw import Message, Raw, Said
from tests.serve_foreign.servers import offer
from tests.serve_foreign.standing import Standing, package, stdio_server

CALLS: dict[str, Message] = {
    "tools/call": {"name": "do", "arguments": {"value": 1}},
    "prompts/get": {"name": "zebra", "arguments": {"a": "x"}},
    "resources/read": {"uri": "memo://z"},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "zebra"},
        "argument": {"name": "a", "value": "v"},
    },
}
LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
RESULTS: dict[str, Message] = {
    "members that nobody knows": {"x": None, "_meta": {"vendor.example/a": None, "b": {}}, "y": [[], {}, ""]},
    "numbers of any size": {"n": [10**40, -(10**40), 1.0, 1e300, 5e-324, -0.0, 0, 0.1, 2**63, 2**53 + 1]},
    "text of any kind": {"t": '\u2028\x00\x1b\x7f \u00e9 \U0001f600 \u202e \ufeff\n\r\t\\"</script>'},
    "kinds of content that nobody knows": {
        "content": [{"type": "hologram", "x": None}, {"type": "text", "text": "t", "annotations": None}],
        "structuredContent": [1, None, 2.5],
        "isError": False,
    },
    "content of the wrong type": {"isError": "yes", "content": "text", "structuredContent": 0},
    "no content": {"content": None, "contents": None, "messages": None},
    "an error of the tool": {"content": [{"type": "text", "text": "bad"}], "isError": True, "z": None},
    "an error that looks like the protocol's": {"isError": True, "error": {"code": 1, "message": "m"}},
    "no metadata": {"_meta": None, "content": []},
    "a cache that is odd": {"ttlMs": -1, "cacheScope": "everybody", "content": []},
    "a stamp of its own": {
        "content": [],
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "mirror", "version": "1", "z": None}},
    },
    "another type of result": {"resultType": "vendor.example/kind", "taskId": "t", "x": None},
    "a type of result that is no text": {"resultType": {"a": 1}, "content": []},
}
ERRORS: tuple[Message, ...] = (
    {"code": -32000, "message": "m", "data": {"x": None, "y": [1.5]}},
    {"code": -32001, "message": "timed out"},
    {"code": -32002, "message": "not found", "data": {"uri": "x:y"}},
    {
        "code": -32042,
        "message": "url",
        "data": {"elicitations": [{"mode": "url", "url": "https://e.example"}]},
    },
    {"code": -32601, "message": "no such method here"},
    {"code": -32602, "message": "", "data": False},
    {"code": -32603, "message": "m", "data": "text"},
    {"code": 5, "message": "\n\x1b[1m" + "x" * 3_000, "data": [1, [2]]},
)


def same(way: Way, method: str, params: Message | None = None, **more: Any) -> Said:
    """Ask both and hold them against each other; what came through."""
    direct, through = (client.ask(method, params, **more) for client in (way.direct, way.through))
    insist_equal(direct, through, method, modern=way.modern)
    return through


def same_script(way: Way, method: str, *steps: Message, **more: Any) -> Said:
    """Have both follow a script."""
    params = CALLS.get(method, {})

    def played(client: Raw) -> Said:
        return client.play(*steps, method=method, **{**params, **more})

    direct, through = played(way.direct), played(way.through)
    insist_equal(direct, through, method, modern=way.modern)
    return through


@pytest.mark.parametrize("method", LISTS)
def test_a_list_has_the_same_entries_in_the_same_order_whole(way: Way, method: str) -> None:
    assert len(next(each for each in same(way, method).result.values() if isinstance(each, list))) >= 2


@pytest.mark.parametrize("method", CALLS)
def test_a_request_arrives_as_it_was_sent(way: Way, method: str) -> None:
    further = {"unknown": None, "more": [1.0, {"a": None}], "_meta": {"vendor.example/m": [None], "n": 2**70}}
    arrived = same(way, method, {**CALLS[method], **further}).result["arrived"]
    assert arrived["params"]["unknown"] is None
    assert arrived["params"]["_meta"]["vendor.example/m"] == [None]


@pytest.mark.parametrize("method", CALLS)
def test_a_result_comes_as_it_was_written(way: Way, method: str) -> None:
    for kind, result in RESULTS.items():
        with_note = {**result, "kind": kind}
        assert same_script(way, method, {"result": with_note}).result["kind"] == kind


@pytest.mark.parametrize("method", CALLS)
def test_an_error_of_the_server_comes_with_its_code_its_words_and_its_data(way: Way, method: str) -> None:
    for error in ERRORS:
        assert same_script(way, method, {"error": error}).error == error


def test_an_empty_result_is_no_other_result(way: Way) -> None:
    for method in ("prompts/get", "resources/read", "completion/complete"):
        same_script(way, method, {"result": {}})
    direct, through = (client.play({"result": {}}) for client in (way.direct, way.through))
    assert plain(direct)[1] == {"result": {}}
    # That a result is complete may be said where nothing was.
    result = relayed(through, direct, "tools/call", modern=way.modern)[1]["result"]
    assert result in ({}, {"resultType": "complete"})


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
_NAMES = ("content", "contents", "messages", "structuredContent", "isError", "error", "_meta", "ttlMs", "x")
_RESULT = st.dictionaries(st.sampled_from(_NAMES) | st.text("abcXYZ_$./", max_size=6), _JSON, min_size=1)


@settings(max_examples=40)
@given(result=_RESULT, method=st.sampled_from(sorted(CALLS)))
def test_whatever_json_a_server_answers_comes_through(way: Way, method: str, result: Message) -> None:
    same_script(way, method, {"result": result})


@settings(max_examples=25)
@given(value=_JSON, meta=st.dictionaries(st.text("abc./-", min_size=1, max_size=9), _JSON, max_size=3))
def test_whatever_json_a_client_sends_arrives(way: Way, value: Any, meta: Message) -> None:
    call = {"name": "do", "arguments": {"value": value}, "extra": value, "_meta": meta}
    same(way, "tools/call", call)


def test_text_of_a_server_that_no_parser_reads_in_two_ways_comes_through(way: Way) -> None:
    for text in ("1e-400", "0.1e1", "123456789012345678901234567890.123", '"\\ud83d\\ude00"', '{"":null}'):
        for method in ("tools/call", "resources/read"):
            same_script(way, method, {"text": f'{{"content":[],"contents":[],"v":{text}}}'})


def test_a_result_as_deep_as_parsers_go_comes_through(way: Way) -> None:
    deep = "[" * 150 + "]" * 150
    same_script(way, "resources/read", {"text": f'{{"contents":[],"v":{deep}}}'})
    same_script(way, "tools/call", {"text": f'{{"content":[],"v":{deep}}}'})


def test_a_result_that_cannot_be_read_is_a_clear_error_at_once(way: Way) -> None:
    deep = "[" * 5_000 + "]" * 5_000
    for text in (f'{{"content":[],"v":{deep}}}', '{"content":[', "[1]", '"text"', "null"):
        assert way.through.play({"text": text}).result["isError"] is True
        read = way.through.play({"text": text}, method="resources/read", uri="memo://z")
        assert read.error["code"] == -32603
    assert "result" in way.through.play({"result": {"content": []}}).answer  # and it goes on


# -- what comes before an answer -----------------------------------------------------------------------


@pytest.mark.parametrize("method", [*CALLS, "vendor.example/method"])
def test_progress_and_log_messages_come_in_order_before_the_answer(way: Way, method: str) -> None:
    said = _with_token(way, method)
    assert [each["params"].get("progress") for each in said.before] == [0, None, 0.5, None, 1]
    assert {each["params"].get("progressToken") for each in said.before} == {"mine", None}


def _with_token(way: Way, method: str) -> Said:
    progress = "notifications/progress"
    steps: tuple[Message, ...] = (
        {"notify": [progress, {"progressToken": "$token", "progress": 0, "total": None, "z": None}]},
        {"notify": ["notifications/message", {"level": "info", "data": {"a": None}, "logger": None}]},
        {"notify": [progress, {"progressToken": "$token", "progress": 0.5, "message": "half \u00e9"}]},
        {"notify": ["notifications/vendor.example", {"a": [None], "_meta": {"b": 1}}]},
        {"notify": [progress, {"progressToken": "$token", "progress": 1}]},
        {"result": {"content": [], "contents": [], "messages": [], "completion": {"values": []}}},
    )
    return same_script(way, method, *steps, meta={"progressToken": "mine"})


def test_progress_of_another_request_is_not_this_client_s(way: Way) -> None:
    stray = {"notify": ["notifications/progress", {"progressToken": "other", "progress": 1}]}
    said = way.through.play(stray, {"result": {"content": []}}, meta={"progressToken": 7})
    assert said.before == []


def test_what_a_server_asks_back_in_a_result_comes_with_its_state_and_its_answer_goes_back(way: Way) -> None:
    if not way.modern:
        return
    wanted = {
        "resultType": "input_required",
        "inputRequests": {
            "k \u00e9": {"method": "elicitation/create", "params": {"x": None, "message": "m"}}
        },
        "requestState": "abc\u0000\u00e9==",
        "unknown": None,
    }
    for method in ("tools/call", "prompts/get", "resources/read"):
        assert same_script(way, method, {"result": wanted}).result["requestState"] == wanted["requestState"]
        given = {"inputResponses": {"k \u00e9": {"action": "accept", "content": {"n": None}, "z": 1.0}}}
        arrived = same(way, method, {**CALLS[method], **given, "requestState": "abc\u0000\u00e9=="}).result
        assert arrived["arrived"]["params"]["inputResponses"] == given["inputResponses"]


ASKED: dict[str, Message | None] = {
    "sampling/createMessage": {"messages": [{"role": "user", "content": None}], "maxTokens": 1, "x": None},
    "elicitation/create": {
        "message": "m",
        "requestedSchema": {"type": "object", "x": None},
        "_meta": {"y": 1},
    },
    "roots/list": {"_meta": {"vendor.example/r": None}},
    "ping": {"a": 1},
    "vendor.example/ask": {"a": None},
}


@pytest.mark.parametrize("method", ASKED)
def test_what_a_server_asks_during_a_call_reaches_the_client_and_its_answer_the_server(
    way: Way, method: str
) -> None:
    if way.modern:
        return
    for reply in (
        {"result": {"a": None, "n": 10**30}},
        {"error": {"code": -5, "message": "no", "data": [None]}},
    ):
        script: tuple[Message, ...] = ({"ask": [method, ASKED[method]]},)

        def played(client: Raw, reply: Message = reply, script: Any = script) -> Said:
            return client.play(*script, answers={method: reply})

        direct, through = played(way.direct), played(way.through)
        insist_equal(direct, through, "tools/call", modern=False)
        assert through.result["arrived"]["answers"] == [reply]


# -- what is not listed, not known or not right ----------------------------------------------------------


def test_a_resource_that_no_list_holds_is_the_server_s_to_answer(way: Way) -> None:
    for uri in ("thing://k/a/b?q=1", "other://\u4f60", "unlisted:x", "https://example.com/%2F"):
        assert same(way, "resources/read", {"uri": uri}).result["arrived"]["params"]["uri"] == uri


def test_completion_reaches_the_server_for_templates_too(way: Way) -> None:
    for uri in ("other://{id}", "memo://z", "thing://{kind}/{+path}{?q,r*}"):
        ref = {"type": "ref/resource", "uri": uri, "x": None}
        argument = {"name": "id", "value": "\u00e9", "z": None}
        context = {"arguments": {"a": "b"}}
        same(way, "completion/complete", {"ref": ref, "argument": argument, "context": context})


def test_a_method_that_is_not_known_here_is_the_server_s_to_answer(way: Way) -> None:
    same(way, "vendor.example/method", {"a": [None]})
    same_script(way, "vendor.example/method", {"result": {"a": None, "b": [1.0]}}, value=None)
    if way.modern:
        same_script(way, "tasks/get", {"result": {"taskId": "t", "status": "working"}}, taskId="t")


def test_what_is_malformed_is_refused_as_the_protocol_says_and_goes_no_further(way: Way) -> None:
    wrong: tuple[tuple[str, Message], ...] = (
        ("tools/call", {"name": 5}),
        ("tools/call", {}),
        ("tools/call", {"name": "do", "arguments": []}),
        ("prompts/get", {"arguments": {}}),
        ("resources/read", {}),
        ("tools/list", {"cursor": 5}),
        ("completion/complete", {"ref": {}}),
    )
    for method, params in wrong:
        error = way.through.ask(method, params).error
        assert error["code"] in (-32602, -32020), (method, params)  # the latter: no header fits it


def test_names_that_are_not_there_and_cursors_that_nobody_gave_are_invalid_params(way: Way) -> None:
    for method, params in (
        ("tools/call", {"name": "nope", "arguments": {}}),
        ("prompts/get", {"name": "nope"}),
        ("tools/list", {"cursor": "9"}),
    ):
        assert way.through.ask(method, params).error["code"] == -32602


def test_what_is_declared_and_said_of_its_use_is_the_server_s(way: Way) -> None:
    if way.modern:
        direct, through = (each.ask("server/discover").result for each in (way.direct, way.through))
    else:
        direct, through = way.direct.greeting, way.through.greeting
        assert through["serverInfo"]["name"] == "prowess"
        assert through["protocolVersion"] == direct["protocolVersion"]
    for name in ("capabilities", "instructions"):
        assert through[name] == direct[name]


def test_the_pages_of_a_server_are_one_list_in_its_order(standing: Standing) -> None:
    folder = standing.place / "paged"
    made = package(folder, {"mirror": stdio_server(folder, "mirror", "--paged")})
    client = Raw(standing.gateway(made), "modern")
    for method, (key, known) in offer.LISTS.items():
        result = client.ask(method).result
        assert result[key] == known
        assert "nextCursor" not in result
        assert (result["ttlMs"], result["cacheScope"]) == (60_000, "public")
