"""What the endpoint answers, without a transport."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.serve.offering import OBJECT, Nobody, Offering, endpoint_of, request

from prowess.capability.offer import Offer, Tool
from prowess.errors import RequestFailed, UsageError
from prowess.provider import Answered, InputRequired, Invocation, Lost, TimedOut, ToolFailed
from prowess.serve.request import Era
from prowess.serve.results import REFUSED_META

pytestmark = pytest.mark.anyio
WEEK = {
    "name": "by_week",
    "description": "Invoices of a week.",
    "inputSchema": {"type": "object", "properties": {"week": {"type": "string"}}, "required": ["week"]},
    "x-unknown": {"kept": True},
}


async def test_a_single_server_is_listed_under_its_own_names_with_every_member(tmp_path: Path) -> None:
    async with endpoint_of(tmp_path, Offering(tools=[WEEK])) as endpoint:
        result = await endpoint.answer(request("tools/list"))
    assert result["tools"] == [WEEK]


async def test_several_servers_are_listed_under_qualified_names_in_a_fixed_order(tmp_path: Path) -> None:
    one, two = Offering("one", tools=[WEEK]), Offering("two", tools=[WEEK, {"name": "a"}])
    async with endpoint_of(tmp_path, two, one) as endpoint:
        result = await endpoint.answer(request("tools/list"))
    assert [each["name"] for each in result["tools"]] == ["one__by_week", "two__by_week", "two__a"]


async def test_raw_names_of_several_servers_are_possible_while_none_clash(tmp_path: Path) -> None:
    one, two = Offering("one", tools=[WEEK]), Offering("two", tools=[{"name": "a.b"}])
    async with endpoint_of(tmp_path, one, two, naming="raw") as endpoint:
        result = await endpoint.answer(request("tools/list"))
        await endpoint.answer(request("tools/call", {"name": "a.b"}))
    assert [each["name"] for each in result["tools"]] == ["by_week", "a.b"]
    assert [each.tool for each in two.calls] == ["a.b"]


async def test_raw_names_that_clash_are_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        async with endpoint_of(
            tmp_path, Offering("one", tools=[WEEK]), Offering("two", tools=[WEEK]), naming="raw"
        ):
            pass


async def test_a_raw_name_that_a_server_brings_later_is_qualified_for_that_server(tmp_path: Path) -> None:
    one, two = Offering("one", tools=[WEEK]), Offering("two")
    async with endpoint_of(tmp_path, one, two, naming="raw") as endpoint:
        two.replace(
            Offer(id="two", type="memory", status="connected", tools=(Tool(server="two", wire=WEEK),))
        )
        result = await endpoint.answer(request("tools/list"))
    assert [each["name"] for each in result["tools"]] == ["by_week", "two__by_week"]


async def test_a_call_reaches_the_tool_with_what_the_client_sent_beside_the_arguments(tmp_path: Path) -> None:
    server = Offering(tools=[WEEK])
    meta = {"x": 1, "io.modelcontextprotocol/clientCapabilities": {}, "progressToken": 7}
    async with endpoint_of(tmp_path, server) as endpoint:
        await endpoint.answer(
            request(
                "tools/call",
                {
                    "name": "by_week",
                    "arguments": {"week": "2026-W31"},
                    "requestState": "s",
                    "y": [2],
                    "_meta": meta,
                },
            )
        )
    call = server.calls[0]
    assert call.arguments == {"week": "2026-W31"}
    assert call.further == {"requestState": "s", "y": [2]}
    assert call.meta["x"] == 1
    assert "progressToken" not in call.meta
    assert "io.modelcontextprotocol/clientCapabilities" not in call.meta
    assert call.peer is not None


async def test_what_a_server_sent_is_handed_on_as_it_is(tmp_path: Path) -> None:
    wire = {"content": [{"type": "novel", "n": None}], "structuredContent": [1], "x": {"y": None}}
    server = Offering(tools=[WEEK])
    server.on_call = lambda _: Answered(value=[1], wire=wire)
    async with endpoint_of(tmp_path, server) as endpoint:
        result = await endpoint.answer(call(week="x"))
    assert result == wire


async def test_a_large_result_is_handed_on_in_one_piece(tmp_path: Path) -> None:
    wire = {"content": [{"type": "text", "text": "字" * 500_000}]}
    server = Offering(tools=[WEEK])
    server.on_call = lambda _: Answered(value=wire["content"], wire=wire)
    async with endpoint_of(tmp_path, server) as endpoint:
        result = await endpoint.answer(call(week="x"))
    assert result == wire


async def test_a_protocol_error_of_the_server_keeps_code_message_and_data(tmp_path: Path) -> None:
    server = Offering(tools=[WEEK])
    wire = {"error": {"code": -32020, "message": "header", "data": {"a": 1}}}
    server.on_call = lambda _: ToolFailed(message="header", wire=wire)
    async with endpoint_of(tmp_path, server) as endpoint:
        with pytest.raises(RequestFailed) as caught:
            await endpoint.answer(call(week="x"))
    assert (caught.value.number, caught.value.message, caught.value.data) == (-32020, "header", {"a": 1})


async def test_wrong_arguments_are_a_tool_error_that_names_each_problem(tmp_path: Path) -> None:
    server = Offering(tools=[WEEK])
    async with endpoint_of(tmp_path, server) as endpoint:
        result = await endpoint.answer(call(week=7))
    assert result["isError"] is True
    assert result["_meta"][REFUSED_META]["code"] == "invalid-arguments"
    assert [each["path"] for each in result["_meta"][REFUSED_META]["problems"]] == ["/week"]
    assert server.calls == []


@pytest.mark.parametrize("outcome", [Lost(reason="gone"), TimedOut(seconds=1)])
async def test_a_call_without_an_answer_is_a_tool_error(tmp_path: Path, outcome: Any) -> None:
    server = Offering(tools=[WEEK])
    server.on_call = lambda _: outcome
    async with endpoint_of(tmp_path, server) as endpoint:
        result = await endpoint.answer(call(week="x"))
    assert result["isError"] is True


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "by_weak"}),
        ("prompts/get", {"name": "nothing"}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "nothing"}}),
        ("completion/complete", {"ref": {"type": "ref/resource", "uri": "no:{x}"}}),
        ("tools/list", {"cursor": "made-up"}),
    ],
)
async def test_what_is_not_there_is_invalid_params(tmp_path: Path, method: str, params: Any) -> None:
    async with endpoint_of(tmp_path, Offering(tools=[WEEK])) as endpoint:
        with pytest.raises(RequestFailed) as caught:
            await endpoint.answer(request(method, params))
    assert caught.value.number == -32602


async def test_an_unknown_tool_is_answered_with_the_nearest_names(tmp_path: Path) -> None:
    async with endpoint_of(tmp_path, Offering(tools=[WEEK])) as endpoint:
        with pytest.raises(RequestFailed) as caught:
            await endpoint.answer(request("tools/call", {"name": "by_weak"}))
    assert caught.value.data == {"nearest": ["by_week"]}


@pytest.mark.parametrize(("era", "code"), [("modern", -32602), ("legacy", -32002)])
async def test_an_unknown_resource_has_the_code_of_its_era(tmp_path: Path, era: Any, code: int) -> None:
    async with endpoint_of(tmp_path, Offering(tools=[WEEK])) as endpoint:
        with pytest.raises(RequestFailed) as caught:
            await endpoint.answer(request("resources/read", {"uri": "nope:x"}, era))
    assert caught.value.number == code
    assert caught.value.data == {"uri": "nope:x"}


async def test_prompts_and_resources_are_asked_of_their_server_under_its_own_names(tmp_path: Path) -> None:
    one = Offering("one", prompts=[{"name": "p"}], resources=[{"uri": "a:1", "name": "r"}])
    two = Offering("two", prompts=[{"name": "p"}], resources=[{"uri": "a:1", "name": "r"}])
    async with endpoint_of(tmp_path, one, two) as endpoint:
        listed = await endpoint.answer(request("resources/list"))
        await endpoint.answer(request("prompts/get", {"name": "two__p", "x": 1}))
        await endpoint.answer(request("resources/read", {"uri": "two+a:1"}))
        await endpoint.answer(
            request("completion/complete", {"ref": {"type": "ref/prompt", "name": "one__p"}, "argument": {}})
        )
    assert [each["uri"] for each in listed["resources"]] == ["a:1", "two+a:1"]
    assert two.asked == [("prompts/get", {"name": "p", "x": 1}), ("resources/read", {"uri": "a:1"})]
    assert one.asked == [
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {}})
    ]


async def test_a_uri_is_asked_of_the_server_whose_template_it_fits(tmp_path: Path) -> None:
    one = Offering("one", templates=[{"name": "t", "uriTemplate": "one://{x}"}])
    two = Offering("two", templates=[{"name": "t", "uriTemplate": "two://{x}"}])
    async with endpoint_of(tmp_path, one, two) as endpoint:
        await endpoint.answer(request("resources/read", {"uri": "two://7"}))
    assert (one.asked, two.asked) == ([], [("resources/read", {"uri": "two://7"})])


async def test_a_uri_that_no_list_names_is_asked_of_each_server_until_one_knows_it(tmp_path: Path) -> None:
    def unknown(method: str, params: Any, peer: Any) -> Any:
        raise RequestFailed("no", number=-32002)

    one = Offering("one", resources=[{"uri": "a:1", "name": "a"}])
    one.on_ask = unknown
    two = Offering("two", resources=[{"uri": "b:1", "name": "b"}])
    async with endpoint_of(tmp_path, one, two) as endpoint:
        assert await endpoint.answer(request("resources/read", {"uri": "linked:1"})) == {
            "asked": "resources/read"
        }


async def test_lists_live_as_long_as_the_shortest_and_are_private_as_soon_as_one_is(tmp_path: Path) -> None:
    one = Offering("one", tools=[WEEK], caching={"tools/list": (60_000, "public")})
    two = Offering("two", tools=[WEEK], caching={"tools/list": (5_000, "private")})
    async with endpoint_of(tmp_path, one, two) as endpoint:
        both = await endpoint.answer(request("tools/list"))
        old = await endpoint.answer(request("tools/list", era="legacy"))
    assert (both["ttlMs"], both["cacheScope"]) == (5_000, "private")
    assert set(old) == {"tools"}
    async with endpoint_of(tmp_path, one) as endpoint:
        alone = await endpoint.answer(request("tools/list"))
    assert (alone["ttlMs"], alone["cacheScope"]) == (60_000, "public")


async def test_what_a_server_declares_is_declared_and_said_under_its_label(tmp_path: Path) -> None:
    one = Offering("one", instructions="First.", capabilities={"completions": {}})
    two = Offering("two", instructions="Second.", prompts=[{"name": "p"}])
    async with endpoint_of(tmp_path, one, two) as endpoint:
        result = await endpoint.answer(request("server/discover"))
    assert result["instructions"] == "one: First.\n\ntwo: Second."
    assert set(result["capabilities"]) == {"tools", "prompts", "completions"}


async def test_a_single_server_has_its_other_capabilities_and_methods_relayed(tmp_path: Path) -> None:
    server = Offering(type="stdio", capabilities={"extensions": {"a/b": {"c": 1}}})
    async with endpoint_of(tmp_path, server) as endpoint:
        assert endpoint.capabilities("modern")["extensions"] == {"a/b": {"c": 1}}
        await endpoint.answer(request("a/method", {"p": 1}))
    assert server.asked == [("a/method", {"p": 1})]


async def test_a_method_that_nobody_has_is_not_found(tmp_path: Path) -> None:
    async with endpoint_of(tmp_path, Offering("one"), Offering("two")) as endpoint:
        with pytest.raises(RequestFailed) as caught:
            await endpoint.answer(request("a/method"))
    assert caught.value.number == -32601


async def test_a_newer_client_gets_the_question_itself_and_sends_the_state_back(tmp_path: Path) -> None:
    asking = {"resultType": "input_required", "requestState": "öpaque", "inputRequests": {}, "x": 1}

    def answer(invocation: Invocation) -> Any:
        if invocation.further.get("requestState") == "öpaque":
            return Answered(value="ok", wire={"content": []})
        return InputRequired(wire=asking)

    server = Offering(tools=[WEEK])
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint:
        assert await endpoint.answer(call(week="x")) == asking
        again = call(week="x", more={"requestState": "öpaque", "inputResponses": {"k": 1}})
        assert await endpoint.answer(again) == {"content": []}
    assert server.calls[1].further == {"requestState": "öpaque", "inputResponses": {"k": 1}}


async def test_an_older_client_is_asked_each_question_over_its_session(tmp_path: Path) -> None:
    question = {"method": "elicitation/create", "params": {"message": "Who?"}}
    asking = {"resultType": "input_required", "requestState": "s", "inputRequests": {"who": question}}

    def answer(invocation: Invocation) -> Any:
        if "inputResponses" in invocation.further:
            return Answered(value="ok", wire={"content": [], "got": invocation.further})
        return InputRequired(wire=asking)

    server, peer = Offering(tools=[WEEK]), Nobody({"elicitation/create": {"action": "accept"}})
    server.on_call = answer
    async with endpoint_of(tmp_path, server) as endpoint:
        result = await endpoint.answer(
            request("tools/call", {"name": "by_week", "arguments": {"week": "x"}}, "legacy", peer)
        )
    assert peer.questions == [("elicitation/create", {"message": "Who?"})]
    assert result["got"] == {"inputResponses": {"who": {"action": "accept"}}, "requestState": "s"}


async def test_a_tool_of_our_own_gives_text_and_the_value_itself(tmp_path: Path) -> None:
    server = Offering(tools=[WEEK])
    server.on_call = lambda _: Answered(value={"城市": "北京"})
    async with endpoint_of(tmp_path, server) as endpoint:
        result = await endpoint.answer(call(week="x"))
    assert result["structuredContent"] == {"城市": "北京"}
    assert result["content"] == [{"type": "text", "text": '{"城市": "北京"}'}]


async def test_content_blocks_of_a_tool_of_our_own_are_content(tmp_path: Path) -> None:
    blocks = [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]
    server = Offering(tools=[WEEK])
    server.on_call = lambda _: Answered(value=blocks)
    async with endpoint_of(tmp_path, server) as endpoint:
        result = await endpoint.answer(call(week="x"))
    assert result == {"content": blocks, "isError": False}


async def test_a_tool_that_the_policy_denies_is_not_listed(tmp_path: Path) -> None:
    from prowess import Policy
    from prowess.call.policy import Rule
    from prowess.host import Host
    from prowess.serve.endpoint import Endpoint

    async with endpoint_of(tmp_path, Offering(tools=[WEEK])):
        pass
    policy = Policy(rules=(Rule(action="deny", tool="by_week"),))
    async with Host.open(tmp_path, providers=[Offering(tools=[WEEK])], policy=policy) as host:
        endpoint = Endpoint(host)
        assert (await endpoint.answer(request("tools/list")))["tools"] == []
        result = await endpoint.answer(call(week="x"))
    assert result["_meta"][REFUSED_META]["code"] == "denied"


def call(more: dict[str, Any] | None = None, **arguments: Any) -> Any:
    return request("tools/call", {"name": "by_week", "arguments": arguments, **(more or {})})


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_what_a_function_of_ours_gives_is_a_whole_result(tmp_path: Path, era: Era) -> None:
    ours = Offering(tools=[{"name": "add", "outputSchema": OBJECT}], type="units")
    ours.on_call = lambda invocation: Answered(value={"n": 3}, wire={"structuredContent": {"n": 3}})
    async with endpoint_of(tmp_path, ours) as endpoint:
        result = await endpoint.answer(request("tools/call", {"name": "add"}, era))
    assert result["structuredContent"] == {"n": 3}
    assert result["content"] == [{"type": "text", "text": '{"n": 3}'}]


async def test_a_server_that_is_down_for_the_moment_stays_listed_and_is_asked(tmp_path: Path) -> None:
    one = Offering("one", tools=[WEEK], prompts=[{"name": "p"}], resources=[{"uri": "memo://a", "name": "a"}])
    two = Offering("two", resources=[{"uri": "memo://b", "name": "b"}])
    async with endpoint_of(tmp_path, one, two) as endpoint:
        listed = await endpoint.answer(request("tools/list"))
        one.replace(Offer(id="one", type="memory", status="failed", reason="it was killed"))
        assert await endpoint.answer(request("tools/list")) == listed
        arguments = {"name": "one__by_week", "arguments": {"week": "31"}}
        await endpoint.answer(request("tools/call", arguments))
        await endpoint.answer(request("prompts/get", {"name": "one__p"}))
        await endpoint.answer(request("resources/read", {"uri": "memo://a"}))
        one.replace(Offer(id="one", type="memory", status="connected"))
        assert (await endpoint.answer(request("tools/list")))["tools"] == []
    assert [each.tool for each in one.calls] == ["by_week"]
    assert [method for method, _ in one.asked] == ["prompts/get", "resources/read"]
    assert two.asked == []
