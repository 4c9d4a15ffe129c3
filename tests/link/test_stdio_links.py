"""Links to stdio servers that behave and that do not; every server is a real process."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest
from tests.bounds import bound
from tests.link.probing import SECRET, Bench, alive, until, use

from prowess.errors import ConnectionFailed, NotFound
from prowess.link import Link, MemoryEras
from prowess.link.survey import NOTHING
from prowess.provider import Answered, Caller, Invocation, Lost, Refused, TimedOut, ToolFailed
from prowess.spec.model import StdioServer

pytestmark = pytest.mark.anyio

ERAS = ["modern", "legacy"]


# -- coming up -------------------------------------------------------------------------------------


@pytest.mark.req("AP-7.2-14")
@pytest.mark.parametrize("era", ERAS)
async def test_a_server_of_either_era_comes_up_with_everything_as_it_was_sent(bench: Bench, era: str) -> None:
    link = bench.link(era)
    assert link.offer().status == "not-started"
    offer = await link.open()
    assert (offer.id, offer.type, offer.status, offer.reason, offer.notes) == (
        "probe",
        "stdio",
        "connected",
        "",
        (),
    )
    (tool,) = offer.tools
    assert tool.wire["x-kept"] == [1] and tool.input_schema["x-kept"] == 1
    assert offer.prompts[0].wire["x-kept"] is True and offer.resources[0].wire["x-kept"] is True
    assert offer.templates[0].uri_template == "probe://{x}"
    assert offer.server_info is not None and offer.server_info["x"] == 1
    assert offer.protocol == ("2026-07-28" if era == "modern" else "2025-11-25")
    assert (offer.instructions == "Be kind.") == (era == "modern")


async def test_a_list_is_asked_for_only_where_the_capability_is_declared(bench: Bench) -> None:
    offer = await bench.link("only-tools").open()
    assert not (offer.prompts or offer.resources or offer.templates)
    assert bench.logged() == ["server/discover", "tools/list"]


async def test_pages_are_followed_to_the_end(bench: Bench) -> None:
    offer = await bench.link("pages").open()
    assert [tool.name for tool in offer.tools] == [f"tool-{number}" for number in range(5)]


async def test_an_empty_cursor_is_a_cursor(bench: Bench) -> None:
    offer = await bench.link("empty-cursor").open()
    assert [tool.name for tool in offer.tools] == ["echo", "last"]


async def test_a_cursor_that_loops_is_stopped_and_noted(bench: Bench) -> None:
    offer = await bench.link("loop").open()
    assert offer.status == "connected" and len(offer.tools) == 2
    assert "cursor" in offer.notes[0]


@pytest.mark.parametrize("era", ERAS)
async def test_invalid_tools_are_left_out_and_named(bench: Bench, era: str) -> None:
    offer = await bench.link("bad-tool", era).open()
    assert [tool.name for tool in offer.tools] == ["echo"]
    assert len(offer.notes) == 4 and "bad" in offer.notes[0]


async def test_of_two_tools_with_one_name_the_first_is_kept(bench: Bench) -> None:
    offer = await bench.link("twice").open()
    assert [tool.description for tool in offer.tools] == ["Say it back."]
    assert "echo" in offer.notes[0]


async def test_a_prompts_list_that_fails_costs_only_the_prompts(bench: Bench) -> None:
    offer = await bench.link("prompts-fail").open()
    assert offer.status == "connected" and offer.tools and offer.resources and not offer.prompts
    assert "prompts/list" in offer.notes[0]


async def test_a_prompts_list_that_never_answers_costs_only_the_prompts(bench: Bench) -> None:
    offer = await bench.link("prompts-hang", startup=1.0).open()
    assert offer.status == "connected" and offer.tools and not offer.prompts
    assert "prompts/list" in offer.notes[0]


async def test_a_server_with_nothing_to_offer_is_connected_and_noted(bench: Bench) -> None:
    offer = await bench.link("no-tools", "only-tools").open()
    assert offer.status == "connected" and offer.notes == (NOTHING,)


async def test_a_server_that_offers_prompts_needs_no_tools(bench: Bench) -> None:
    offer = await bench.link("no-tools").open()
    assert offer.status == "connected" and offer.prompts and offer.notes == ()


async def test_noise_and_invalid_text_on_stdout_are_tolerated_noted_and_masked(bench: Bench) -> None:
    link = bench.link("noise", "utf8")
    offer = await link.open()
    assert offer.status == "connected" and len(offer.notes) == 2
    assert SECRET not in str(offer)
    assert await use(link) == Answered(
        value=[{"type": "text", "text": "caf�"}], wire={"content": [{"type": "text", "text": "caf�"}]}
    )


async def test_a_flood_on_stderr_blocks_nothing_and_its_end_is_kept(bench: Bench) -> None:
    link = bench.link("flood")
    assert (await link.open()).status == "connected"
    assert 0 < len(link.stderr()) <= 64 * 1024


# -- eras ------------------------------------------------------------------------------------------


async def test_a_server_that_exits_on_the_first_unknown_message_is_started_once_more(bench: Bench) -> None:
    eras = MemoryEras()
    offer = await bench.link("exit-on-discover", eras=eras).open()
    assert (offer.status, offer.protocol) == ("connected", "2025-11-25")
    assert [each.again for each in bench.started] == [False, True]
    assert eras.get("probe") == "legacy"


async def test_a_remembered_era_saves_the_probe(bench: Bench) -> None:
    eras = MemoryEras()
    eras.put("probe", "legacy")
    assert (await bench.link("exit-on-discover", eras=eras).open()).status == "connected"
    assert len(bench.started) == 1 and "server/discover" not in bench.logged()


async def test_a_server_that_changed_its_era_is_found_again(bench: Bench) -> None:
    eras = MemoryEras()
    eras.put("probe", "legacy")
    assert (await bench.link("modern", eras=eras).open()).protocol == "2026-07-28"
    assert eras.get("probe") == "modern"


async def test_a_server_that_ignores_the_probe_is_greeted_the_old_way(bench: Bench) -> None:
    began = time.monotonic()
    offer = await bench.link("silent-discover", startup=2.0).open()
    assert (offer.status, offer.protocol) == ("connected", "2025-11-25")
    assert time.monotonic() - began < bound(2.0) and len(bench.started) == 1


async def test_a_server_that_the_probe_silences_is_started_once_more(bench: Bench) -> None:
    offer = await bench.link("hang-on-discover", startup=2.0).open()
    assert (offer.status, offer.protocol) == ("connected", "2025-11-25")
    assert len(bench.started) == 2


@pytest.mark.parametrize("era", ERAS)
async def test_a_slow_start_of_either_era_is_waited_for(bench: Bench, era: str) -> None:
    offer = await bench.link("slow=0.6", era, startup=2.0).open()
    assert offer.status == "connected" and len(bench.started) == 1
    assert offer.protocol == ("2026-07-28" if era == "modern" else "2025-11-25")


@pytest.mark.parametrize("mode", ["disjoint", "advertises-legacy"])
async def test_a_server_that_names_only_older_versions_is_greeted_the_old_way(
    bench: Bench, mode: str
) -> None:
    offer = await bench.link(mode).open()
    assert (offer.status, offer.protocol) == ("connected", "2025-11-25")


@pytest.mark.parametrize(
    ("modes", "version"), [(("future",), "2099-01-01"), (("legacy", "ancient"), "1999-01-01")]
)
async def test_no_version_in_common_is_a_failed_connection_that_says_so(
    bench: Bench, modes: tuple[str, ...], version: str
) -> None:
    offer = await bench.link(*modes).open()
    assert offer.status == "failed" and version in offer.reason
    assert len(bench.started) == 1


# -- not coming up ---------------------------------------------------------------------------------


@pytest.mark.req("AP-7.2-13")
async def test_a_silent_server_times_out_within_its_budget(bench: Bench) -> None:
    began = time.monotonic()
    offer = await bench.link("silent", startup=0.6).open()
    assert offer.status == "timed-out" and not offer.tools
    assert time.monotonic() - began < bound(0.6 + 1.0)


@pytest.mark.req("AP-7.2-13")
async def test_a_server_that_dies_says_how_and_its_last_words_hold_no_secret(bench: Bench) -> None:
    offer = await bench.link("exit-at-once").open()
    assert offer.status == "failed"
    assert "status 1" in offer.reason and "no module named 'missing'" in offer.reason
    assert SECRET not in offer.reason and "***" in offer.reason


@pytest.mark.req("AP-7.2-13")
async def test_a_command_that_does_not_exist_is_a_failed_connection(tmp_path: Path) -> None:
    server = StdioServer(id="none", command="no-such-command-anywhere")
    link = Link(server, root=str(tmp_path), data=str(tmp_path / "data"))
    offer = await link.open()
    assert offer.status == "failed" and "no-such-command-anywhere" in offer.reason
    await link.close()


async def test_a_file_that_is_no_program_is_a_failed_connection(tmp_path: Path) -> None:
    (tmp_path / "tool").write_bytes(b"\0not a program")
    (tmp_path / "tool").chmod(0o755)
    link = Link(StdioServer(id="none", command="./tool"), root=str(tmp_path), data=str(tmp_path / "data"))
    assert (await link.open()).status == "failed"
    await link.close()


async def test_a_failed_server_is_tried_again_when_opened_again(bench: Bench) -> None:
    marker = bench.place / "ready"
    link = bench.link(f"unless={marker}")
    assert (await link.open()).status == "failed"
    marker.touch()
    assert (await link.open()).status == "connected"


@pytest.mark.req("AP-7.2-13", "AP-11-2")
async def test_one_failing_server_leaves_the_others_alone(bench: Bench) -> None:
    good, silent, dead = bench.link(), bench.link("silent", startup=0.5), bench.link("exit-at-once")
    offers = await asyncio.gather(good.open(), silent.open(), dead.open())
    assert [offer.status for offer in offers] == ["connected", "timed-out", "failed"]
    assert isinstance(await use(good), Answered)


# -- what a process gets to see --------------------------------------------------------------------


@pytest.mark.req("AP-9.1-1", "AP-9.1-2", "AP-9.2-1", "AP-9.2-2")
async def test_a_process_sees_the_base_its_own_env_and_the_plugin_directories(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp-of-the-user")
    monkeypatch.setenv("HTTPS_PROXY", "http://user:password@proxy.example")
    monkeypatch.setenv("NO_PROXY", "localhost")
    link = bench.link(
        "${PLUGIN_DATA}", env={"WHERE": "${PLUGIN_ROOT}|${PLUGIN_DATA}|${HOME}", "PLUGIN_ROOT": "/elsewhere"}
    )
    await link.open()
    outcome = await use(link, "environment")
    assert isinstance(outcome, Answered)
    env, root, data = outcome.value["env"], str(bench.place.resolve()), str((bench.place / "data").resolve())
    assert (env["PLUGIN_ROOT"], env["PLUGIN_DATA"]) == (root, data)
    assert env["WHERE"] == f"{root}|{data}|${{HOME}}"
    assert outcome.value["cwd"] == root and outcome.value["argv"][1:] == [data]
    assert os.access(data, os.W_OK) and env["PATH"] == os.environ["PATH"]
    assert "GITHUB_TOKEN" not in env and "HTTPS_PROXY" not in env and env["NO_PROXY"] == "localhost"


# -- calls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
async def test_outcomes_say_what_became_of_a_call(bench: Bench, era: str) -> None:
    link = bench.link(era)
    await link.open()
    assert await use(link, x=1) == Answered(
        value={"name": "echo", "do": "", "x": 1},
        wire={
            "content": [{"type": "text", "text": '{"do": "", "x": 1}'}],
            "structuredContent": {"name": "echo", "do": "", "x": 1},
        },
    )
    failed = await use(link, "fail")
    assert isinstance(failed, ToolFailed) and failed.message == "no such week"
    refused = await use(link, "error")
    assert isinstance(refused, ToolFailed) and refused.wire["error"]["code"] == -32000
    odd = await use(link, "odd")
    assert isinstance(odd, Answered) and odd.value == {"total": "three"}
    assert odd.wire["content"] == [{"type": "hologram", "depth": 3}] and odd.wire["x"] == 1
    assert await use(link, "nothing") == Answered(value=[], wire={"resultType": "complete"})


async def test_a_tool_that_is_not_on_offer_is_not_found(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    with pytest.raises(NotFound):
        await link.call(Invocation(tool="other"))


async def test_a_call_before_open_and_after_close_is_refused(bench: Bench) -> None:
    link = bench.link()
    assert isinstance(await use(link), Refused)
    await link.open()
    await link.close()
    assert isinstance(await use(link), Refused)
    assert link.offer().status == "not-started"


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_that_takes_too_long_is_cancelled_and_the_next_one_works(bench: Bench, era: str) -> None:
    link = bench.link(era)
    await link.open()
    assert await use(link, "hang", timeout=0.1) == TimedOut(seconds=0.1)
    assert isinstance(await use(link), Answered)
    assert "notifications/cancelled" in bench.logged()


async def test_a_caller_that_is_cancelled_tells_the_server(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    task = asyncio.create_task(use(link, "hang"))
    await until(lambda: "tools/call" in bench.logged())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert isinstance(await use(link), Answered)
    assert "notifications/cancelled" in bench.logged()


async def test_calls_run_side_by_side(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    outcomes = await asyncio.gather(*(use(link, number=number) for number in range(50)))
    assert [each.value["number"] for each in outcomes if isinstance(each, Answered)] == list(range(50))


@pytest.mark.parametrize("id_last", [False, True])
async def test_an_answer_over_the_limit_fails_its_own_call(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, id_last: bool
) -> None:
    monkeypatch.setattr("prowess.link.transport.StdioChannel", _small_lines())
    link = bench.link()
    await link.open()
    assert isinstance(await use(link, "huge", size=1_000_000, id_last=id_last), ToolFailed)
    assert isinstance(await use(link, "huge", size=200_000, id_last=id_last), Answered)
    assert link.offer().status == "connected" and "limit" in link.offer().notes[0]


def _small_lines() -> object:
    from functools import partial

    from prowess.link.stdio import StdioChannel

    return partial(StdioChannel, limit=500_000)


async def test_a_result_of_several_megabytes_is_an_answer(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    outcome = await use(link, "huge", size=8_000_000)
    assert isinstance(outcome, Answered) and len(outcome.value[0]["text"]) == 8_000_000


async def test_an_answer_that_is_no_message_fails_its_own_call_at_once(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    assert isinstance(await use(link, "malformed"), ToolFailed)
    assert isinstance(await use(link), Answered)


async def test_arguments_that_are_no_unicode_are_refused_before_they_are_sent(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    assert isinstance(await use(link, text="\ud800"), Refused)
    assert "tools/call" not in bench.logged() and isinstance(await use(link), Answered)


@pytest.mark.parametrize("era", ERAS)
async def test_prompts_and_resources_come_back_raw(bench: Bench, era: str) -> None:
    link = bench.link(era)
    await link.open()
    assert (await link.get_prompt("review", {"code": "x"}))["x-kept"]["arguments"] == {"code": "x"}
    assert (await link.read_resource("probe://a"))["x-kept"] == 1
    with pytest.raises(NotFound):
        await link.read_resource("probe://b")


async def test_a_prompt_of_a_closed_link_cannot_be_had(bench: Bench) -> None:
    with pytest.raises(ConnectionFailed):
        await bench.link().get_prompt("review")


async def test_what_a_server_asks_of_a_client_is_answered(bench: Bench) -> None:
    link = bench.link("legacy")
    await link.open()
    outcome = await use(link, "ask")
    assert isinstance(outcome, Answered)
    error = ["error", "id", "jsonrpc"]
    assert outcome.value == {"mine-0": ["id", "jsonrpc", "result"], "mine-1": error, "mine-2": error}


@pytest.mark.parametrize("type", ["input_required", "task"])
async def test_a_result_that_is_no_answer_yet_is_no_answer(bench: Bench, type: str) -> None:
    link = bench.link()
    await link.open()
    assert isinstance(await use(link, "type", type=type), ToolFailed)
    assert isinstance(await use(link, "type", type="complete"), Answered)


async def test_metadata_of_an_invocation_reaches_the_server(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    await link.call(
        Invocation(tool="echo", arguments={"do": "meta"}, meta={"traceparent": "00-1"}, caller=Caller())
    )
    assert any("traceparent" in line for line in bench.logged("meta"))


# -- crashes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_in_flight_during_a_crash_is_lost_and_the_next_one_restarts(
    bench: Bench, era: str
) -> None:
    link = bench.link(era)
    await link.open()
    lost = await use(link, "crash")
    assert isinstance(lost, Lost) and "status 3" in lost.reason and SECRET not in lost.reason
    assert link.offer().status == "failed" and not link.offer().tools
    assert isinstance(await use(link), Answered)
    assert link.offer().status == "connected" and len(bench.started) == 2


async def test_a_crashed_server_comes_back_by_itself(bench: Bench) -> None:
    link = bench.link()
    await link.open()
    await use(link, "crash")
    await until(lambda: link.offer().status == "connected")
    assert len(bench.started) == 2


async def test_a_server_that_works_between_its_crashes_is_back_as_soon_each_time(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.keeper.BACKOFF_SECONDS", (0.0, 60.0))
    link = bench.link()
    await link.open()
    for _ in range(4):  # more than are started unasked
        assert isinstance(await use(link, "crash"), Lost)
        assert isinstance(await use(link), Answered)
    assert len(bench.started) == 5


async def test_restarts_that_nobody_asks_for_are_bounded(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.keeper.BACKOFF_SECONDS", (0.0, 0.0))
    link = bench.link("exit-after-list")
    await link.open()
    await until(lambda: len(bench.started) == 3 and link.offer().status == "failed")
    await until(lambda: "status 5" in link.offer().reason)
    with pytest.raises(TimeoutError):
        await until(lambda: len(bench.started) > 3, seconds=0.3)


# -- leaving nothing behind ------------------------------------------------------------------------


async def test_a_double_close_is_harmless(bench: Bench) -> None:
    link = bench.link()
    await link.close()
    await link.open()
    await asyncio.gather(link.close(), link.close())
    await link.close()
    assert link.offer().status == "not-started"


@pytest.mark.parametrize("kind", ["grandchild", "setsid", "scrubbed", "daemon"])
async def test_whatever_a_server_started_goes_with_it(bench: Bench, kind: str) -> None:
    link = bench.link(kind)
    await link.open()
    (line,) = bench.logged("child")
    pid = int(line.split()[1])
    assert alive(pid)
    await link.close()
    assert not alive(pid)


async def test_what_a_crashed_server_started_goes_too(bench: Bench) -> None:
    link = bench.link("setsid", "grandchild")
    await link.open()
    pids = [int(line.split()[1]) for line in bench.logged("child")]
    await use(link, "crash")
    await link.close()
    assert len(pids) == 2 and not any(alive(pid) for pid in pids)


async def test_a_server_that_ignores_every_request_to_go_is_killed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.stdio.PATIENCE_SECONDS", 0.1)
    link = bench.link("ignore-term")
    await link.open()
    began = time.monotonic()
    await link.close()
    assert time.monotonic() - began < bound(2.0)


@pytest.mark.parametrize("modes", [("silent",), ("slow=30",), ("hang-on-discover", "ignore-term")])
async def test_cancelling_the_opener_leaves_nothing(bench: Bench, modes: tuple[str, ...]) -> None:
    link = bench.link(*modes, "grandchild")
    task = asyncio.create_task(link.open())
    await until(lambda: bench.logged("child"))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (line,) = bench.logged("child")
    assert not alive(int(line.split()[1]))
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith(("link", "connection"))]


async def test_a_close_that_is_cancelled_is_carried_to_its_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.link.stdio.PATIENCE_SECONDS", 0.2)
    link = bench.link("ignore-term", "grandchild")
    await link.open()
    closing = asyncio.create_task(link.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.sleep(0.01)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    (line,) = bench.logged("child")
    assert not alive(int(line.split()[1]))


def test_a_loop_that_ends_without_a_close_leaves_no_process(tmp_path: Path) -> None:
    bench = Bench(place=tmp_path)

    async def forget() -> None:
        await bench.link("grandchild").open()

    asyncio.run(forget())
    (line,) = bench.logged("child")
    assert not alive(int(line.split()[1]))
